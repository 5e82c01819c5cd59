package io.ringkernel.cuda.host;

import java.util.Map;
import java.util.function.Supplier;

import io.ringkernel.RingKernelHandler;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.conformance.CpuTestKernels;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.cuda.host.server.HostServer;

/**
 * A kernel host whose backend is the CPU: what crosses the socket and the memory is the
 * same, and any machine can run it.
 */
final class CpuHostMain {

	private static final CpuTestKernels KERNELS = new CpuTestKernels();

	private static final KernelOptions OPTIONS = KernelOptions.DEFAULTS;

	private static final Map<String, Supplier<KernelSpec<?, ?>>> BY_ID = Map.of("echo", () -> KERNELS.echo(OPTIONS),
			"vector-add", () -> KERNELS.vectorAdd(OPTIONS), "blob", () -> KERNELS.blob(OPTIONS), "slow",
			() -> KERNELS.slow(OPTIONS), "failing", () -> KERNELS.failing(OPTIONS), "counter",
			() -> KERNELS.counter(OPTIONS), "sparse", () -> KERNELS.sparse(OPTIONS), "ledger",
			() -> KERNELS.ledger(OPTIONS), "quoting", () -> KERNELS.quoting(OPTIONS));

	private CpuHostMain() {
	}

	@SuppressWarnings("unchecked")
	public static void main(String[] arguments) {
		HostServer.run(arguments, new CpuBackendProvider(),
				(id) -> (RingKernelHandler<Record, Record>) BY_ID.get(id).get().handler());
	}

}
