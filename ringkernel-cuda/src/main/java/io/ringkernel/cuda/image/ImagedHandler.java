package io.ringkernel.cuda.image;

import io.ringkernel.RingKernelHandler;

/**
 * A handler with its image, which another process has read or compiled. A kernel with
 * such a handler has this image, whatever location it names.
 *
 * @param <I> the request
 * @param <O> the response
 * @param handler the handler
 * @param image its image
 * @since 0.2.0
 */
public record ImagedHandler<I extends Record, O extends Record>(RingKernelHandler<I, O> handler,
		KernelImage image) implements RingKernelHandler<I, O> {

	@Override
	public O handle(I request) throws Exception {
		return this.handler.handle(request);
	}

}
