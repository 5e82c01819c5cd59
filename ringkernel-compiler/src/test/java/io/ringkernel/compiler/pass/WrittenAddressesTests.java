package io.ringkernel.compiler.pass;

import io.ringkernel.compiler.ir.AtomicOperation;
import io.ringkernel.compiler.ir.Code;
import io.ringkernel.compiler.ir.Constant;
import io.ringkernel.compiler.ir.Conversion;
import io.ringkernel.compiler.ir.Instruction;
import io.ringkernel.compiler.ir.MemoryType;
import io.ringkernel.compiler.ir.Operator;
import io.ringkernel.compiler.ir.Register;
import io.ringkernel.compiler.ir.RegisterType;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which addresses lead to what code writes.
 */
class WrittenAddressesTests {

	private final Code code = new Code();

	private final Register array = this.code.register(RegisterType.ADDRESS);

	private final Register value = this.code.register(RegisterType.INT);

	@Test
	void oneThatIsOnlyReadIsNone() {
		this.code.add(new Instruction.Load(MemoryType.INT, this.code.register(RegisterType.INT), element(this.array), 0,
				true));
		assertThat(WrittenAddresses.of(this.code.instructions())).isEmpty();
	}

	@Test
	void theArrayOfAnElementThatIsStoredIsOne() {
		Register element = element(this.array);
		this.code.add(new Instruction.Store(MemoryType.INT, element, 0, this.value, true, null));
		assertThat(WrittenAddresses.of(this.code.instructions())).contains(this.array, element);
	}

	@Test
	void theArrayOfAnAtomicStepIsOne() {
		this.code.add(new Instruction.Atomic(AtomicOperation.ADD, MemoryType.INT, this.code.register(RegisterType.INT),
				element(this.array), this.value, null, false, null));
		assertThat(WrittenAddresses.of(this.code.instructions())).contains(this.array);
	}

	@Test
	void eachThatAnAddressIsChosenFromIsOne() {
		Register other = this.code.register(RegisterType.ADDRESS);
		Register chosen = this.code.select(this.code.register(RegisterType.PREDICATE), this.array, other);
		this.code.add(new Instruction.Store(MemoryType.INT, chosen, 0, this.value, true, null));
		assertThat(WrittenAddresses.of(this.code.instructions())).contains(this.array, other);
	}

	@Test
	void oneThatAnIterationHandsToTheNextIsOne() {
		Register at = this.code.register(RegisterType.ADDRESS);
		this.code.add(new Instruction.Store(MemoryType.INT, at, 0, this.value, true, null));
		this.code.move(at, this.code.binary(Operator.ADD, this.array, Constant.of(4L)));
		assertThat(WrittenAddresses.of(this.code.instructions())).contains(this.array);
	}

	@Test
	void theAddressThatAnAddressIsLoadedFromIsNone() {
		Register loaded = this.code.register(RegisterType.ADDRESS);
		this.code.add(new Instruction.Load(MemoryType.LONG, loaded, this.array, 0, true));
		this.code.add(new Instruction.Store(MemoryType.INT, loaded, 0, this.value, true, null));
		assertThat(WrittenAddresses.of(this.code.instructions())).containsExactly(loaded);
	}

	private Register element(Register base) {
		return this.code.binary(Operator.ADD, base,
				this.code.convert(Conversion.OFFSET, RegisterType.ADDRESS, this.value));
	}

}
