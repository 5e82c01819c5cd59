package com.example;

import io.ringkernel.runtime.Kernel;
import io.ringkernel.spring.boot.test.autoconfigure.AutoConfigurePtxMachine;
import io.ringkernel.spring.boot.test.autoconfigure.RingKernelTest;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;

import static io.ringkernel.test.RingKernelAssertions.assertThat;

@RingKernelTest(Histogram.class)
@AutoConfigurePtxMachine
class HistogramTests {

	@Autowired
	private Kernel<HistogramRequest, HistogramResponse> histogram;

	@Test
	void stateCountsTheValuesOfAllRequests() {
		assertThat(this.histogram).failingWithoutDevice()
			.usingHandler(new Histogram())
			.agreesWithItsHandlerOn(new HistogramRequest(new byte[] { 1, 1, -1 }),
					new HistogramRequest(new byte[4096]), new HistogramRequest(new byte[0]));
	}

}
