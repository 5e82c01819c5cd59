package io.ringkernel.conformance;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

import io.ringkernel.RingKernelHandler;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;

/**
 * The kernels of the suite as Java handlers.
 */
public class CpuTestKernels implements TestKernels {

	@Override
	public KernelSpec<Echo, Echo> echo(KernelOptions options) {
		return kernel("echo", Echo.class, Echo.class, (request) -> request, options);
	}

	@Override
	public KernelSpec<VectorAddRequest, VectorAddResponse> vectorAdd(KernelOptions options) {
		return kernel("vector-add", VectorAddRequest.class, VectorAddResponse.class, (request) -> {
			float[] sum = new float[request.a().length];
			for (int i = 0; i < sum.length; i++) {
				sum[i] = request.a()[i] + request.b()[i];
			}
			return new VectorAddResponse(sum);
		}, options);
	}

	@Override
	public KernelSpec<Blob, BlobReply> blob(KernelOptions options) {
		return kernel("blob", Blob.class, BlobReply.class, (request) -> new BlobReply(request.producer(),
				request.sequence(), Blob.checksum(request.bytes()), request.bytes()), options);
	}

	@Override
	public KernelSpec<Slow, Slow> slow(KernelOptions options) {
		return kernel("slow", Slow.class, Slow.class, (request) -> {
			long end = System.nanoTime() + TimeUnit.MICROSECONDS.toNanos(request.micros());
			for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
				LockSupport.parkNanos(left);
				if (Thread.interrupted()) {
					throw new InterruptedException();
				}
			}
			return request;
		}, options);
	}

	@Override
	public KernelSpec<Failing, Failing> failing(KernelOptions options) {
		return kernel("failing", Failing.class, Failing.class, (request) -> {
			if (request.code() != 0) {
				throw new IllegalStateException("asked to fail with " + request.code());
			}
			return request;
		}, options);
	}

	@Override
	public KernelSpec<Counter, Counted> counter(KernelOptions options) {
		AtomicLong order = new AtomicLong();
		return kernel("counter", Counter.class, Counted.class,
				(request) -> new Counted(request.producer(), request.sequence(), order.getAndIncrement()), options);
	}

	@Override
	public KernelSpec<Blob, BlobReply> sparse(KernelOptions options) {
		return kernel("sparse", Blob.class, BlobReply.class, (request) -> {
			byte[] bytes = new byte[request.bytes().length];
			for (int i = (int) (request.sequence() % 2); i < bytes.length; i += 2) {
				bytes[i] = request.bytes()[i];
			}
			return new BlobReply(0, 0, 0, bytes);
		}, options);
	}

	@Override
	public KernelSpec<Counter, Counted> ledger(KernelOptions options) {
		long[] next = new long[1];
		return kernel("ledger", Counter.class, Counted.class,
				(request) -> new Counted(request.producer(), request.sequence(), next[0]++), options);
	}

	@Override
	public KernelSpec<Ticks, Quotes> quoting(KernelOptions options) {
		return kernel("quoting", Ticks.class, Quotes.class, (request) -> {
			Tick[] ticks = request.ticks();
			Quote[] quotes = new Quote[ticks.length];
			for (int i = 0; i < ticks.length; i++) {
				if (ticks[i].code() != 0) {
					throw new IllegalStateException("asked to fail with " + ticks[i].code());
				}
				quotes[i] = Quote.of(ticks[i]);
			}
			return new Quotes(quotes);
		}, options);
	}

	private <I extends Record, O extends Record> KernelSpec<I, O> kernel(String id, Class<I> requests,
			Class<O> responses, RingKernelHandler<I, O> handler, KernelOptions options) {
		return installed(KernelSpec.of(id, requests, responses, handler, options));
	}

	/**
	 * Puts a kernel where the backend that is tested finds it.
	 */
	protected <I extends Record, O extends Record> KernelSpec<I, O> installed(KernelSpec<I, O> spec) {
		return spec;
	}

	@Override
	public int reportedCode(int code) {
		return 0;
	}

}
