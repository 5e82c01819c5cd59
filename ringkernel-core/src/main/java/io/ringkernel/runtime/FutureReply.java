package io.ringkernel.runtime;

import java.util.concurrent.CompletableFuture;

/**
 * A request whose response completes a future.
 */
final class FutureReply<O extends Record> extends PendingReply {

	private final ResponseReceiver<O> receiver;

	private final Delivery delivery;

	private final SessionEnd end;

	private final long deadline;

	private final long timeoutNanos;

	private final CompletableFuture<O> future = new WithdrawingFuture();

	FutureReply(ResponseReceiver<O> receiver, Delivery delivery, SessionEnd end, long position, long deadline,
			long timeoutNanos) {
		super(position);
		this.receiver = receiver;
		this.delivery = delivery;
		this.end = end;
		this.deadline = deadline;
		this.timeoutNanos = timeoutNanos;
	}

	CompletableFuture<O> future() {
		return this.future;
	}

	@Override
	long remaining(long now) {
		return isWaiting() ? this.deadline - now : Long.MAX_VALUE;
	}

	@Override
	void expire() {
		if (abandon()) {
			this.future.completeExceptionally(this.receiver.timedOut(this.timeoutNanos));
		}
	}

	/**
	 * Takes the response and only then completes the future: a dependent stage that is
	 * slow holds no slot.
	 */
	@Override
	void onAnswered() {
		O response;
		try {
			response = this.receiver.take(position());
		}
		catch (Throwable ex) {
			// Whatever it is, out of memory included, must reach the one who waits.
			this.future.completeExceptionally(ex);
			return;
		}
		this.future.complete(response);
	}

	@Override
	void onEnded() {
		this.future.completeExceptionally(this.end.exception());
	}

	/**
	 * Withdraws the request when it is cancelled.
	 */
	private final class WithdrawingFuture extends CompletableFuture<O> {

		@Override
		public boolean cancel(boolean mayInterruptIfRunning) {
			boolean cancelled = super.cancel(mayInterruptIfRunning);
			if (abandon()) {
				FutureReply.this.delivery.wake();
			}
			return cancelled;
		}

		@Override
		public <U> CompletableFuture<U> newIncompleteFuture() {
			return new CompletableFuture<>();
		}

	}

}
