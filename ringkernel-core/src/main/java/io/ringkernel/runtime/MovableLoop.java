package io.ringkernel.runtime;

import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import io.ringkernel.backend.DeviceLoop;
import io.ringkernel.backend.PlanFailedException;
import io.ringkernel.backend.RequestClock;
import org.jspecify.annotations.Nullable;

/**
 * The loop of a session, which another one takes over from where its plan fails. Those
 * who wait notice nothing of it: a failure that is being mended is none.
 * <p>
 * A producer may look for the loop just before another takes over, and ring at the one
 * that has ended, which rings nobody. So the new one is rung at once, and again by
 * everyone who has waited for longer than a round trip takes.
 */
final class MovableLoop implements DeviceLoop {

	private final Consumer<PlanFailedException> mover;

	private final List<DeviceLoop> before = new CopyOnWriteArrayList<>();

	private final AtomicBoolean moving = new AtomicBoolean();

	private volatile DeviceLoop current;

	private volatile boolean moved;

	private volatile boolean settled;

	private @Nullable RequestClock clock;

	/**
	 * Creates the loop.
	 * @param first the loop that it begins with
	 * @param mover what is told, once, that the present loop has ended because its plan
	 * has failed; it calls {@link #moveTo} or {@link #settle} later, and must not wait
	 */
	MovableLoop(DeviceLoop first, Consumer<PlanFailedException> mover) {
		this.current = first;
		this.mover = mover;
	}

	DeviceLoop current() {
		return this.current;
	}

	/**
	 * Prepares a loop that is about to take over.
	 */
	void prepare(DeviceLoop next) {
		if (this.clock != null) {
			next.time(this.clock);
		}
	}

	/**
	 * Has another loop, already started, go on.
	 */
	void moveTo(DeviceLoop next) {
		this.before.add(this.current);
		this.current = next;
		this.moved = true;
		VarHandle.fullFence();
		next.doorbell();
		this.moving.set(false);
	}

	/**
	 * No loop takes over: the failure of the present one is final.
	 */
	void settle() {
		this.settled = true;
	}

	@Override
	public void start() {
		this.current.start();
	}

	@Override
	public void time(RequestClock clock) {
		this.clock = clock;
		this.current.time(clock);
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
	public @Nullable Throwable takeFailure(int slot) {
		Throwable failure = this.current.takeFailure(slot);
		for (DeviceLoop earlier : this.before) {
			failure = (failure != null) ? failure : earlier.takeFailure(slot);
		}
		return failure;
	}

	@Override
	public @Nullable Throwable failure() {
		Throwable cause = this.current.failure();
		if (!(cause instanceof PlanFailedException failed) || this.settled) {
			return cause;
		}
		if (this.moving.compareAndSet(false, true)) {
			if (failed.equals(this.current.failure())) {
				this.mover.accept(failed);
			}
			else {
				this.moving.set(false);
			}
		}
		return null;
	}

	@Override
	public int activeWorkers() {
		int active = this.current.activeWorkers();
		for (DeviceLoop earlier : this.before) {
			active += earlier.activeWorkers();
		}
		return active;
	}

	@Override
	public long deviceMemoryBytes() {
		return this.current.deviceMemoryBytes();
	}

	/**
	 * Of the loop that counts, or has counted before it was moved from.
	 */
	@Override
	public long clockHertz() {
		long hertz = this.current.clockHertz();
		for (DeviceLoop earlier : this.before) {
			hertz = Math.max(hertz, earlier.clockHertz());
		}
		return hertz;
	}

	@Override
	public void close() {
		this.current.close();
		this.before.forEach(DeviceLoop::close);
	}

}
