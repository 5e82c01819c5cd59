package io.ringkernel.compiler.ir;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is known of the values of registers.
 */
class BoundsTests {

	private final Code code = new Code();

	private final Bounds bounds = new Bounds(this.code);

	@Test
	@Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
	void whatIsReadTwiceIsFollowedOnce() {
		Register sum = this.code.binary(Operator.AND, this.code.register(Type.INT), Constant.of(1));
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
