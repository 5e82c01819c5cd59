package com.example

import io.ringkernel.runtime.Kernel
import io.ringkernel.test.RingKernelAssertions
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import org.springframework.beans.factory.annotation.Autowired
import org.springframework.boot.test.context.SpringBootTest

@SpringBootTest
class ScalingTests(
	@Autowired private val scaling: Scaling,
	@Autowired private val scale: Kernel<ScaleRequest, ScaleResponse>,
) {

	@Test
	fun aClientCallsTheKernel() {
		assertThat(scaling.twice(floatArrayOf(1f, 2f))).containsExactly(2f, 4f)
	}

	@Test
	fun theKernelAnswersAsItsHandlerDoes() {
		RingKernelAssertions.assertThat(scale).agreesWithItsHandlerOn(ScaleRequest(3f, floatArrayOf(1f)))
	}

}
