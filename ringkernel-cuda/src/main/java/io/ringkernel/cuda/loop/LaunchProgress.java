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

	/** The number of the latest launch, counted from 1. */
	long launch() {
		return this.launch;
	}

	/**
	 * Applies an event, gives the command of the new state, and returns the state before.
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
	 * Notes that the launch of a number is not on the device any more. Returns the state
	 * before; {@code null} if another call has noted it.
	 */
	synchronized @Nullable LaunchState ended(long number) {
		return (this.launch == number && this.state.isOnDevice()) ? apply(Event.ENDED) : null;
	}

	/** Keeps a kernel from being launched until it is resumed, if it is out. */
	synchronized boolean yieldIfOut() {
		if (this.state.isOnDevice()) {
			return false;
		}
		apply(Event.YIELD);
		return true;
	}

}
