package io.ringkernel.backend;

import org.jspecify.annotations.Nullable;

/**
 * The contexts of the requests in flight, by slot.
 * <p>
 * The slots are plain, and ordered by the ring: a context is put before its request is
 * published, and taken by the worker that has seen that. The worker takes it before it
 * answers, so a slot that is given back holds none.
 *
 * @since 0.2.0
 */
public final class CapturedContexts {

	private static final RequestContext.Scope NOTHING = () -> {
	};

	private final @Nullable RequestContext context;

	private final @Nullable Object[] slots;

	private volatile boolean open;

	/**
	 * Creates the contexts of a ring.
	 * @param context what captures and restores them; {@code null} if the kernel has
	 * nothing of that kind, which then costs nothing
	 * @param slots the slots of the ring
	 */
	public CapturedContexts(@Nullable RequestContext context, int slots) {
		this.context = context;
		this.slots = new Object[(context != null) ? slots : 0];
	}

	/** Has contexts captured from now on; called by a loop that restores them. */
	public void open() {
		this.open = true;
	}

	/**
	 * Captures the context of the current thread; called before a position is claimed.
	 * @return the context; {@code null} if there is none, or no loop restores it
	 */
	public @Nullable Object capture() {
		RequestContext own = this.context;
		return (own != null && this.open) ? own.capture() : null;
	}

	/**
	 * Puts a context into a slot, before its claimer publishes the request.
	 * @param slot the slot
	 * @param captured what {@link #capture} returned
	 */
	@SuppressWarnings("ReferenceEquality") // What is stored is the object itself.
	public void put(int slot, @Nullable Object captured) {
		if (this.context != null && (captured != null || this.slots[slot] != null)) {
			this.slots[slot] = captured;
		}
	}

	/**
	 * Takes the context out of a slot; called by the worker that has taken its request.
	 * @param slot the slot
	 * @return the context, or {@code null}
	 */
	public @Nullable Object take(int slot) {
		if (this.context == null) {
			return null;
		}
		Object captured = this.slots[slot];
		if (captured != null) {
			this.slots[slot] = null;
		}
		return captured;
	}

	/**
	 * Restores a context on the current thread.
	 * @param captured what {@link #take} returned
	 * @return what puts the thread's own context back
	 */
	public RequestContext.Scope restore(@Nullable Object captured) {
		return (this.context != null && captured != null) ? this.context.restore(captured) : NOTHING;
	}

}
