package io.ringkernel.spring.ai;

import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import io.ringkernel.spring.ai.search.SimilarityMetric;
import io.ringkernel.spring.ai.search.VectorSearchHandler;
import io.ringkernel.spring.ai.search.VectorSearchRequest;
import io.ringkernel.spring.ai.search.VectorSearchResponse;

/**
 * A kernel that searches on the CPU, while it is open.
 */
public final class RunningKernel implements AutoCloseable {

	private final RingKernelRuntime runtime = RingKernelRuntime.open(new PlanRequest(BackendKind.CPU, null, null));

	private final Kernel<VectorSearchRequest, VectorSearchResponse> kernel;

	public RunningKernel() {
		this.kernel = this.runtime.define(KernelSpec.of("vector-search", VectorSearchRequest.class,
				VectorSearchResponse.class, new VectorSearchHandler(), KernelOptions.builder().workers(4).build()));
		this.kernel.launch();
		this.kernel.activate();
	}

	public Kernel<VectorSearchRequest, VectorSearchResponse> kernel() {
		return this.kernel;
	}

	/**
	 * What a device does that is lost: the kernel serves on, and knows of nothing.
	 */
	public void loseIndex() {
		this.kernel.client().call(VectorSearchRequest.reset(Long.MAX_VALUE, SimilarityMetric.COSINE, 1));
	}

	@Override
	public void close() {
		this.runtime.close();
	}

}
