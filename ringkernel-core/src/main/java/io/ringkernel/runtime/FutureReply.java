package io.ringkernel.runtime;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.ringkernel.RequestTimeoutException;

/**
 * A request whose response completes a future.
 */
final class FutureReply<O extends Record> extends PendingReply {

	private final KernelSession<?, O> session;

	private final long deadline;

	private final long timeoutNanos;

	private final CompletableFuture<O> future = new WithdrawingFuture();

	FutureReply(KernelSession<?, O> session, long position, long deadline, long timeoutNanos) {
		super(position);
		this.session = session;
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
			this.session.countTimeout();
			this.future.completeExceptionally(
					new RequestTimeoutException(this.session.kernelId(), Duration.ofNanos(this.timeoutNanos)));
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
			response = this.session.take(position());
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
		this.future.completeExceptionally(this.session.ended());
	}

	/**
	 * Withdraws the request when it is cancelled.
	 */
	private final class WithdrawingFuture extends CompletableFuture<O> {

		@Override
		public boolean cancel(boolean mayInterruptIfRunning) {
			boolean cancelled = super.cancel(mayInterruptIfRunning);
			if (abandon()) {
				FutureReply.this.session.wakeDelivery();
			}
			return cancelled;
		}

		@Override
		public <U> CompletableFuture<U> newIncompleteFuture() {
			return new CompletableFuture<>();
		}

	}

}
