package io.ringkernel.cuda;

import java.util.List;

import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;

/**
 * An application that runs a kernel on the CPU and ends, although a device could run
 * kernels. {@link RedeploymentTests} loads it in a class loader of its own.
 */
public final class RedeployedApplication implements Runnable {

	@Override
	public void run() {
		try (RingKernelRuntime runtime = RingKernelRuntime.open(new PlanRequest(BackendKind.CPU, null, null),
				List.of(new CudaBackendProvider(), new CpuBackendProvider()))) {
			Kernel<Number, Number> kernel = runtime.define(
					KernelSpec.of("number", Number.class, Number.class, (request) -> request, KernelOptions.DEFAULTS));
			kernel.launch();
			kernel.activate();
			Number answer = kernel.client().submit(new Number(7)).join();
			if (answer.value() != 7) {
				throw new IllegalStateException("The kernel answered " + answer);
			}
			kernel.terminate();
		}
	}

	public record Number(int value) {
	}

}
