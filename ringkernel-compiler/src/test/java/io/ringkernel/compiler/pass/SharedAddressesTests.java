package io.ringkernel.compiler.pass;

import java.util.Set;

import io.ringkernel.compiler.ir.Code;
import io.ringkernel.compiler.ir.Comparison;
import io.ringkernel.compiler.ir.Constant;
import io.ringkernel.compiler.ir.Conversion;
import io.ringkernel.compiler.ir.Instruction;
import io.ringkernel.compiler.ir.MemoryType;
import io.ringkernel.compiler.ir.Operand;
import io.ringkernel.compiler.ir.Operator;
import io.ringkernel.compiler.ir.Register;
import io.ringkernel.compiler.ir.RegisterType;
import io.ringkernel.compiler.ir.WorkerCall;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which addresses are known to be of shared memory.
 */
class SharedAddressesTests {

	private final Code code = new Code();

	private final WorkerCall worker = WorkerCall.of(this.code);

	private final Register distance = this.code.convert(Conversion.OFFSET, RegisterType.ADDRESS, this.worker.length());

	@Test
	void whatIsMadeOfAnAddressByAdditionIsOne() {
		Register array = add(this.worker.in(), this.distance);
		Register element = this.code.copy(add(array, Constant.of(16L)));
		load(element);
		store(array, this.worker.length());
		SharedAddresses addresses = SharedAddresses.of(this.code, Set.of(this.worker.in()));
		assertThat(addresses.contains(array)).isTrue();
		assertThat(addresses.contains(element)).isTrue();
		assertThat(addresses.contains(this.distance)).isFalse();
		assertThat(addresses.contains(add(this.worker.out(), this.distance))).isFalse();
		assertThat(addresses.isTaken(this.worker.in())).isTrue();
		assertThat(addresses.isTaken(array)).isFalse();
	}

	@Test
	void whatMayBeAnotherAddressIsNone() {
		Register variable = this.code.copy(add(this.worker.in(), this.distance));
		this.code.move(variable, this.worker.out());
		load(variable);
		assertIsNone(variable);
	}

	@Test
	void oneThatIsChosenFromIsNone() {
		Register address = add(this.worker.in(), this.distance);
		load(address);
		load(this.code.select(this.code.compare(Comparison.EQ, this.distance, Constant.of(0L)), address,
				this.worker.out()));
		assertIsNone(address);
	}

	@Test
	void oneThatOthersAreMadeOfWhichAreNoneIsNone() {
		Register address = add(this.worker.in(), this.distance);
		Register made = add(address, Constant.of(8L));
		store(this.worker.out(), made);
		assertIsNone(made);
		assertIsNone(address);
	}

	@Test
	void twoAddressesAddedMakeNone() {
		Register sum = add(add(this.worker.in(), this.distance), this.worker.in());
		load(sum);
		assertIsNone(sum);
	}

	private void assertIsNone(Register register) {
		assertThat(SharedAddresses.of(this.code, Set.of(this.worker.in())).contains(register)).isFalse();
	}

	private Register add(Register address, Operand distance) {
		return this.code.binary(Operator.ADD, address, distance);
	}

	private void load(Register address) {
		this.code.add(new Instruction.Load(MemoryType.INT, this.code.register(RegisterType.INT), address, 0, false));
	}

	private void store(Register address, Register value) {
		this.code.add(new Instruction.Store(MemoryType.of(value.type()), address, 0, value, false, null));
	}

}
