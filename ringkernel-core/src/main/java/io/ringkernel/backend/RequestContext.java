package io.ringkernel.backend;

import org.jspecify.annotations.Nullable;

/**
 * Carries what a caller's thread knows, such as a trace or the diagnostic context of its
 * log, to the handler of its request. Handlers in Java see it; a kernel on a device has
 * no threads to restore it on.
 *
 * @since 0.2.0
 */
public interface RequestContext {

	/**
	 * Captures the context of the current thread. Called on the thread that sends a
	 * request, before it is sent; what it throws reaches the caller, and nothing is sent.
	 * @return the context, for {@link #restore}; {@code null} if there is none to carry
	 */
	@Nullable Object capture();

	/**
	 * Restores a context on the current thread. Called on the thread of a worker, around
	 * the handler of that one request; what it throws fails the request as if the handler
	 * had thrown it.
	 * @param captured what {@link #capture} returned
	 * @return what puts the worker's own context back
	 */
	Scope restore(Object captured);

	/** While it is open, a worker has the context of a request. */
	@FunctionalInterface
	interface Scope extends AutoCloseable {

		/** Puts the worker's own context back. Called on the same thread. */
		@Override
		void close();

	}

}
