package io.ringkernel.compiler.pass;

import io.ringkernel.compiler.ir.Code;
import io.ringkernel.compiler.ir.Constant;
import io.ringkernel.compiler.ir.Instruction;
import io.ringkernel.compiler.ir.Operator;
import io.ringkernel.compiler.ir.Register;
import io.ringkernel.compiler.ir.RegisterType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is known of the values of registers.
 */
class BoundsTests {

	private final Code code = new Code();

	private final Bounds bounds = new Bounds(this.code);

	private final Register length = this.code.register(RegisterType.INT);

	BoundsTests() {
		this.bounds.know(this.length, 1000);
	}

	@Test
	void aConstantIsItsOwnBound() {
		assertThat(this.bounds.greatest(Constant.of(7))).isEqualTo(7);
	}

	@Test
	void nothingIsKnownOfARegisterThatIsLoaded() {
		assertThat(this.bounds.greatest(this.code.register(RegisterType.INT))).isEqualTo(Integer.MAX_VALUE);
	}

	@Test
	void aCopyHasTheBoundOfWhatItIsCopiedFrom() {
		assertThat(this.bounds.greatest(this.code.copy(this.length))).isEqualTo(1000);
	}

	@Test
	void ofSeveralWritesTheGreatestCounts() {
		Register either = this.code.copy(this.length);
		this.code.move(either, Constant.of(1001));
		assertThat(this.bounds.greatest(either)).isEqualTo(1001);
	}

	@Test
	void arithmeticIsDoneWithBothEnds() {
		Register negative = this.code.binary(Operator.SUB, Constant.of(-5), this.length);
		assertThat(this.bounds.greatest(negative)).isEqualTo(-5);
		assertThat(this.bounds.greatest(this.code.binary(Operator.MUL, negative, Constant.of(-3)))).isEqualTo(3015);
		assertThat(this.bounds.greatest(this.code.binary(Operator.DIV, this.length, Constant.of(3)))).isEqualTo(333);
		assertThat(this.bounds.greatest(this.code.binary(Operator.DIV, this.length, negative))).isEqualTo(1000);
		assertThat(this.bounds.greatest(this.code.binary(Operator.REM, this.length, Constant.of(-64)))).isEqualTo(63);
		assertThat(this.bounds.greatest(this.code.binary(Operator.REM, negative, Constant.of(64)))).isZero();
		assertThat(this.bounds.greatest(this.code.binary(Operator.SHL, this.length, Constant.of(2)))).isEqualTo(4000);
		assertThat(this.bounds.greatest(this.code.binary(Operator.SHR, this.length, Constant.of(2)))).isEqualTo(250);
		assertThat(this.bounds.greatest(this.code.binary(Operator.USHR, this.length, Constant.of(1)))).isEqualTo(500);
		assertThat(this.bounds.greatest(this.code.binary(Operator.USHR, negative, Constant.of(28)))).isEqualTo(15);
		assertThat(this.bounds.least(this.code.binary(Operator.USHR, negative, Constant.of(1)))).isZero();
		assertThat(this.bounds.greatest(this.code.binary(Operator.USHR, negative, Constant.ZERO))).isEqualTo(-5);
		assertThat(this.bounds.greatest(this.code.unary(Operator.NEG, negative))).isEqualTo(1005);
		assertThat(this.bounds.least(this.code.unary(Operator.NEG, this.length))).isEqualTo(-1000);
		assertThat(this.bounds.greatest(this.code.binary(Operator.MAX, negative, Constant.of(9)))).isEqualTo(9);
	}

	@Test
	void aSmallerOperandBoundsAnUnknownOne() {
		Register unknown = this.code.register(RegisterType.INT);
		assertThat(this.bounds.greatest(this.code.binary(Operator.MIN, unknown, this.length))).isEqualTo(1000);
		assertThat(this.bounds.greatest(this.code.binary(Operator.AND, unknown, Constant.of(31)))).isEqualTo(31);
		assertThat(this.bounds.greatest(this.code.binary(Operator.AND, unknown, Constant.of(-32))))
			.isEqualTo(Integer.MAX_VALUE);
	}

	@Test
	void aResultThatMayOverflowHasNoBound() {
		Register product = this.code.binary(Operator.MUL, this.length, Constant.of(3_000_000));
		assertThat(this.bounds.greatest(product)).isEqualTo(Integer.MAX_VALUE);
		Register unknown = this.code.register(RegisterType.INT);
		Register sum = this.code.binary(Operator.ADD, unknown, Constant.of(-1));
		assertThat(this.bounds.greatest(sum)).isEqualTo(Integer.MAX_VALUE);
		assertThat(this.bounds.least(this.code.unary(Operator.NEG, unknown))).isEqualTo(Integer.MIN_VALUE);
	}

	@Test
	void theVariableOfALoopHasNoBound() {
		Register count = this.code.copy(Constant.ZERO);
		this.code.add(new Instruction.Binary(Operator.ADD, count, count, Constant.of(1)));
		assertThat(this.bounds.greatest(count)).isEqualTo(Integer.MAX_VALUE);
	}

	@Test
	@Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
	void whatIsReadTwiceIsFollowedOnce() {
		Register sum = this.code.binary(Operator.AND, this.code.register(RegisterType.INT), Constant.of(1));
		for (int i = 0; i < 40; i++) {
			sum = this.code.binary(Operator.AND, this.code.binary(Operator.ADD, sum, sum), Constant.of(3 << i % 5));
		}
		assertThat(this.bounds.greatest(sum)).isEqualTo(3 << 4);
		assertThat(this.bounds.least(sum)).isZero();
	}

	@Test
	void ofWhatDependsOnItselfNothingIsKnown() {
		Register index = this.code.copy(Constant.ZERO);
		Register next = this.code.binary(Operator.ADD, index, Constant.of(1));
		this.code.move(index, next);
		assertThat(this.bounds.greatest(next)).isEqualTo(Integer.MAX_VALUE);
		assertThat(this.bounds.greatest(this.code.binary(Operator.MIN, next, Constant.of(7)))).isEqualTo(7);
	}

}
