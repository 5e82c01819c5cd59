package io.ringkernel.cuda.host;

import io.ringkernel.RingKernelHandler;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.cuda.host.server.HostServer;

/**
 * A handler that keeps more than what crosses the socket of a kernel host at a time, and
 * a host that runs it on the CPU.
 */
public final class Histogram implements RingKernelHandler<Histogram.Value, Histogram.Value> {

	/** More than one piece of a snapshot, and no multiple of what crosses the socket. */
	static final int BUCKETS = 600_001;

	private final long[] counts = new long[BUCKETS];

	private int total;

	public record Value(long value) {
	}

	static KernelSpec<Value, Value> kernel() {
		return KernelSpec.of("histogram", Value.class, Value.class, new Histogram(),
				KernelOptions.builder().workers(1).build());
	}

	/** How often the value was sent, and how many values were, as one number. */
	@Override
	public Value handle(Value request) {
		this.total++;
		return new Value(1_000 * ++this.counts[(int) request.value()] + this.total);
	}

	@SuppressWarnings("unchecked")
	public static void main(String[] arguments) {
		HostServer.run(arguments, new CpuBackendProvider(),
				(id) -> (RingKernelHandler<Record, Record>) (RingKernelHandler<?, ?>) new Histogram());
	}

}
