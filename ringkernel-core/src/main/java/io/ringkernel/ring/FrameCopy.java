package io.ringkernel.ring;

import java.nio.ByteBuffer;

import io.ringkernel.CorruptMessageException;
import io.ringkernel.message.FrameBuffer;

/**
 * Moves frames in and out of the slots of a lane, each by one copy. A frame is a message
 * like any other: a small one lies in the chunks of its slot, a large one in its payload.
 * <p>
 * The payload of a slot is written by plain stores before the header is published and
 * read by plain loads after the header was found, as {@link RingLane} describes. It is
 * copied out before it is looked at, so nobody can change what was checked.
 */
final class FrameCopy {

	private FrameCopy() {
	}

	/**
	 * Publishes a frame that is {@linkplain FrameBuffer#encode encoded}. This neither
	 * throws nor allocates.
	 */
	static void publish(RingLane lane, int slot, int tag, FrameBuffer frame) {
		int length = frame.encodedSize();
		if (!lane.isInline(length)) {
			lane.memory().bytes().put(lane.payloadOffset(slot), frame.bytes(), frame.begin(), length);
		}
		lane.publish(slot, tag, length, MessageKind.DATA, 0, frame.bytes(), frame.begin());
	}

	/**
	 * Reads the message of a slot whose header was found. The length is read once: the
	 * writer may still change it.
	 * @return whether it is there in whole; if not, the frame holds none
	 * @throws CorruptMessageException if it is no frame of that record
	 */
	static boolean read(RingLane lane, int slot, int tag, FrameBuffer frame) {
		int length = lane.validLength(slot);
		if (lane.isInline(length)) {
			if (!lane.gather(slot, tag, length, frame.bytes(), frame.begin())) {
				return false;
			}
		}
		else if (!lane.hasArrived(slot, tag, length)) {
			return false;
		}
		else {
			ByteBuffer memory = lane.memory().bytes();
			memory.get(lane.payloadOffset(slot), frame.bytes(), frame.begin(), length);
		}
		frame.decode(length);
		return true;
	}

}
