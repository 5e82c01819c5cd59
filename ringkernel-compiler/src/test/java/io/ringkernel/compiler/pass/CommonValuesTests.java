package io.ringkernel.compiler.pass;

import java.util.List;

import io.ringkernel.compiler.ir.Code;
import io.ringkernel.compiler.ir.Instruction;
import io.ringkernel.compiler.ir.Label;
import io.ringkernel.compiler.ir.MemoryType;
import io.ringkernel.compiler.ir.Operator;
import io.ringkernel.compiler.ir.Register;
import io.ringkernel.compiler.ir.RegisterType;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is computed once.
 */
class CommonValuesTests {

	private final Code code = new Code();

	private final Register one = this.code.register(RegisterType.INT);

	private final Register other = this.code.register(RegisterType.INT);

	@Test
	void aValueThatIsThereIsNotComputedAgain() {
		use(this.code.binary(Operator.ADD, this.one, this.other));
		use(this.code.binary(Operator.ADD, this.one, this.other));
		assertThat(count(Operator.ADD)).isEqualTo(1);
	}

	@Test
	void aValueOfAVariableThatHasChangedIsAnother() {
		use(this.code.binary(Operator.ADD, this.one, this.other));
		this.code.add(new Instruction.Binary(Operator.MUL, this.one, this.one, this.other));
		use(this.code.binary(Operator.ADD, this.one, this.other));
		assertThat(count(Operator.ADD)).isEqualTo(2);
	}

	@Test
	void nothingIsKnownWhereOtherWaysArrive() {
		use(this.code.binary(Operator.ADD, this.one, this.other));
		this.code.add(new Instruction.Mark(new Label()));
		use(this.code.binary(Operator.ADD, this.one, this.other));
		assertThat(count(Operator.ADD)).isEqualTo(2);
	}

	@Test
	void aRemainderIsTakenFromTheQuotient() {
		use(this.code.binary(Operator.REM, this.one, this.other));
		use(this.code.binary(Operator.DIV, this.one, this.other));
		List<Instruction> shared = shared();
		assertThat(count(shared, Operator.REM)).isZero();
		assertThat(count(shared, Operator.DIV)).isEqualTo(1);
	}

	@Test
	void remaindersAreTakenFromTheirQuotientsBehindOtherCode() {
		Register guard = this.code.register(RegisterType.PREDICATE);
		this.code.add(new Instruction.Store(MemoryType.INT, this.code.register(RegisterType.ADDRESS), 0,
				this.code.register(RegisterType.INT), true, guard));
		for (Register divisor : List.of(this.other, this.code.register(RegisterType.INT))) {
			use(this.code.binary(Operator.REM, this.one, divisor));
			use(this.code.binary(Operator.DIV, this.one, divisor));
		}
		List<Instruction> shared = shared();
		assertThat(count(shared, Operator.REM)).isZero();
		assertThat(count(shared, Operator.DIV)).isEqualTo(2);
	}

	@Test
	void aRemainderOfAnotherValueStays() {
		use(this.code.binary(Operator.REM, this.one, this.other));
		this.code.add(new Instruction.Binary(Operator.MUL, this.one, this.one, this.other));
		use(this.code.binary(Operator.DIV, this.one, this.other));
		assertThat(count(Operator.REM)).isEqualTo(1);
	}

	@Test
	void aRemainderAloneStays() {
		use(this.code.binary(Operator.REM, this.one, this.other));
		assertThat(count(Operator.REM)).isEqualTo(1);
	}

	@Test
	void whatAHandlerMayWriteIsLoadedAgain() {
		Register base = this.code.register(RegisterType.ADDRESS);
		for (boolean shared : new boolean[] { true, true, false, false }) {
			Register loaded = this.code.register(RegisterType.INT);
			this.code.add(new Instruction.Load(MemoryType.INT, loaded, base, 0, shared));
			use(loaded);
		}
		assertThat(shared().stream().filter(Instruction.Load.class::isInstance)).hasSize(3);
	}

	private void use(Register value) {
		this.code
			.add(new Instruction.Store(MemoryType.INT, this.code.register(RegisterType.ADDRESS), 0, value, true, null));
	}

	private long count(Operator operator) {
		return count(shared(), operator);
	}

	private static long count(List<Instruction> instructions, Operator operator) {
		return instructions.stream()
			.filter((instruction) -> instruction instanceof Instruction.Binary binary && binary.operator() == operator)
			.count();
	}

	private List<Instruction> shared() {
		CommonValues.share(this.code);
		DeadCode.omit(this.code);
		return this.code.instructions();
	}

}
