package io.ringkernel.ring;

/**
 * One slot at one moment. Tags are those of {@link LapTag}; 0 stands for none. A length
 * means something only where the slot's state says that the message is there.
 *
 * @param slot the slot
 * @param state what it is at
 * @param position the position that holds it; where it is free or passed over, the one
 * that can hold it next
 * @param tag the lap tag of that position
 * @param requestTag the tag of the latest request in it
 * @param requestLength the length that this request states, in bytes
 * @param responseTag the tag of the latest response in it
 * @param responseLength the length that this response states, in bytes
 * @param responseKind the code of the kind that this response states
 * @param firstSkippedTag the first tag of the skipped laps, which carry no request
 * @param lastSkippedTag their last tag
 * @since 0.1.0
 */
public record SlotDump(int slot, SlotState state, long position, int tag, int requestTag, int requestLength,
		int responseTag, int responseLength, int responseKind, int firstSkippedTag, int lastSkippedTag) {
}
