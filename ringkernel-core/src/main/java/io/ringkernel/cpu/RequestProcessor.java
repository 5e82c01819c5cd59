package io.ringkernel.cpu;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

import io.ringkernel.RingKernelHandler;
import io.ringkernel.backend.AnswerBell;
import io.ringkernel.backend.CapturedContexts;
import io.ringkernel.backend.HandlerFailures;
import io.ringkernel.backend.KernelRegion;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.backend.RequestContext;
import io.ringkernel.backend.RequestTimestamps;
import io.ringkernel.control.ControlBlock;
import io.ringkernel.control.WorkerState;
import io.ringkernel.message.MessageLayout;
import io.ringkernel.ring.DeviceRing;
import io.ringkernel.ring.MessageKind;
import io.ringkernel.ring.RingLayout;
import io.ringkernel.ring.order.ServingOrder;
import org.jspecify.annotations.Nullable;

/**
 * Takes the next request from the ring, has it handled and answers it.
 * <p>
 * Workers compete for the next turn and take it only when its request is there. So a
 * worker that is busy holds up nothing but its own request.
 * <p>
 * <strong>A ring that another loop has served</strong> says by itself what is unanswered:
 * a slot with the tag of a request and without that of its response. The
 * {@link ServingOrder} is taken when this loop is loaded, and begins with these.
 */
final class RequestProcessor<I extends Record, O extends Record> {

	private static final String NO_RESPONSE = "The handler returned null; it must return a response or throw";

	private final RingKernelHandler<I, O> handler;

	private final MessageLayout<I> requests;

	private final MessageLayout<O> responses;

	private final DeviceRing ring;

	private final RingLayout layout;

	private final ControlBlock control;

	private final ServingOrder order;

	/** The turn of the position that is taken next. */
	private final AtomicLong turn = new AtomicLong();

	private final RequestTimestamps timestamps;

	private final CapturedContexts contexts;

	private final HandlerFailures failures;

	private final AnswerBell bell;

	private final HandlerInterrupts interrupts;

	RequestProcessor(KernelSpec<I, O> kernel, KernelRegion region) {
		this.handler = kernel.handler();
		this.requests = kernel.requests();
		this.responses = kernel.responses();
		this.layout = region.ring();
		this.control = region.control();
		this.ring = new DeviceRing(region.memory().buffer(), this.layout, kernel.options().workers());
		this.order = ServingOrder.of(region.host());
		this.timestamps = region.notes().timestamps();
		this.contexts = region.notes().contexts();
		this.failures = region.notes().failures();
		this.bell = region.notes().bell();
		this.interrupts = new HandlerInterrupts(kernel.options().workers());
	}

	/** How many turns are over: each is that of one position. */
	long turn() {
		return this.turn.get();
	}

	/** Whether there is something at the next position, which no worker has begun. */
	boolean hasWork() {
		return isThere(this.turn.get());
	}

	/** How many requests lie one behind the other that no worker has begun. */
	int countWaiting(int most) {
		long first = this.turn.get();
		int count = 0;
		while (count < most && isThere(first + count)) {
			count++;
		}
		return count;
	}

	private boolean isThere(long turn) {
		return this.ring.poll(this.order.position(turn)) != DeviceRing.RequestState.ABSENT;
	}

	/** Answers the next request and returns {@code true}, if it is there. */
	boolean processNext(int worker) {
		while (true) {
			long next = this.turn.get();
			long position = this.order.position(next);
			DeviceRing.RequestState state = this.ring.poll(position);
			if (state == DeviceRing.RequestState.ABSENT) {
				return false;
			}
			// Turns only grow: if it is still this one, what was seen here still holds.
			if (this.turn.compareAndSet(next, next + 1) && state != DeviceRing.RequestState.SKIPPED) {
				process(worker, position, state);
				return true;
			}
		}
	}

	private void process(int worker, long position, DeviceRing.RequestState state) {
		int slot = this.layout.slot(position);
		Object captured = this.contexts.take(slot);
		this.failures.forget(slot);
		if (state == DeviceRing.RequestState.PRESENT) {
			this.control.workerState(worker, WorkerState.HANDLING);
			this.timestamps.begin(slot);
			handle(worker, position, captured);
			this.control.workerState(worker, WorkerState.POLLING);
		}
		else {
			this.ring.answer(position, MessageKind.WITHDRAWN, 0);
		}
		// Behind the answer: a bridge looks for answers when the count has changed.
		this.control.processed(worker);
		this.bell.answered(slot);
	}

	// A handler, and the records it is given and returns, may throw anything, for lack of
	// memory or stack as well; whatever it is fails this request and no other. What
	// catches it allocates nothing.
	private void handle(int worker, long position, @Nullable Object captured) {
		MessageKind failed = MessageKind.INVALID_REQUEST;
		try {
			I request = this.ring.request(position, worker, this.requests);
			failed = MessageKind.HANDLER_FAILED;
			O response = Objects.requireNonNull(handled(worker, position, request, captured), NO_RESPONSE);
			this.timestamps.end(this.layout.slot(position));
			failed = MessageKind.INVALID_RESPONSE;
			// Publishes as its last step, which cannot fail.
			this.ring.answer(position, worker, response, this.responses);
		}
		catch (Throwable ex) {
			fail(worker, position, failed, ex);
		}
	}

	private @Nullable O handled(int worker, long position, I request, @Nullable Object captured) throws Exception {
		RequestContext.Scope context = this.contexts.restore(captured);
		try {
			return interruptibly(worker, position, request);
		}
		finally {
			context.close();
		}
	}

	/** Has a request handled, unless it was withdrawn a moment ago. */
	private @Nullable O interruptibly(int worker, long position, I request) throws Exception {
		this.interrupts.begin(worker, position);
		try {
			return this.ring.isWithdrawn(position) ? null : this.handler.handle(request);
		}
		finally {
			this.interrupts.end(worker, position);
			// The handler may have set it itself.
			Thread.interrupted();
		}
	}

	/**
	 * Answers a request that failed. If it was withdrawn meanwhile, nobody waits for the
	 * failure, and the withdrawal may have caused it.
	 */
	private void fail(int worker, long position, MessageKind kind, Throwable cause) {
		this.timestamps.end(this.layout.slot(position));
		if (this.ring.isWithdrawn(position)) {
			this.ring.answer(position, MessageKind.WITHDRAWN, 0);
			return;
		}
		this.failures.note(this.layout.slot(position), cause);
		this.control.failed(worker);
		this.ring.answer(position, kind, 0);
	}

	void interrupt(long position) {
		this.interrupts.interrupt(position);
	}

}
