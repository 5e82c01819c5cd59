package io.ringkernel.session;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

import io.ringkernel.KernelState;
import io.ringkernel.backend.Backend;
import io.ringkernel.backend.DeviceLoop;
import io.ringkernel.backend.KernelRegion;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.exception.KernelNotActiveException;
import io.ringkernel.exception.PositionStuckException;
import io.ringkernel.observe.KernelCounters;
import io.ringkernel.observe.KernelTimings;
import io.ringkernel.observe.ObservedSession;
import io.ringkernel.ring.HostRing;
import io.ringkernel.ring.SlotClaims;
import io.ringkernel.session.encoding.RecordDecoding;
import io.ringkernel.session.encoding.RecordEncoding;
import io.ringkernel.session.serving.ServingLoop;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One launch of a kernel: its memory, its ring, its loop, and all who wait for a
 * response. A relaunch begins a new session; nothing crosses from one to the next.
 *
 * @param <I> the request
 * @param <O> the response
 * @since 0.2.0
 */
public final class KernelSession<I extends Record, O extends Record> implements ObservedSession {

	private static final Logger logger = LoggerFactory.getLogger(KernelSession.class);

	private final KernelSpec<I, O> kernel;

	private final HostRing ring;

	private final ServingLoop loop;

	private final SlotWaiters waiters;

	private final Completions completions;

	private final ResponseDispatcher dispatcher;

	private final SessionEnd end;

	private final RequestSender<I> sender;

	private final ResponseReceiver<O> receiver;

	private final Consumer<KernelSession<?, ?>> gate;

	private final Runnable onLoopBroken;

	KernelSession(KernelSpec<I, O> kernel, ServingLoop loop, SlotWaiters waiters, KernelCounters counters,
			KernelTimings kernelTimings, Consumer<KernelSession<?, ?>> gate, Runnable onLoopBroken) {
		KernelRegion region = loop.region();
		this.kernel = kernel;
		this.loop = loop;
		this.gate = gate;
		this.onLoopBroken = onLoopBroken;
		this.ring = region.host();
		this.end = new SessionEnd(kernel.id());
		this.waiters = waiters;
		this.completions = new Completions(kernel.id());
		Pacing pacing = new Pacing(loop::rings);
		SessionTimings timings = new SessionTimings(kernelTimings, this.ring, region.notes().timestamps());
		Duration claimed = kernel.options().requestTimeout();
		ClaimWatch claims = new ClaimWatch(this.ring, claimed,
				(position) -> loop.breakDown(new PositionStuckException(kernel.id(), position, claimed)));
		this.dispatcher = new ResponseDispatcher(kernel.id(), this.ring, region.control().startPosition(), loop,
				this.waiters, this.completions, pacing, this.end, claims, this::onLoopBroken);
		ResponseTaker<O> taker = new ResponseTaker<>(kernel,
				new RecordDecoding<>(this.ring.responses(), kernel.responses()), this.ring, region.notes().failures(),
				this.waiters, counters, timings);
		this.receiver = new ResponseReceiver<>(kernel, taker, this.ring, loop, this.waiters, this.dispatcher, counters,
				this.end, pacing);
		this.sender = new RequestSender<>(kernel,
				new RecordEncoding<>(kernel.id(), this.ring.requests(), kernel.requests()), this.ring, loop,
				this.waiters, counters, this.end, this::checkAnswers, timings, region.notes().contexts(),
				new BackgroundClaims(this.ring, this.end, kernel.options().workers()));
		this.dispatcher.start();
		this.completions.start();
	}

	/** Ends every wait, since nothing will be answered any more. */
	private void onLoopBroken() {
		this.end.set(this.loop.failure());
		this.ring.contendedClaims().close();
		this.waiters.wakeCallers();
		this.onLoopBroken.run();
	}

	@Override
	public KernelRegion region() {
		return this.loop.region();
	}

	/**
	 * {@return the host's half of the ring}
	 */
	public HostRing ring() {
		return this.ring;
	}

	/**
	 * {@return the loop that answers requests}
	 */
	public ServingLoop loop() {
		return this.loop;
	}

	@Override
	public int activeWorkers() {
		return this.loop.activeWorkers();
	}

	@Override
	public long deviceMemoryBytes() {
		return this.loop.deviceMemoryBytes();
	}

	/**
	 * Has a loop of another plan go on with the ring. The present loop has ended: it has
	 * reported a {@link io.ringkernel.backend.PlanFailedException} or has been stopped.
	 * @param backend what runs the next loop
	 * @param preparing is given the next loop before it starts
	 * @param start whether the kernel is active
	 * @throws RuntimeException if it cannot; the ring is untouched
	 */
	public void handOver(Backend backend, Consumer<DeviceLoop> preparing, boolean start) {
		this.loop.handOver((region) -> backend.load(this.kernel, region), preparing, start);
	}

	/**
	 * Has a backend do in advance what it takes long for to take the ring over.
	 * @param backend what is to take over later
	 * @throws RuntimeException if it cannot; the ring and its loop are untouched
	 */
	public void prepare(Backend backend) {
		backend.prepare(this.kernel, this.loop.region().memory());
	}

	@Override
	public long oldestAge(long now) {
		return this.waiters.oldestAge(now);
	}

	O call(I request, long timeoutNanos, Admission admission) {
		return call(this.sender, this.receiver, request, timeoutNanos, admission);
	}

	<Q, A> A call(RequestSender<Q> sender, ResponseReceiver<A> receiver, Q request, long timeoutNanos,
			Admission admission) {
		long deadline = Deadlines.UNSET;
		long position = sender.trySend(request, admission);
		if (position == SlotClaims.NO_SLOT) {
			deadline = Deadlines.in(timeoutNanos);
			position = sender.send(request, deadline, timeoutNanos, admission);
		}
		long[] owned = this.waiters.owned;
		int slot = (int) position & (owned.length - 1);
		owned[slot] = position + 1;
		try {
			return receiver.await(position, deadline, timeoutNanos);
		}
		catch (Throwable ex) {
			if (owned[slot] == position + 1) {
				owned[slot] = 0;
				this.waiters.givenUp[slot] = position + 1;
				this.waiters.wakeForGivenUp();
			}
			throw ex;
		}
	}

	CompletableFuture<O> submit(I request, long timeoutNanos, Admission admission) {
		FutureReply<O> reply = new FutureReply<>(this.receiver, Deadlines.in(timeoutNanos), timeoutNanos, null);
		send(request, reply, false, admission);
		return reply;
	}

	Optional<CompletableFuture<O>> trySubmit(I request, long timeoutNanos, Admission admission) {
		FutureReply<O> reply = new FutureReply<>(this.receiver, Deadlines.in(timeoutNanos), timeoutNanos, null);
		Optional<CompletableFuture<O>> future = Optional.of(reply);
		return send(request, reply, true, admission) ? future : Optional.empty();
	}

	void sendOneWay(I request, long timeoutNanos, Admission admission,
			BiConsumer<@Nullable Object, @Nullable Throwable> outcome) {
		send(request, new FutureReply<>(this.receiver, Deadlines.in(timeoutNanos), timeoutNanos, outcome), false,
				admission);
	}

	/**
	 * Sends a request and hands its reply to the dispatcher. Until the reply is in its
	 * slot this thread owns the position; from then on the dispatcher does.
	 * @param onlyNow whether not to wait for a slot, whatever the backpressure is
	 */
	private boolean send(I request, FutureReply<O> reply, boolean onlyNow, Admission admission) {
		long position = onlyNow ? this.sender.trySendAnywhere(request, admission)
				: this.sender.trySend(request, admission);
		if (position == SlotClaims.NO_SLOT) {
			if (onlyNow) {
				return false;
			}
			position = this.sender.send(request, reply.deadline(), reply.timeoutNanos(), admission);
		}
		int slot = (int) position & (this.waiters.givenUp.length - 1);
		boolean announced = false;
		try {
			reply.position = position;
			this.waiters.announce(slot, reply, reply.since());
			announced = true;
		}
		finally {
			if (!announced) {
				this.waiters.givenUp[slot] = position + 1;
			}
		}
		this.receiver.handBack(reply);
		return true;
	}

	/**
	 * Sends requests and returns their responses in the same order. If the ring is full
	 * of them, the oldest response is taken before the next request is sent. The first
	 * request that fails, in the order of the requests, fails the batch: one that cannot
	 * be sent does so once all before it are answered.
	 */
	List<O> callAll(List<? extends I> requests, long timeoutNanos, Admission admission) {
		long deadline = Deadlines.in(timeoutNanos);
		List<O> responses = new ArrayList<>(requests.size());
		try (SessionStream<I, O> batch = new SessionStream<>(this, timeoutNanos, admission)) {
			RuntimeException failure = null;
			for (Iterator<? extends I> rest = requests.iterator(); failure == null && rest.hasNext();) {
				failure = batch.sendOfBatch(rest.next(), deadline, responses);
			}
			while (batch.hasUntaken()) {
				responses.add(batch.receive(deadline));
			}
			if (failure != null) {
				throw failure;
			}
			return responses;
		}
	}

	void checkOpen() {
		this.gate.accept(this);
	}

	/**
	 * Throws if what is sent from now on is never answered. A kernel that was deactivated
	 * answers it once it is active again.
	 */
	private void checkAnswers() {
		try {
			checkOpen();
		}
		catch (KernelNotActiveException ex) {
			if (ex.state() != KernelState.INACTIVE) {
				throw ex;
			}
			this.end.checkOpen();
		}
	}

	KernelSpec<I, O> kernel() {
		return this.kernel;
	}

	RequestSender<I> sender() {
		return this.sender;
	}

	ResponseReceiver<O> receiver() {
		return this.receiver;
	}

	SlotWaiters waiters() {
		return this.waiters;
	}

	SessionEnd sessionEnd() {
		return this.end;
	}

	/**
	 * Ends every wait: what is answered is still delivered, the rest fails.
	 * @param cause why, if something went wrong
	 * @param timeout how long to wait for what is answered to be delivered
	 * @throws InterruptedException if the thread was interrupted
	 */
	public void end(@Nullable Throwable cause, Duration timeout) throws InterruptedException {
		this.end.set(cause);
		this.ring.contendedClaims().close();
		this.waiters.wakeCallers();
		this.dispatcher.close(timeout);
	}

	/**
	 * Gives back what the session holds; its memory only if nothing can reach it any
	 * more, and once. Memory that cannot be given back stays where it is.
	 * @return whether there is nothing left to be given back
	 */
	public boolean release() {
		this.loop.close();
		if (this.loop.activeWorkers() > 0) {
			return false;
		}
		region().notes().failures().clear();
		try {
			region().memory().close();
		}
		catch (RuntimeException | Error ex) {
			logger.warn("The memory of ring kernel '{}' could not be given back", this.kernel.id(), ex);
		}
		return true;
	}

}
