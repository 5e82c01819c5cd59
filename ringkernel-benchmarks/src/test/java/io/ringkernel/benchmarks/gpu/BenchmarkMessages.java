package io.ringkernel.benchmarks.gpu;

import io.ringkernel.Capacity;
import io.ringkernel.Length;

/**
 * The messages of the kernels in {@code native/kernels/benchmark}.
 */
final class BenchmarkMessages {

	static final int LARGE_CAPACITY = 1 << 20;

	/** The most payloads of a frame. */
	static final int FRAME_CAPACITY = 256;

	private BenchmarkMessages() {
	}

	record Payload(long a, long b, long c, long d, long e, long f, long g, long h) {

		static Payload of(long i) {
			return new Payload(i, i + 1, i + 2, i + 3, i + 4, i + 5, i + 6, i + 7);
		}

	}

	record PayloadFrame(@Capacity(FRAME_CAPACITY) Payload[] payloads) {
	}

	record Payload256(@Length(32) long[] values) {
	}

	record VectorAddRequest(@Capacity(4096) float[] a, @Capacity(4096) float[] b) {
	}

	record VectorAddResponse(@Capacity(4096) float[] sum) {
	}

	record LargeVectorAddRequest(@Capacity(LARGE_CAPACITY) float[] a, @Capacity(LARGE_CAPACITY) float[] b) {
	}

	record LargeVectorAddResponse(@Capacity(LARGE_CAPACITY) float[] sum) {
	}

	static VectorAddResponse add(VectorAddRequest request) {
		return new VectorAddResponse(sum(request.a(), request.b()));
	}

	static LargeVectorAddResponse addLarge(LargeVectorAddRequest request) {
		return new LargeVectorAddResponse(sum(request.a(), request.b()));
	}

	static float[] vector(int size) {
		float[] vector = new float[size];
		for (int i = 0; i < size; i++) {
			vector[i] = i;
		}
		return vector;
	}

	private static float[] sum(float[] a, float[] b) {
		float[] sum = new float[a.length];
		for (int i = 0; i < sum.length; i++) {
			sum[i] = a[i] + b[i];
		}
		return sum;
	}

}
