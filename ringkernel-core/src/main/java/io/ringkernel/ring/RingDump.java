package io.ringkernel.ring;

import java.util.List;

/**
 * A ring while it is in use: each slot as it was at one moment, the slots one after
 * another.
 *
 * @param head the position that was claimed next when the dump was begun
 * @param slots the slots, by number
 * @param unsteady slots that changed each time they were looked at, and were not judged
 * @param violations what contradicts the protocol, a sentence each
 * @since 0.1.0
 */
public record RingDump(long head, List<SlotDump> slots, List<Integer> unsteady, List<String> violations) {

	/**
	 * Creates the dump.
	 * @param head the position that was claimed next
	 * @param slots the slots, by number
	 * @param unsteady slots that were not judged
	 * @param violations what contradicts the protocol
	 */
	public RingDump {
		slots = List.copyOf(slots);
		unsteady = List.copyOf(unsteady);
		violations = List.copyOf(violations);
	}

}
