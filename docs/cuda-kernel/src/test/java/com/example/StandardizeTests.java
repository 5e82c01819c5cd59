package com.example;

import io.ringkernel.runtime.Kernel;
import io.ringkernel.spring.boot.test.autoconfigure.AutoConfigurePtxMachine;
import io.ringkernel.spring.boot.test.autoconfigure.RingKernelTest;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;

import static io.ringkernel.test.RingKernelAssertions.assertThat;

@RingKernelTest(Standardize.class)
@AutoConfigurePtxMachine
class StandardizeTests {

	@Autowired
	private Kernel<StandardizeRequest, StandardizeResponse> standardize;

	@Test
	void imageAnswersAsTheHandlerDoes() {
		assertThat(this.standardize).failingWithoutDevice()
			.withRelativeTolerance(1e-4)
			.withAbsoluteTolerance(1e-5)
			.agreesWithItsHandlerOn(values(2), values(33), values(4096), new StandardizeRequest(new float[0]));
	}

	private static StandardizeRequest values(int size) {
		float[] values = new float[size];
		for (int i = 0; i < size; i++) {
			values[i] = 10 + i % 7;
		}
		return new StandardizeRequest(values);
	}

}
