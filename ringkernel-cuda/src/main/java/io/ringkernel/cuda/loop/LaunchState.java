package io.ringkernel.cuda.loop;

import io.ringkernel.control.Command;

/**
 * How far a loop is with the launch of its kernel. {@link #on} is the table of moves; a
 * move that is not in it leaves the state as it is.
 *
 * @since 0.2.0
 */
public enum LaunchState {

	/** Nothing is on the device, and nothing shall be. */
	IDLE(false, false, Command.STOP),

	/** Nothing is on the device, and a launch may follow as soon as it is needed. */
	DUE(false, true, Command.STOP),

	/** Nothing is on the device, nor shall be before another kernel is loaded. */
	YIELDED(false, true, Command.STOP),

	/** The driver's thread puts the kernel on its stream. */
	LAUNCHING(true, true, Command.RUN),

	/** The kernel is on its stream. */
	RUNNING(true, true, Command.RUN),

	/** The kernel has been told to end, and is not wanted any more. */
	STOPPING(true, false, Command.STOP),

	/** The kernel has been told to end while another is loaded. */
	YIELDING(true, true, Command.STOP),

	/** The kernel has been told to end, and is to be launched again once it has. */
	RETURNING(true, true, Command.STOP),

	/** The loop was closed before the kernel has ended. */
	CLOSING(true, false, Command.STOP),

	/** The kernel has ended after the loop was closed; its owner closes it again. */
	LEFT(false, false, Command.STOP),

	/** What the loop held goes back. */
	CLOSED(false, false, Command.STOP);

	private final boolean onDevice;

	private final boolean wanted;

	private final Command command;

	LaunchState(boolean onDevice, boolean wanted, Command command) {
		this.onDevice = onDevice;
		this.wanted = wanted;
		this.command = command;
	}

	/** What happens to a loop. */
	enum Event {

		/** It is to run. */
		WANT,

		/** It is to stop. */
		STOP,

		/** It is to make way for the load of another kernel. */
		YIELD,

		/** The other kernel is loaded. */
		RESUME,

		/** The driver's thread begins a launch. */
		LAUNCH,

		/** The driver's thread begins a launch that finds the command to stop. */
		TRY,

		/** The driver has taken the launch. */
		LAUNCHED,

		/** Nothing of the launch is on the device any more. */
		ENDED,

		/** Its owner gives it up. */
		CLOSE

	}

	LaunchState on(Event event) {
		return switch (event) {
			case WANT -> switch (this) {
				case IDLE -> DUE;
				case STOPPING -> RETURNING;
				default -> this;
			};
			case STOP -> switch (this) {
				case DUE, YIELDED -> IDLE;
				case LAUNCHING, RUNNING, YIELDING, RETURNING -> STOPPING;
				default -> this;
			};
			case YIELD -> switch (this) {
				case DUE -> YIELDED;
				case LAUNCHING, RUNNING, RETURNING -> YIELDING;
				default -> this;
			};
			case RESUME -> switch (this) {
				case YIELDED -> DUE;
				case YIELDING -> RETURNING;
				default -> this;
			};
			case LAUNCH -> (this == DUE) ? LAUNCHING : this;
			case TRY -> (this == YIELDED) ? YIELDING : this;
			case LAUNCHED -> (this == LAUNCHING) ? RUNNING : this;
			case ENDED -> switch (this) {
				case LAUNCHING, RUNNING, RETURNING -> DUE;
				case STOPPING -> IDLE;
				case YIELDING -> YIELDED;
				case CLOSING -> LEFT;
				default -> this;
			};
			case CLOSE -> switch (this) {
				case IDLE, DUE, YIELDED, LEFT -> CLOSED;
				case LAUNCHING, RUNNING, STOPPING, YIELDING, RETURNING -> CLOSING;
				default -> this;
			};
		};
	}

	/** Whether something of the kernel may be on the device. */
	public boolean isOnDevice() {
		return this.onDevice;
	}

	/** Whether the kernel is to run, now or later. */
	boolean isWanted() {
		return this.wanted;
	}

	/** Whether it would have to yield for the device to be idle, and to stay so. */
	boolean isInUse() {
		return this.onDevice || this.wanted;
	}

	Command command() {
		return this.command;
	}

}
