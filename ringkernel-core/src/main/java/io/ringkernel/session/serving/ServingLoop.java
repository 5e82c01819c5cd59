package io.ringkernel.session.serving;

import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.ringkernel.backend.DeviceLoop;
import io.ringkernel.backend.KernelRegion;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.backend.PlanFailedException;
import io.ringkernel.observe.KernelCounters;
import io.ringkernel.ring.HostResponses;
import io.ringkernel.state.KernelMemory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The loop that serves a session, and the hand-over from one loop to the next. There is
 * one way for a loop to take a ring over, whatever the reason: the loop before has ended,
 * the next one is loaded over the ring as it is and answers what is unanswered. Callers
 * notice nothing: a failure that a hand-over mends is none.
 * <p>
 * <strong>The ring has one loop at a time.</strong> That the loop before has ended is
 * known before the next one is loaded. Once the next one serves, nothing that fails with
 * the one before makes the hand-over fail, since that would have yet another loop loaded.
 * Its view of the control block is handed over first, so its threads and a thread that
 * still closes or stops it command nothing.
 * <p>
 * <strong>No request is handled twice</strong> that must not be. A loop that ends by
 * itself has answered all that it had begun. Of one that was ended by force,
 * {@link DeviceLoop#begun} tells which requests it may have begun. Unless the kernel
 * admits that they are handled again, the hand-over answers them as lost.
 * <p>
 * <strong>No request is left unserved.</strong> A producer may look for the loop just
 * before the hand-over, and ring at the one that has ended, which wakes no worker. So the
 * next one is rung at once, and again by each thread that has waited for longer than a
 * round trip takes.
 *
 * @since 0.2.0
 */
public final class ServingLoop implements DeviceLoop {

	private static final Logger logger = LoggerFactory.getLogger(ServingLoop.class);

	private final LongPredicate replay;

	private final KernelCounters counters;

	private final Consumer<PlanFailedException> mover;

	private final Duration stopTimeout;

	/** Loops that have ended and have not given back all that they hold. */
	private volatile List<DeviceLoop> ended = List.of();

	private final AtomicBoolean moving = new AtomicBoolean();

	private volatile DeviceLoop current;

	private volatile KernelRegion region;

	private volatile boolean moved;

	private volatile boolean settled;

	private volatile long hertz;

	private volatile @Nullable Throwable defect;

	/**
	 * Creates the loop.
	 * @param first the loop that it begins with
	 * @param region what that was loaded over
	 * @param replay tells of the position of a request that a loop may have begun when it
	 * was ended whether it may be handled again
	 * @param counters what counts these requests
	 * @param stopTimeout how long a loop may take to end that did not start as it should
	 * @param mover what is told, once, that the present loop has ended because its plan
	 * has failed; it hands over or {@linkplain #settle settles} later, and must not wait
	 */
	public ServingLoop(DeviceLoop first, KernelRegion region, LongPredicate replay, KernelCounters counters,
			Duration stopTimeout, Consumer<PlanFailedException> mover) {
		this.current = first;
		this.replay = replay;
		this.region = region;
		this.counters = counters;
		this.stopTimeout = stopTimeout;
		this.mover = mover;
	}

	/**
	 * Has another loop go on.
	 * @param loading loads the loop over a region
	 * @param preparing is given the loop before it starts
	 * @param start whether the kernel is active
	 * @throws RuntimeException if the loop cannot be loaded or does not start; the ring
	 * is untouched, unless the loop has started all the same and does not end: then the
	 * session has failed
	 */
	public void handOver(Function<KernelRegion, DeviceLoop> loading, Consumer<DeviceLoop> preparing, boolean start) {
		if (this.defect != null) {
			throw new IllegalStateException("The ring has no loop that can hand it over", this.defect);
		}
		DeviceLoop last = this.current;
		long counted = clockHertz();
		List<DeviceLoop> toClose = Stream.concat(this.ended.stream(), Stream.of(last)).toList();
		this.region = this.region.after(last);
		int again = loseBegun(last);
		DeviceLoop next = loading.apply(this.region);
		try {
			preparing.accept(next);
			if (start) {
				next.start();
			}
		}
		catch (RuntimeException | Error ex) {
			closeBroken(next, ex);
			throw ex;
		}
		this.hertz = counted;
		this.ended = toClose;
		this.current = next;
		this.moved = true;
		this.moving.set(false);
		settleIn(next, again);
	}

	/**
	 * Ends a loop that may have started, although it says that it has not: no other one
	 * serves the ring before it has ended.
	 */
	private void closeBroken(DeviceLoop loop, Throwable why) {
		boolean ended = false;
		try {
			ended = loop.stop(this.stopTimeout);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (RuntimeException | Error ex) {
			why.addSuppressed(ex);
		}
		try {
			loop.close();
			ended = ended || loop.activeWorkers() == 0;
		}
		catch (RuntimeException | Error ex) {
			why.addSuppressed(ex);
		}
		try {
			loseBegun(loop);
		}
		catch (RuntimeException | Error ex) {
			why.addSuppressed(ex);
		}
		if (!ended) {
			breakDown(why);
		}
	}

	/**
	 * What remains to be done once the next loop serves. The next one that waits rings
	 * again, and the next hand-over or the end of the session closes again.
	 */
	private void settleIn(DeviceLoop next, int again) {
		VarHandle.fullFence();
		try {
			next.doorbell();
		}
		catch (RuntimeException | Error ex) {
			logger.warn("A loop that has taken a ring over could not be rung; a caller that waits rings again", ex);
		}
		this.counters.replayed(again);
		closeEnded();
	}

	/**
	 * Answers what the loop before may have begun, so that the next one does not handle
	 * it again: to that one, the request is answered. Nobody else answers meanwhile, so
	 * the answer is the only one. Only the first attempt to hand over finds any. Returns
	 * how many requests may be handled again.
	 */
	private int loseBegun(DeviceLoop ended) {
		HostResponses responses = this.region.host().responses();
		long[] unanswered = LongStream.of(ended.begun())
			.filter((position) -> !responses.isAnswered(position))
			.toArray();
		int admitted = 0;
		for (long position : unanswered) {
			if (this.replay.test(position)) {
				admitted++;
			}
			else {
				responses.lose(position);
				this.counters.lost();
				this.region.notes().bell().answered(this.region.ring().slot(position));
			}
		}
		return admitted;
	}

	private void closeEnded() {
		this.ended = this.ended.stream().filter(ServingLoop::keepsAny).toList();
	}

	/**
	 * Closes a loop that has ended. Returns whether it has not given back all that it
	 * holds.
	 */
	private static boolean keepsAny(DeviceLoop loop) {
		try {
			loop.close();
			return loop.activeWorkers() != 0;
		}
		catch (RuntimeException | Error ex) {
			logger.warn("A loop that has ended could not be closed, and keeps what it holds until it can be", ex);
			return true;
		}
	}

	/**
	 * Fails the session: something is wrong that no loop can mend.
	 * @param cause what is wrong
	 */
	public void breakDown(Throwable cause) {
		this.defect = cause;
	}

	/**
	 * {@return what the present loop serves}
	 */
	public KernelRegion region() {
		return this.region;
	}

	/**
	 * {@return the loop that serves the ring now}
	 */
	public DeviceLoop current() {
		return this.current;
	}

	/**
	 * No loop takes over: the failure of the present one is final, if it has failed. If
	 * it has not, because it has taken over all the same, or if that cannot be told, the
	 * next failure is told again.
	 */
	public void settle() {
		boolean isFinal = false;
		try {
			if (this.current.failure() instanceof PlanFailedException) {
				isFinal = true;
				loseBegun(this.current);
			}
		}
		finally {
			this.settled = isFinal;
			this.moving.set(isFinal);
		}
	}

	@Override
	public void start() {
		this.current.start();
	}

	@Override
	public boolean rings() {
		return this.current.rings();
	}

	@Override
	public void abandon(long position) {
		this.current.abandon(position);
	}

	@Override
	public void doorbell() {
		this.current.doorbell();
	}

	@Override
	public void nudge() {
		DeviceLoop loop = this.current;
		if (this.moved) {
			loop.doorbell();
		}
		loop.nudge();
	}

	@Override
	public boolean stop(Duration timeout) throws InterruptedException {
		return this.current.stop(timeout);
	}

	@Override
	public void interrupt() {
		this.current.interrupt();
	}

	@Override
	public boolean isInterruptible() {
		return this.current.isInterruptible();
	}

	@Override
	public @Nullable Throwable failure() {
		Throwable broken = this.defect;
		DeviceLoop loop = this.current;
		Throwable cause = (broken != null) ? broken : loop.failure();
		if (!(cause instanceof PlanFailedException failed) || this.settled) {
			return cause;
		}
		if (this.moving.compareAndSet(false, true)) {
			boolean told = false;
			try {
				if (loop.equals(this.current)) {
					this.mover.accept(failed);
					told = true;
				}
			}
			finally {
				// If no thread is to be had now, the next one that looks tries again.
				if (!told) {
					this.moving.set(false);
				}
			}
		}
		return null;
	}

	@Override
	public int activeWorkers() {
		return this.current.activeWorkers() + this.ended.stream().mapToInt(DeviceLoop::activeWorkers).sum();
	}

	@Override
	public long deviceMemoryBytes() {
		return this.current.deviceMemoryBytes();
	}

	@Override
	public Map<String, Object> launchParameters() {
		return this.current.launchParameters();
	}

	/** Of the loop that counts, or has counted before another took over. */
	@Override
	public long clockHertz() {
		return Math.max(this.hertz, this.current.clockHertz());
	}

	@Override
	public KernelMemory memory(KernelSpec<?, ?> kernel) {
		return this.current.memory(kernel);
	}

	@Override
	public void close() {
		this.current.close();
		closeEnded();
	}

}
