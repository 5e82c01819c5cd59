package io.ringkernel.spring.observation;

import java.util.concurrent.CompletableFuture;

import io.micrometer.observation.Observation;
import org.jspecify.annotations.Nullable;

/**
 * A reply that ends an observation before it completes, so that this does not count what
 * depends on the reply. Stages that depend on it run within the observation that the
 * sender was in, also where the thread is not the sender's.
 */
final class ObservedReply<O extends Record> extends CompletableFuture<O> {

	private final CompletableFuture<O> reply;

	private ObservedReply(CompletableFuture<O> reply) {
		this.reply = reply;
	}

	@SuppressWarnings("FutureReturnValueIgnored") // it cannot fail but as the reply does
	static <O extends Record> CompletableFuture<O> of(CompletableFuture<O> reply, Observation observation,
			@Nullable Observation sender) {
		ObservedReply<O> observed = new ObservedReply<>(reply);
		reply.whenComplete((response, failure) -> {
			if (failure != null) {
				observation.error(failure);
			}
			observation.stop();
			observed.completeWithin(sender, response, failure);
		});
		return observed;
	}

	private void completeWithin(@Nullable Observation sender, @Nullable O response, @Nullable Throwable failure) {
		if (sender == null) {
			complete(response, failure);
		}
		else {
			sender.scoped(() -> complete(response, failure));
		}
	}

	private void complete(@Nullable O response, @Nullable Throwable failure) {
		if (failure != null) {
			completeExceptionally(failure);
		}
		else {
			complete(response);
		}
	}

	@Override
	public boolean cancel(boolean mayInterruptIfRunning) {
		boolean cancelled = super.cancel(mayInterruptIfRunning);
		this.reply.cancel(mayInterruptIfRunning);
		return cancelled;
	}

	@Override
	public <U> CompletableFuture<U> newIncompleteFuture() {
		return new CompletableFuture<>();
	}

}
