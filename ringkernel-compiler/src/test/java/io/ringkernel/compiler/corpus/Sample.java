package io.ringkernel.compiler.corpus;

import java.util.List;

import io.ringkernel.RingKernelHandler;
import io.ringkernel.compiler.CompiledHandler;
import io.ringkernel.compiler.HandlerCompiler;
import io.ringkernel.message.MessageLayout;

/**
 * A handler of the corpus.
 *
 * @param <I> the request
 * @param <O> the response
 * @param handler the handler
 * @param requestType its requests
 * @param responseType its responses
 * @param requests what to ask it
 */
public record Sample<I extends Record, O extends Record>(RingKernelHandler<I, O> handler, Class<I> requestType,
		Class<O> responseType, List<I> requests) {

	/** The name of the handler. That of a lambda has a slash. */
	public String id() {
		return this.handler.getClass().getSimpleName().replace('/', '-');
	}

	/** Compiles it. */
	public CompiledHandler compile() {
		return HandlerCompiler.compile(this.handler, MessageLayout.of(this.requestType),
				MessageLayout.of(this.responseType));
	}

	@Override
	public String toString() {
		return id();
	}

}
