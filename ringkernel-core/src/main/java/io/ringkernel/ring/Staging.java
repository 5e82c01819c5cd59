package io.ringkernel.ring;

import io.ringkernel.CorruptMessageException;
import io.ringkernel.message.MessageBuffer;
import io.ringkernel.message.MessageLayout;

/**
 * Private memory where inline messages are contiguous, one place per owner (a slot on the
 * host, a worker on the device), so that it needs neither allocation nor thread locals.
 */
final class Staging {

	private final MessageBuffer buffer;

	private final int stride;

	Staging(int places, int inlineBytes) {
		// Rounded up to a whole chunk's data, which is what is copied, and to a line, so
		// that owners do not share one.
		int copied = RingLayout.dataChunks(inlineBytes) * RingLayout.CHUNK_DATA_BYTES;
		this.stride = (copied + RingLayout.LINE_BYTES) / RingLayout.LINE_BYTES * RingLayout.LINE_BYTES;
		this.buffer = MessageBuffer.allocate(places * this.stride);
	}

	MessageBuffer buffer() {
		return this.buffer;
	}

	int offset(int place) {
		return place * this.stride;
	}

	/**
	 * Decodes the complete message of a slot, in the place of the same number.
	 */
	<T extends Record> T read(RingLane lane, int slot, MessageLayout<T> messages) {
		return read(lane, slot, slot, messages);
	}

	/**
	 * Decodes the complete message of a slot, made contiguous in a place if it is inline.
	 * The length is read once: the writer is not trusted to leave it as it is.
	 */
	<T extends Record> T read(RingLane lane, int slot, int place, MessageLayout<T> messages) {
		int length = lane.length(slot);
		if (!lane.isValid(length)) {
			throw new CorruptMessageException(
					"The message in slot %d states a length of %d B; the ring holds 0 to %d B.".formatted(slot, length,
							lane.maxBytes()));
		}
		if (lane.isInline(length)) {
			lane.gather(slot, length, this.buffer, offset(place));
			return messages.read(this.buffer, offset(place), length);
		}
		return messages.read(lane.memory(), lane.payloadOffset(slot), length);
	}

}
