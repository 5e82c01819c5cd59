package io.ringkernel.test;

import java.util.List;
import java.util.Map;

import io.ringkernel.RingKernelHandler;
import io.ringkernel.backend.Backend;
import io.ringkernel.backend.BackendProvider;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.cpu.CpuBackend;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.ExecutionPlan;
import io.ringkernel.platform.PlanOffer;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.platform.Transport;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;

/**
 * A runtime with one kernel, which is active.
 */
final class TestRuntime<I extends Record, O extends Record> implements AutoCloseable {

	private final RingKernelRuntime runtime;

	private final Kernel<I, O> kernel;

	private TestRuntime(RingKernelRuntime runtime, KernelSpec<I, O> spec) {
		this.runtime = runtime;
		this.kernel = runtime.define(spec);
		this.kernel.launch();
		this.kernel.activate();
	}

	static <I extends Record, O extends Record> TestRuntime<I, O> onCpu(Class<I> request, Class<O> response,
			RingKernelHandler<I, O> handler) {
		return new TestRuntime<>(RingKernelRuntime.open(PlanRequest.AUTO, List.of(new CpuBackendProvider())),
				spec(request, response, handler, null));
	}

	/**
	 * On something that passes for a device.
	 */
	static <I extends Record, O extends Record> TestRuntime<I, O> onDevice(Class<I> request, Class<O> response,
			RingKernelHandler<I, O> handler) {
		return new TestRuntime<>(RingKernelRuntime.open(PlanRequest.AUTO, List.of(new Device())),
				spec(request, response, handler, "classpath:tested.ptx"));
	}

	private static <I extends Record, O extends Record> KernelSpec<I, O> spec(Class<I> request, Class<O> response,
			RingKernelHandler<I, O> handler, String image) {
		KernelSpec<I, O> spec = KernelSpec.of("tested", request, response, handler,
				KernelOptions.builder().workers(1).build());
		return new KernelSpec<>(spec.id(), spec.requests(), spec.responses(), handler, image, spec.options());
	}

	Kernel<I, O> kernel() {
		return this.kernel;
	}

	@Override
	public void close() {
		this.runtime.close();
	}

	private static final class Device implements BackendProvider {

		@Override
		public BackendKind kind() {
			return BackendKind.CUDA;
		}

		@Override
		public PlanOffer plan(PlanRequest request) {
			return new PlanOffer.Accepted(new ExecutionPlan(BackendKind.CUDA, ExecutionMode.PERSISTENT,
					Transport.MAPPED, List.of("it is there"), Map.of()));
		}

		@Override
		public Backend open(ExecutionPlan plan) {
			return new CpuBackend(plan.mode());
		}

	}

}
