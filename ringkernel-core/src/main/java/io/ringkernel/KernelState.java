package io.ringkernel;

import java.util.EnumSet;
import java.util.Set;

/**
 * The life of a ring kernel. <pre>
 * CREATED → LAUNCHED → ACTIVE ⇄ INACTIVE
 *    │          ↓         ↓        ↓
 *    │          └───→ TERMINATING ←┘
 *    │                    ↓
 *    └──────────────→ TERMINATED → LAUNCHED (relaunch)
 * </pre> FAILED is reached from every other state, from CREATED and TERMINATED by a
 * launch that fails. A relaunch or a termination leaves it.
 *
 * @since 0.1.0
 */
public enum KernelState {

	/** Defined and validated; holds no memory and no thread. */
	CREATED,

	/** Validated, loaded and given its memory; takes no requests yet. */
	LAUNCHED,

	/** Takes requests and answers them. */
	ACTIVE,

	/** Keeps what is queued, but neither takes nor answers requests. */
	INACTIVE,

	/** Ends: finishes what it has begun and fails what is pending. */
	TERMINATING,

	/** Ended: its loop has stopped and its memory is released. */
	TERMINATED,

	/** Could not launch, broke, or could not be stopped in time. */
	FAILED;

	/**
	 * {@return whether the lifecycle allows a move from this state to another}
	 * @param next the state to move to
	 */
	public boolean canMoveTo(KernelState next) {
		return successors().contains(next);
	}

	private Set<KernelState> successors() {
		return switch (this) {
			case CREATED -> EnumSet.of(LAUNCHED, TERMINATED, FAILED);
			case LAUNCHED -> EnumSet.of(ACTIVE, TERMINATING, FAILED);
			case ACTIVE -> EnumSet.of(INACTIVE, TERMINATING, FAILED);
			case INACTIVE -> EnumSet.of(ACTIVE, TERMINATING, FAILED);
			case TERMINATING -> EnumSet.of(TERMINATED, FAILED);
			case TERMINATED -> EnumSet.of(LAUNCHED, FAILED);
			case FAILED -> EnumSet.of(LAUNCHED, TERMINATING, TERMINATED);
		};
	}

}
