package io.ringkernel.backend;

/**
 * What the host keeps for each slot beside the memory that it shares with the loop. The
 * notes belong to the session: each loop that serves its ring uses them, one after
 * another. Only a loop whose workers are threads of this process can; a device knows
 * nothing of them.
 *
 * @param timestamps when the requests that are timed were sent, begun and ended
 * @param contexts the contexts of the callers, which the loop restores around its
 * handlers; one that does {@linkplain CapturedContexts#open() opens} them
 * @param failures the exceptions with which handlers failed
 * @param bell what a loop that {@linkplain DeviceLoop#rings rings} does so on
 * @since 0.2.0
 */
public record SlotNotes(RequestTimestamps timestamps, CapturedContexts contexts, HandlerFailures failures,
		AnswerBell bell) {

	/**
	 * {@return the notes of a ring whose host times nothing, captures no context and
	 * waits for no bell}
	 * @param slots the slots of the ring
	 */
	public static SlotNotes silent(int slots) {
		return new SlotNotes(new RequestTimestamps(slots), new CapturedContexts(null, slots),
				new HandlerFailures(slots), (slot) -> {
				});
	}

}
