package io.ringkernel.cpu;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;

import io.ringkernel.RingKernelHandler;
import io.ringkernel.backend.KernelRegion;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.backend.RequestClock;
import io.ringkernel.control.ControlBlock;
import io.ringkernel.control.WorkerState;
import io.ringkernel.message.MessageLayout;
import io.ringkernel.ring.DeviceRing;
import io.ringkernel.ring.ResponseKind;
import io.ringkernel.ring.RingLayout;
import org.jspecify.annotations.Nullable;

/**
 * Takes the next request from the ring, has it handled and answers it.
 * <p>
 * Workers compete for one cursor and take a position only when its request is there. So a
 * worker that is busy holds up nothing but its own request.
 */
final class RequestProcessor<I extends Record, O extends Record> {

	private final RingKernelHandler<I, O> handler;

	private final MessageLayout<I> requests;

	private final MessageLayout<O> responses;

	private final DeviceRing ring;

	private final RingLayout layout;

	private final ControlBlock control;

	private final AtomicLong cursor;

	/** Positions before it may have been answered by a loop before this one. */
	private final long firstOwn;

	private RequestClock clock;

	/**
	 * The exceptions of failed requests, by slot. Set before the answer is published and
	 * taken after it was found, so the answer's tag orders the two.
	 */
	private final AtomicReferenceArray<@Nullable Throwable> failures;

	RequestProcessor(KernelSpec<I, O> kernel, KernelRegion region) {
		this(kernel, region, region.control().startPosition(), region.control().startPosition());
	}

	/**
	 * Goes on with a ring that another loop has left. The window of positions in flight
	 * is as wide as the ring, so everything before it is done.
	 */
	static <I extends Record, O extends Record> RequestProcessor<I, O> takeOver(KernelSpec<I, O> kernel,
			KernelRegion region) {
		long head = region.host().head();
		long oldest = Math.max(region.control().startPosition(), head - region.ring().slots());
		return new RequestProcessor<>(kernel, region, oldest, head);
	}

	private RequestProcessor(KernelSpec<I, O> kernel, KernelRegion region, long position, long firstOwn) {
		this.handler = kernel.handler();
		this.requests = kernel.requests();
		this.responses = kernel.responses();
		this.layout = region.ring();
		this.control = region.control();
		this.ring = new DeviceRing(region.memory().buffer(), this.layout, kernel.options().workers());
		this.cursor = new AtomicLong(position);
		this.firstOwn = firstOwn;
		this.failures = new AtomicReferenceArray<>(this.layout.slots());
		this.clock = new RequestClock(this.layout.slots());
	}

	/**
	 * Set before the first worker starts, which orders it.
	 */
	void time(RequestClock clock) {
		this.clock = clock;
	}

	/**
	 * The position that is taken next.
	 */
	long cursor() {
		return this.cursor.get();
	}

	/**
	 * Whether there is something at the cursor that nobody has begun.
	 */
	boolean hasWork() {
		return this.ring.poll(this.cursor.get()) != DeviceRing.RequestState.ABSENT;
	}

	/**
	 * Answers the next request, if it is there.
	 * @return whether a request was answered
	 */
	boolean processNext(int worker) {
		while (true) {
			long position = this.cursor.get();
			DeviceRing.RequestState state = this.ring.poll(position);
			if (state == DeviceRing.RequestState.ABSENT) {
				return false;
			}
			if (position < this.firstOwn && this.ring.isAnswered(position)) {
				state = DeviceRing.RequestState.VOID;
			}
			// The cursor only grows: if it still stands here, what was seen here still
			// holds.
			if (this.cursor.compareAndSet(position, position + 1) && state != DeviceRing.RequestState.VOID) {
				if (state == DeviceRing.RequestState.PRESENT) {
					this.control.workerState(worker, WorkerState.HANDLING);
					this.clock.begin(this.layout.slot(position));
					handle(worker, position);
					this.control.workerState(worker, WorkerState.POLLING);
				}
				else {
					this.ring.answer(position, ResponseKind.WITHDRAWN, 0);
				}
				this.control.processed(worker);
				return true;
			}
		}
	}

	// A handler, and the records it is given and returns, may throw anything; whatever it
	// is fails this request and no other.
	private void handle(int worker, long position) {
		I request;
		try {
			request = this.ring.request(position, worker, this.requests);
		}
		catch (Throwable ex) {
			// Corrupt, or a record whose class or constructor fails with an error.
			fail(worker, position, ResponseKind.INVALID_REQUEST, ex);
			return;
		}
		O response;
		try {
			response = this.handler.handle(request);
		}
		catch (Throwable ex) {
			fail(worker, position, ResponseKind.HANDLER_FAILED, ex);
			return;
		}
		answer(worker, position, response);
	}

	private void answer(int worker, long position, @Nullable O response) {
		if (response == null) {
			fail(worker, position, ResponseKind.HANDLER_FAILED,
					new NullPointerException("The handler returned null; it must return a response or throw"));
			return;
		}
		this.clock.end(this.layout.slot(position));
		try {
			this.ring.answer(position, worker, response, this.responses);
		}
		catch (Throwable ex) {
			// Invalid, or an accessor of the record throws. Nothing was published: that
			// is the last step and cannot fail.
			fail(worker, position, ResponseKind.INVALID_RESPONSE, ex);
		}
	}

	private void fail(int worker, long position, ResponseKind kind, Throwable cause) {
		this.clock.end(this.layout.slot(position));
		this.failures.set(this.layout.slot(position), cause);
		this.control.failed(worker);
		this.ring.answer(position, kind, 0);
	}

	@Nullable Throwable takeFailure(int slot) {
		return this.failures.getAndSet(slot, null);
	}

}
