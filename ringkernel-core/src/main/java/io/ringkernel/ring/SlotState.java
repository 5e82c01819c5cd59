package io.ringkernel.ring;

/**
 * What a slot is at, as the host sees it.
 *
 * @since 0.1.0
 */
public enum SlotState {

	/** Nobody holds it. */
	FREE,

	/** A producer holds it, whose request is not published yet. */
	CLAIMED,

	/** A request lies in it that is not answered. */
	REQUESTED,

	/** A response lies in it that was not taken. */
	ANSWERED,

	/** It is held from an earlier lap, and later ones have passed it over. */
	PASSED_OVER

}
