package io.ringkernel.runtime;

import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

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

	private @Nullable O response;

	private @Nullable Throwable failure;

	FutureReply(ResponseReceiver<O> receiver, Delivery delivery, SessionEnd end, long position, long deadline,
			long timeoutNanos) {
		super(position, deadline - timeoutNanos);
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
	void onExpired() {
		fail(this.receiver.timedOut(this.timeoutNanos));
	}

	/**
	 * Takes the response and only then completes the future: a dependent stage that is
	 * slow holds no slot.
	 */
	@Override
	void onAnswered() {
		try {
			this.response = this.receiver.take(position());
		}
		catch (Throwable ex) {
			// Whatever it is, out of memory included, must reach the one who waits.
			this.failure = ex;
		}
		this.delivery.complete(this);
	}

	@Override
	void onEnded() {
		fail(this.end.exception());
	}

	private void fail(Throwable cause) {
		this.failure = cause;
		this.delivery.complete(this);
	}

	/**
	 * Completes the future, and so runs the stages that depend on it.
	 */
	void complete() {
		if (this.failure != null) {
			this.future.completeExceptionally(this.failure);
		}
		else {
			this.future.complete(this.response);
		}
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
