package io.ringkernel.benchmarks.gpu;

import io.ringkernel.Capacity;
import io.ringkernel.Parallel;
import io.ringkernel.RingKernelHandler;
import io.ringkernel.benchmarks.gpu.BenchmarkMessages.Payload;
import io.ringkernel.benchmarks.gpu.BenchmarkMessages.VectorAddRequest;
import io.ringkernel.benchmarks.gpu.BenchmarkMessages.VectorAddResponse;

/**
 * Handlers that are compiled for the device, and do what images of the same name do.
 */
final class JavaHandlers {

	private JavaHandlers() {
	}

	record Bytes(@Capacity(64) byte[] bytes) {
	}

	record ManyBytes(@Capacity(16 << 20) byte[] bytes) {
	}

	record Count(int count) {
	}

	static final class Small implements RingKernelHandler<Bytes, Count> {

		@Override
		public Count handle(Bytes request) {
			return new Count(request.bytes().length + request.bytes()[0]);
		}

	}

	static final class Large implements RingKernelHandler<ManyBytes, Count> {

		@Override
		public Count handle(ManyBytes request) {
			return new Count(request.bytes().length + request.bytes()[0]);
		}

	}

	static final class Echo implements RingKernelHandler<Payload, Payload> {

		@Override
		public Payload handle(Payload request) {
			return new Payload(request.a(), request.b(), request.c(), request.d(), request.e(), request.f(),
					request.g(), request.h());
		}

	}

	static final class VectorAdd implements RingKernelHandler<VectorAddRequest, VectorAddResponse> {

		@Override
		public VectorAddResponse handle(VectorAddRequest request) {
			float[] sum = new float[request.a().length];
			Parallel.range(sum.length, (i) -> sum[i] = request.a()[i] + request.b()[i]);
			return new VectorAddResponse(sum);
		}

	}

	/** Has a sum added to itself next. */
	static final class Twice implements RingKernelHandler<VectorAddResponse, VectorAddRequest> {

		@Override
		public VectorAddRequest handle(VectorAddResponse request) {
			return new VectorAddRequest(request.sum(), request.sum());
		}

	}

}
