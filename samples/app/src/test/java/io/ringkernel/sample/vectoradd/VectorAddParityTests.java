package io.ringkernel.sample.vectoradd;

import java.util.Random;
import java.util.stream.IntStream;

import io.ringkernel.runtime.Kernel;
import io.ringkernel.spring.boot.test.autoconfigure.AutoConfigurePtxMachine;
import io.ringkernel.spring.boot.test.autoconfigure.RingKernelTest;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;

import static io.ringkernel.test.RingKernelAssertions.assertThat;

/**
 * What the handler is compiled to for a device adds as the handler does on the CPU.
 * Nothing is tolerated.
 */
@RingKernelTest(VectorAdd.class)
@AutoConfigurePtxMachine
class VectorAddParityTests {

	@Autowired
	private Kernel<VectorAddRequest, VectorAddResponse> vectorAdd;

	@Test
	void vectorsOfEveryLengthUpToTheFirstWarps() {
		Random random = new Random(1);
		assertThat(this.vectorAdd).failingWithoutDevice()
			.agreesWithItsHandlerOn(
					IntStream.rangeClosed(0, 100).mapToObj((length) -> request(random, length)).toList());
	}

	@Test
	void vectorsOfTheLargestLength() {
		assertThat(this.vectorAdd).failingWithoutDevice()
			.agreesWithItsHandlerOn(request(new Random(2), VectorAddRequest.MAX_ELEMENTS));
	}

	@Test
	void numbersAtTheEdgesOfFloat() {
		float[] edges = { 0, -0f, Float.MIN_VALUE, Float.MIN_NORMAL, Float.MAX_VALUE, Float.POSITIVE_INFINITY,
				Float.NEGATIVE_INFINITY, Float.NaN };
		assertThat(this.vectorAdd).failingWithoutDevice()
			.agreesWithItsHandlerOn(
					IntStream.range(0, edges.length).mapToObj((shift) -> request(edges, shift)).toList());
	}

	private static VectorAddRequest request(Random random, int length) {
		float[] a = new float[length];
		float[] b = new float[length];
		for (int i = 0; i < length; i++) {
			a[i] = random.nextFloat(-1e6f, 1e6f);
			b[i] = random.nextFloat(-1, 1);
		}
		return new VectorAddRequest(a, b);
	}

	private static VectorAddRequest request(float[] edges, int shift) {
		float[] shifted = new float[edges.length];
		for (int i = 0; i < edges.length; i++) {
			shifted[i] = edges[(i + shift) % edges.length];
		}
		return new VectorAddRequest(edges, shifted);
	}

}
