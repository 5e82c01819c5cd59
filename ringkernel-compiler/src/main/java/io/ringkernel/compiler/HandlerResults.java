package io.ringkernel.compiler;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

import io.ringkernel.RingKernelHandler;
import io.ringkernel.message.MessageLayout;
import org.jspecify.annotations.Nullable;

/**
 * What is made of handlers, each once and for as long as its handler is in use. Handlers
 * are told apart by identity: two that are equal may have other final fields, and each
 * has arrays of its own. One handler may serve kernels of several messages.
 *
 * @param <V> what is made; it does not refer to the handler
 * @since 0.2.0
 */
public final class HandlerResults<V> {

	private final Map<Key, V> results = new HashMap<>();

	private final ReferenceQueue<RingKernelHandler<?, ?>> unused = new ReferenceQueue<>();

	/** Begins without results. */
	public HandlerResults() {
	}

	/**
	 * What was made of a handler. Makes it if this is the first time; if that fails,
	 * keeps nothing.
	 * @param handler the handler
	 * @param requests the layout of its requests
	 * @param responses the layout of its responses
	 * @param made makes it
	 * @return the result
	 */
	public synchronized V of(RingKernelHandler<?, ?> handler, MessageLayout<?> requests, MessageLayout<?> responses,
			Supplier<V> made) {
		for (Reference<?> key = this.unused.poll(); key != null; key = this.unused.poll()) {
			this.results.remove(key);
		}
		Key key = new Key(handler, requests.fingerprint(), responses.fingerprint(), this.unused);
		V known = this.results.get(key);
		if (known == null) {
			known = made.get();
			this.results.put(key, known);
		}
		return known;
	}

	private static final class Key extends WeakReference<RingKernelHandler<?, ?>> {

		private final int hash;

		private final long requests;

		private final long responses;

		Key(RingKernelHandler<?, ?> handler, long requests, long responses,
				ReferenceQueue<RingKernelHandler<?, ?>> unused) {
			super(handler, unused);
			this.hash = System.identityHashCode(handler);
			this.requests = requests;
			this.responses = responses;
		}

		@Override
		public int hashCode() {
			return this.hash;
		}

		/** A key whose handler is gone equals itself alone. */
		@Override
		public boolean equals(@Nullable Object other) {
			if (this == other) {
				return true;
			}
			RingKernelHandler<?, ?> handler = get();
			return handler != null && other instanceof Key key && key.requests == this.requests
					&& key.responses == this.responses && key.refersTo(handler);
		}

	}

}
