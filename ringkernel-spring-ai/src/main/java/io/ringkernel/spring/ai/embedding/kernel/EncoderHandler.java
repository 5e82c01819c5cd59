package io.ringkernel.spring.ai.embedding.kernel;

import io.ringkernel.RingKernelHandler;
import io.ringkernel.spring.ai.embedding.model.EncoderWeights;

import org.springframework.util.function.SingletonSupplier;

/**
 * The kernel on the CPU: it has the weights of its model in the heap, in single
 * precision, and encodes a text by one thread. On a CUDA device, {@link #IMAGE} takes the
 * place of this class. It rounds the weights, and what is multiplied by them, to half
 * precision, so the vectors of the two differ in the fourth digit.
 *
 * @since 0.2.0
 */
public final class EncoderHandler implements RingKernelHandler<EncoderRequest, EncoderResponse> {

	/** The kernel on a CUDA device, as a resource location. */
	public static final String IMAGE = "classpath:io/ringkernel/spring/ai/embedding/kernel/encoder.ptx";

	/**
	 * The workers unless configured otherwise. As many encode 54,000 texts of 16 tokens a
	 * second, and 32 of them 40,000; 112 are no quicker (H200, 64 callers).
	 */
	public static final int WORKERS = 64;

	/** The threads of a worker that the image is for. */
	public static final int THREADS_PER_WORKER = 512;

	/** On a device, nothing of it is needed. */
	private final SingletonSupplier<HeapEncoder> encoder;

	/**
	 * Creates the handler.
	 * @param weights the model
	 */
	public EncoderHandler(EncoderWeights weights) {
		this.encoder = SingletonSupplier.of(() -> new HeapEncoder(weights, MatrixProducts.QUICKEST));
	}

	@Override
	public EncoderResponse handle(EncoderRequest request) {
		return switch (request.operation()) {
			case ENCODE -> EncoderResponse.of(this.encoder.obtain().encode(request.tokens()));
			// The heap has the model, and keeps nothing that a request could ask for.
			case LOAD -> (request.stamp() == 0) ? EncoderResponse.LOADED : EncoderResponse.STALE;
		};
	}

}
