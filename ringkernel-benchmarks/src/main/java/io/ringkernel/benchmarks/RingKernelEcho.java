package io.ringkernel.benchmarks;

import io.ringkernel.RingKernelClient;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.platform.Transport;
import io.ringkernel.ring.WaitStrategy;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;

/**
 * A kernel that echoes: one persistent worker of the CPU backend.
 */
final class RingKernelEcho {

	private final RingKernelRuntime runtime;

	private final Kernel<Payload, Payload> kernel;

	private final RingKernelClient<Payload, Payload> client;

	RingKernelEcho(WaitStrategy waitStrategy) {
		this.runtime = RingKernelRuntime
			.open(new PlanRequest(BackendKind.CPU, ExecutionMode.PERSISTENT, Transport.DIRECT));
		this.kernel = this.runtime
			.define(KernelSpec.of("echo", Payload.class, Payload.class, RingKernelEcho::echo, options(waitStrategy)));
		this.kernel.launch();
		this.kernel.activate();
		this.client = this.kernel.client();
	}

	private static KernelOptions options(WaitStrategy waitStrategy) {
		return KernelOptions.builder().workers(1).waitStrategy(waitStrategy).build();
	}

	private static Payload echo(Payload request) {
		return new Payload(request.a(), request.b(), request.c(), request.d(), request.e(), request.f(), request.g(),
				request.h());
	}

	RingKernelRuntime runtime() {
		return this.runtime;
	}

	Kernel<Payload, Payload> kernel() {
		return this.kernel;
	}

	RingKernelClient<Payload, Payload> client() {
		return this.client;
	}

	void close() {
		this.runtime.close();
	}

}
