package com.example;

import io.ringkernel.runtime.Kernel;
import io.ringkernel.spring.boot.test.autoconfigure.AutoConfigurePtxMachine;
import io.ringkernel.spring.boot.test.autoconfigure.RingKernelTest;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;

import static io.ringkernel.test.RingKernelAssertions.assertThat;

@RingKernelTest(Saxpy.class)
@AutoConfigurePtxMachine
class SaxpyTests {

	@Autowired
	private Kernel<SaxpyRequest, SaxpyResponse> saxpy;

	@Test
	void kernelAnswersAsItsHandlerDoes() {
		assertThat(this.saxpy).failingWithoutDevice()
			.agreesWithItsHandlerOn(new SaxpyRequest(2, new float[] { 1, 2, 3 }, new float[] { 10, 20, 30 }),
					new SaxpyRequest(-0.5f, new float[4096], new float[4096]),
					new SaxpyRequest(1, new float[0], new float[0]));
	}

	@Test
	void kernelRefusesWhatItsHandlerRefuses() {
		assertThat(this.saxpy).failingWithoutDevice()
			.agreesWithItsHandlerOn(new SaxpyRequest(1, new float[] { 1 }, new float[0]));
	}

}
