package io.ringkernel.sample.web;

import io.ringkernel.RequestLostException;
import org.junit.jupiter.api.Test;

import org.springframework.http.ProblemDetail;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ProblemAdvice}, of what {@link KernelFailureHttpTests} cannot make
 * happen without a device.
 */
class ProblemAdviceTests {

	@Test
	void aLostRequestMayBeSentAgain() {
		ProblemDetail problem = new ProblemAdvice().lost(new RequestLostException("faulty", 7));
		assertThat(problem.getStatus()).isEqualTo(503);
		assertThat(problem.getDetail()).contains("'faulty' is lost", "Send it again");
	}

}
