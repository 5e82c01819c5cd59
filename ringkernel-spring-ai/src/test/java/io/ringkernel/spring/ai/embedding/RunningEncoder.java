package io.ringkernel.spring.ai.embedding;

import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.message.MessageLayout;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import io.ringkernel.spring.ai.embedding.kernel.EncoderHandler;
import io.ringkernel.spring.ai.embedding.kernel.EncoderRequest;
import io.ringkernel.spring.ai.embedding.kernel.EncoderResponse;
import io.ringkernel.spring.ai.embedding.model.EncoderWeights;

/**
 * A kernel that encodes, while it is open.
 */
final class RunningEncoder implements AutoCloseable {

	private final RingKernelRuntime runtime;

	private final Kernel<EncoderRequest, EncoderResponse> kernel;

	private final EncoderKernel encoder;

	RunningEncoder(BackendKind backend, EncoderWeights weights, int maxTokens, KernelOptions options) {
		this.runtime = RingKernelRuntime.open(new PlanRequest(backend, null, null));
		this.kernel = this.runtime.define(new KernelSpec<>("encoder", MessageLayout.of(EncoderRequest.class),
				MessageLayout.of(EncoderResponse.class), new EncoderHandler(weights), EncoderHandler.IMAGE,
				RingKernelEmbeddingModel.options(options, weights, maxTokens)));
		this.kernel.launch();
		this.kernel.activate();
		this.encoder = new EncoderKernel(this.kernel, weights, maxTokens);
	}

	Kernel<EncoderRequest, EncoderResponse> kernel() {
		return this.kernel;
	}

	EncoderKernel encoder() {
		return this.encoder;
	}

	@Override
	public void close() {
		this.runtime.close();
	}

}
