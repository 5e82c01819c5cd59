package io.ringkernel.runtime;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import io.ringkernel.RequestStream;
import io.ringkernel.backend.Backend;
import io.ringkernel.backend.DeviceLoop;
import io.ringkernel.backend.KernelRegion;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.backend.RequestClock;
import io.ringkernel.ring.HostRing;
import org.jspecify.annotations.Nullable;

/**
 * One launch of a kernel: its memory, its ring, its loop, and everyone who waits for a
 * response. A relaunch begins a new session; nothing crosses from one to the next.
 */
final class KernelSession<I extends Record, O extends Record> {

	private final KernelSpec<I, O> kernel;

	private final KernelRegion region;

	private final HostRing ring;

	private final MovableLoop loop;

	private final PendingReplies replies;

	private final Delivery delivery;

	private final SessionEnd end;

	private final RequestSender<I> sender;

	private final ResponseReceiver<O> receiver;

	private final Runnable onLoopBroken;

	KernelSession(KernelSpec<I, O> kernel, KernelRegion region, MovableLoop loop, KernelCounters counters,
			KernelTimings kernelTimings, Runnable onLoopBroken) {
		this.kernel = kernel;
		this.region = region;
		this.loop = loop;
		this.onLoopBroken = onLoopBroken;
		long startPosition = region.control().startPosition();
		this.ring = region.host();
		this.replies = new PendingReplies(this.ring, startPosition);
		this.end = new SessionEnd(kernel.id());
		this.delivery = new Delivery(kernel.id(), this.ring, loop, this.replies, kernel.options().waitStrategy(),
				this::onLoopBroken);
		RequestClock clock = new RequestClock(region.ring().slots());
		loop.time(clock);
		SessionTimings timings = new SessionTimings(kernelTimings, this.ring, clock);
		this.receiver = new ResponseReceiver<>(kernel, this.ring, loop, this.replies, this.delivery, counters, this.end,
				timings);
		this.sender = new RequestSender<>(kernel, this.ring, loop, this.receiver, counters, this.end, timings);
		this.delivery.start();
	}

	/**
	 * Ends everyone's wait, since nothing will be answered any more.
	 */
	private void onLoopBroken() {
		this.end.set(this.loop.failure());
		this.ring.close();
		this.onLoopBroken.run();
	}

	KernelRegion region() {
		return this.region;
	}

	HostRing ring() {
		return this.ring;
	}

	MovableLoop loop() {
		return this.loop;
	}

	/**
	 * Has a loop of another backend go on with the ring.
	 * @throws RuntimeException if it cannot; the ring is untouched
	 */
	void moveTo(Backend backend, boolean start) {
		DeviceLoop next = backend.takeOver(this.kernel, this.region, this.loop.current());
		try {
			this.loop.prepare(next);
			if (start) {
				next.start();
			}
		}
		catch (RuntimeException | Error ex) {
			next.close();
			throw ex;
		}
		this.loop.moveTo(next);
	}

	/**
	 * For how long somebody has waited for a response.
	 */
	long oldestAge(long now) {
		return this.replies.oldestAge(now);
	}

	O call(I request, long deadline, long timeoutNanos, Admission admission) {
		int length = this.sender.measure(request);
		long position = this.sender.claim(deadline, timeoutNanos, admission);
		this.sender.publish(position, request, length);
		return this.receiver.await(position, deadline, timeoutNanos);
	}

	/**
	 * Sends a request whose response completes a future.
	 */
	CompletableFuture<O> submit(I request, long deadline, long timeoutNanos, Admission admission) {
		int length = this.sender.measure(request);
		long position = this.sender.claim(deadline, timeoutNanos, admission);
		return submit(request, length, position, deadline, timeoutNanos);
	}

	/**
	 * Sends a request whose response completes a future, if there is a slot for it.
	 */
	Optional<CompletableFuture<O>> trySubmit(I request, long deadline, long timeoutNanos, Admission admission) {
		int length = this.sender.measure(request);
		long position = this.sender.tryClaimAny(admission);
		return (position != HostRing.FULL) ? Optional.of(submit(request, length, position, deadline, timeoutNanos))
				: Optional.empty();
	}

	private CompletableFuture<O> submit(I request, int length, long position, long deadline, long timeoutNanos) {
		FutureReply<O> reply = new FutureReply<>(this.receiver, this.delivery, this.end, position, deadline,
				timeoutNanos);
		this.sender.publish(position, request, length);
		this.receiver.register(reply);
		return reply.future();
	}

	/**
	 * Sends requests one after another, until a deadline for all of them.
	 */
	List<O> callEach(List<? extends I> requests, long deadline, long timeoutNanos, Admission admission) {
		List<O> responses = new ArrayList<>(requests.size());
		for (I request : requests) {
			responses.add(call(request, deadline, timeoutNanos, admission));
		}
		return responses;
	}

	RequestStream<I, O> openStream(long timeoutNanos, Admission admission) {
		return new SessionStream<>(this.sender, this.receiver, this.end, this.kernel.options().waitStrategy(),
				this.region.ring().slots(), timeoutNanos, admission);
	}

	/**
	 * Ends everyone's wait: what is answered is still delivered, the rest fails, even if
	 * the delivery thread is held up by a dependent stage.
	 */
	void end(@Nullable Throwable cause, Duration timeout) throws InterruptedException {
		this.end.set(cause);
		this.ring.close();
		this.delivery.close(timeout);
		this.replies.endAll();
	}

	/**
	 * Gives back what the session holds; its memory only if nothing can reach it any
	 * more.
	 * @return whether everything was given back
	 */
	boolean release() {
		this.loop.close();
		if (this.loop.activeWorkers() > 0) {
			return false;
		}
		this.region.memory().close();
		return true;
	}

}
