package io.ringkernel.compiler.pass;

import java.util.List;

import io.ringkernel.compiler.ir.Code;
import io.ringkernel.compiler.ir.Comparison;
import io.ringkernel.compiler.ir.Constant;
import io.ringkernel.compiler.ir.Instruction;
import io.ringkernel.compiler.ir.Label;
import io.ringkernel.compiler.ir.MemoryType;
import io.ringkernel.compiler.ir.Operator;
import io.ringkernel.compiler.ir.Register;
import io.ringkernel.compiler.ir.RegisterType;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which branches are joined.
 */
class ChecksTests {

	private final Code code = new Code();

	private final Register value = this.code.register(RegisterType.INT);

	private final Label failure = new Label();

	@Test
	void checksThatLeadToOnePlaceAreOneBranch() {
		check(this.failure);
		this.code.binary(Operator.ADD, this.value, this.value);
		check(this.failure);
		check(this.failure);
		assertThat(branches(Checks.joined(this.code, this.code.cut(0)))).isEqualTo(1);
	}

	@Test
	void aLoadIsMadeOnceTheChecksInFrontOfItHold() {
		Register array = this.code.register(RegisterType.ADDRESS);
		check(this.failure);
		this.code.add(new Instruction.Load(MemoryType.INT, this.value, array, 0, true));
		check(this.failure);
		List<Instruction> joined = Checks.joined(this.code, this.code.cut(0));
		assertThat(branches(joined)).isEqualTo(2);
		assertThat(joined.get(1)).isInstanceOf(Instruction.Branch.class);
		assertThat(joined.get(2)).isInstanceOf(Instruction.Load.class);
	}

	@Test
	void checksThatLeadToTwoPlacesAreTwoBranches() {
		check(this.failure);
		check(new Label());
		assertThat(branches(Checks.joined(this.code, this.code.cut(0)))).isEqualTo(2);
	}

	@Test
	void conditionsOfALoopAreJoinedIfNothingLiesBetween() {
		check(this.failure);
		check(this.failure);
		Checks.join(this.code);
		assertThat(branches(this.code.instructions())).isEqualTo(1);
	}

	@Test
	void whatCodeElsewhereMayReadIsNotComputedTooEarly() {
		check(this.failure);
		this.code.add(new Instruction.Move(this.value, Constant.of(1)));
		check(this.failure);
		Checks.join(this.code);
		assertThat(branches(this.code.instructions())).isEqualTo(2);
	}

	private void check(Label to) {
		this.code.add(new Instruction.Branch(this.code.compare(Comparison.LT, this.value, Constant.ZERO), true, to));
	}

	private static long branches(List<Instruction> instructions) {
		return instructions.stream().filter(Instruction.Branch.class::isInstance).count();
	}

}
