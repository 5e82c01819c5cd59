package io.ringkernel.models;

import java.time.Duration;
import java.util.List;

import io.ringkernel.backend.BackendProvider;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.models.kernel.ScoreRequest;
import io.ringkernel.models.kernel.ScoreResponse;
import io.ringkernel.models.kernel.TreeEnsembleHandler;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;

/**
 * An ensemble and its kernel, while it is open.
 */
public final class RunningEnsemble implements AutoCloseable {

	private final RingKernelRuntime runtime;

	private final TreeEnsemble ensemble;

	private RunningEnsemble(Model model, TreeEnsembleHandler handler, BackendKind backend, BackendProvider provider,
			KernelOptions options) {
		this.runtime = RingKernelRuntime.open(new PlanRequest(backend, null, null), List.of(provider));
		Kernel<ScoreRequest, ScoreResponse> kernel = this.runtime
			.define(KernelSpec.of("model-test", ScoreRequest.class, ScoreResponse.class, handler, options));
		kernel.launch();
		kernel.activate();
		this.ensemble = new TreeEnsemble("test", kernel, model, capacity(model), false);
	}

	private static int capacity(Model model) {
		return 4 * model.image().length();
	}

	private static TreeEnsembleHandler handler(Model model) {
		return new TreeEnsembleHandler(model.image(), capacity(model));
	}

	public static RunningEnsemble onCpu(Model model) {
		return onCpu(model, handler(model));
	}

	/** The kernel has room for the model, and not the model. */
	static RunningEnsemble withoutModelOnCpu(Model model) {
		return onCpu(model, new TreeEnsembleHandler(capacity(model)));
	}

	private static RunningEnsemble onCpu(Model model, TreeEnsembleHandler handler) {
		return new RunningEnsemble(model, handler, BackendKind.CPU, new CpuBackendProvider(),
				KernelOptions.builder().workers(4).build());
	}

	public static RunningEnsemble on(BackendProvider device, Model model) {
		return new RunningEnsemble(model, handler(model), BackendKind.CUDA, device,
				KernelOptions.builder().workers(2).threadsPerWorker(64).requestTimeout(Duration.ofMinutes(2)).build());
	}

	public TreeEnsemble ensemble() {
		return this.ensemble;
	}

	@Override
	public void close() {
		this.runtime.close();
	}

}
