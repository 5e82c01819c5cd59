package io.ringkernel.cuda.host.remote;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import io.ringkernel.cuda.host.wire.FrameReader;
import io.ringkernel.cuda.host.wire.FrameWriter;
import io.ringkernel.cuda.host.wire.HostFrame;
import io.ringkernel.cuda.host.wire.HostOperation;
import org.jspecify.annotations.Nullable;

/**
 * The calls to a kernel host that wait for their answers. Each has a number, by which its
 * answer finds it: answers come in any order.
 */
final class CallsInFlight {

	private final HostChannel channel;

	private final AtomicInteger numbers = new AtomicInteger();

	private final Map<Integer, CompletableFuture<FrameReader>> calls = new ConcurrentHashMap<>();

	private volatile boolean over;

	CallsInFlight(HostChannel channel) {
		this.channel = channel;
	}

	/**
	 * Has the host do something, and waits for the body of its answer.
	 * @throws HostedFailure if the host has failed to do it, or answers nothing any more
	 * @throws IOException if the call cannot be sent
	 */
	<X extends Exception> FrameReader make(HostOperation operation, Consumer<FrameWriter> arguments, Duration limit,
			Waiting<X> waiting) throws IOException, TimeoutException, HostedFailure, X {
		FrameWriter out = new FrameWriter().writeEnum(operation);
		arguments.accept(out);
		int number = this.numbers.incrementAndGet();
		CompletableFuture<FrameReader> answer = new CompletableFuture<>();
		this.calls.put(number, answer);
		try {
			// Behind the put: end() finds this call, or is seen here.
			if (this.over) {
				throw new HostedFailure(null);
			}
			this.channel.send(new HostFrame(HostFrame.Kind.CALL, number, out.toBytes()));
			return waiting.await(answer, limit);
		}
		catch (ExecutionException ex) {
			throw (ex.getCause() instanceof HostedFailure failure) ? failure : new HostedFailure(null);
		}
		finally {
			this.calls.remove(number);
		}
	}

	static FrameReader await(Future<FrameReader> answer, Duration limit)
			throws ExecutionException, TimeoutException, InterruptedException {
		return answer.get(limit.toNanos(), TimeUnit.NANOSECONDS);
	}

	/** An interrupt is kept. */
	static FrameReader awaitUninterrupted(Future<FrameReader> answer, Duration limit)
			throws ExecutionException, TimeoutException {
		boolean interrupted = Thread.interrupted();
		long deadline = System.nanoTime() + limit.toNanos();
		try {
			while (true) {
				try {
					return answer.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
				}
				catch (InterruptedException ex) {
					interrupted = true;
				}
			}
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	void done(HostFrame frame) {
		settle(frame, (call) -> call.complete(new FrameReader(frame.body())));
	}

	void failed(HostFrame frame) {
		settle(frame, (call) -> call.completeExceptionally(new HostedFailure(new FrameReader(frame.body()))));
	}

	/** An answer whose caller has stopped waiting is dropped. */
	private void settle(HostFrame frame, Consumer<CompletableFuture<FrameReader>> answer) {
		CompletableFuture<FrameReader> call = this.calls.get(frame.call());
		if (call != null) {
			answer.accept(call);
		}
	}

	void end() {
		this.over = true;
		this.calls.values().forEach((call) -> call.completeExceptionally(new HostedFailure(null)));
	}

	/** How to wait for an answer; {@code X} is thrown if the wait was interrupted. */
	@FunctionalInterface
	interface Waiting<X extends Exception> {

		FrameReader await(Future<FrameReader> answer, Duration limit) throws ExecutionException, TimeoutException, X;

	}

	/** An answer of a host that says what has failed, or that there is none. */
	static final class HostedFailure extends Exception {

		private static final long serialVersionUID = 1;

		private final transient @Nullable FrameReader body;

		HostedFailure(@Nullable FrameReader body) {
			super(null, null, false, false);
			this.body = body;
		}

		/** What says what has failed; {@code null} if there is no answer. */
		@Nullable FrameReader body() {
			return this.body;
		}

	}

}
