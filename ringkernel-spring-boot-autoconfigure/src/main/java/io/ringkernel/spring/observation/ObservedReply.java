package io.ringkernel.spring.observation;

import java.util.concurrent.CompletableFuture;

import io.micrometer.observation.Observation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A reply that ends an observation before it completes, so that this does not count what
 * depends on the reply. Stages that depend on it run within the observation that the
 * sender was in, also where the thread is not the sender's. An observation that fails, as
 * a handler or a convention of the application may, keeps no reply from its caller.
 */
final class ObservedReply<O extends Record> extends CompletableFuture<O> {

	private static final Logger logger = LoggerFactory.getLogger(ObservedReply.class);

	private final CompletableFuture<O> reply;

	private ObservedReply(CompletableFuture<O> reply) {
		this.reply = reply;
	}

	@SuppressWarnings("FutureReturnValueIgnored") // it cannot fail but as the reply does
	static <O extends Record> CompletableFuture<O> of(CompletableFuture<O> reply, Observation observation,
			@Nullable Observation sender) {
		ObservedReply<O> observed = new ObservedReply<>(reply);
		reply.whenComplete((response, failure) -> {
			end(observation, failure);
			observed.completeWithin(sender, response, failure);
		});
		return observed;
	}

	/**
	 * Ends an observation, and logs what its handlers or its convention throw.
	 * @param failure of the call; {@code null} if it has succeeded
	 */
	static void end(Observation observation, @Nullable Throwable failure) {
		if (failure != null) {
			runOrLog(() -> observation.error(failure));
		}
		runOrLog(observation::stop);
	}

	private static void runOrLog(Runnable step) {
		try {
			step.run();
		}
		catch (RuntimeException | Error ex) {
			logger.error("A handler or the convention of the observation of a ring kernel call failed."
					+ " The call goes on without it.", ex);
		}
	}

	private void completeWithin(@Nullable Observation sender, @Nullable O response, @Nullable Throwable failure) {
		if (sender != null) {
			runOrLog(() -> sender.scoped(() -> complete(response, failure)));
		}
		// Does nothing if it is complete: the scope may have failed to open.
		complete(response, failure);
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
