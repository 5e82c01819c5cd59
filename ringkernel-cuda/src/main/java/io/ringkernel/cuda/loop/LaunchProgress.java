package io.ringkernel.cuda.loop;

import io.ringkernel.control.ControlBlock;
import io.ringkernel.cuda.loop.LaunchState.Event;
import org.jspecify.annotations.Nullable;

/**
 * The {@linkplain LaunchState state} of a loop, and the command that goes with it. Any
 * thread reads it. Events are applied one at a time, and no driver is called meanwhile.
 */
final class LaunchProgress {

	private final ControlBlock control;

	private volatile LaunchState state = LaunchState.IDLE;

	/** The number of the latest launch. */
	private volatile long launch;

	LaunchProgress(ControlBlock control) {
		this.control = control;
	}

	LaunchState state() {
		return this.state;
	}

	/**
	 * The number of the latest launch, counted from 1.
	 */
	long launch() {
		return this.launch;
	}

	/**
	 * Applies an event, and gives the command of the new state.
	 * @return the state before
	 */
	synchronized LaunchState apply(Event event) {
		LaunchState before = this.state;
		LaunchState after = before.on(event);
		if (after != before && (event == Event.LAUNCH || event == Event.TRY)) {
			this.launch++;
		}
		this.state = after;
		if (after.command() != before.command()) {
			this.control.command(after.command());
		}
		return before;
	}

	/**
	 * Notes that a launch is not on the device any more.
	 * @param number the number of that launch
	 * @return the state before; {@code null} if another call has noted it
	 */
	synchronized @Nullable LaunchState ended(long number) {
		return (this.launch == number && this.state.isOnDevice()) ? apply(Event.ENDED) : null;
	}

	/**
	 * Keeps a kernel that is out from being launched until it is resumed.
	 * @return whether it is out; otherwise nothing has changed
	 */
	synchronized boolean yieldIfOut() {
		if (this.state.isOnDevice()) {
			return false;
		}
		apply(Event.YIELD);
		return true;
	}

}
