package io.ringkernel.benchmarks;

import io.ringkernel.RingKernelClient;
import io.ringkernel.RingKernelHandler;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.platform.Transport;
import io.ringkernel.ring.WaitStrategy;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;

/** A kernel that echoes: one persistent worker of the CPU backend. */
final class RingKernelEcho<T extends Record> {

	private final RingKernelRuntime runtime;

	private final Kernel<T, T> kernel;

	private final RingKernelClient<T, T> client;

	private RingKernelEcho(Class<T> type, RingKernelHandler<T, T> handler, WaitStrategy waitStrategy) {
		this.runtime = RingKernelRuntime
			.open(new PlanRequest(BackendKind.CPU, ExecutionMode.PERSISTENT, Transport.DIRECT));
		this.kernel = this.runtime.define(KernelSpec.of("echo", type, type, handler, options(waitStrategy)));
		this.kernel.launch();
		this.kernel.activate();
		this.client = this.kernel.client();
	}

	/** A kernel that makes a new record of each it is sent. */
	static RingKernelEcho<Payload> payloads(WaitStrategy waitStrategy) {
		return new RingKernelEcho<>(Payload.class, RingKernelEcho::echo, waitStrategy);
	}

	/** A kernel that sends back the records of each frame. */
	static RingKernelEcho<PayloadFrame> frames(WaitStrategy waitStrategy) {
		return new RingKernelEcho<>(PayloadFrame.class, (frame) -> frame, waitStrategy);
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

	Kernel<T, T> kernel() {
		return this.kernel;
	}

	RingKernelClient<T, T> client() {
		return this.client;
	}

	void close() {
		this.runtime.close();
	}

}
