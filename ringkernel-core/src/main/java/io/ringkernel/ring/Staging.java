package io.ringkernel.ring;

import java.nio.ByteBuffer;

import io.ringkernel.CorruptMessageException;
import io.ringkernel.message.MessageBuffer;
import io.ringkernel.message.MessageLayout;
import org.jspecify.annotations.Nullable;

/**
 * Private memory where inline messages are contiguous, one place per owner (a slot on the
 * host, a worker on the device), so that it needs neither allocation nor thread locals.
 * It is an array, whose elements are reached in fewer steps than those of a buffer.
 */
final class Staging {

	private final MessageBuffer buffer;

	private final byte[] bytes;

	private final int stride;

	Staging(int places, int inlineBytes) {
		// Rounded up to a whole chunk's data, which is what is copied, and to a line, so
		// that owners do not share one.
		int copied = RingLayout.dataChunks(inlineBytes) * RingLayout.CHUNK_DATA_BYTES;
		this.stride = (copied + RingLayout.LINE_BYTES) / RingLayout.LINE_BYTES * RingLayout.LINE_BYTES;
		this.bytes = new byte[places * this.stride];
		this.buffer = MessageBuffer.wrap(ByteBuffer.wrap(this.bytes));
	}

	private int offset(int place) {
		return place * this.stride;
	}

	/**
	 * Encodes and publishes a message. It is encoded where its largest message has room,
	 * which in a lane with payloads is the slot's payload: a record whose accessors
	 * return more than was measured spoils its own message and no other.
	 */
	<T extends Record> void write(RingLane lane, int slot, int tag, int place, T message, int length, ResponseKind kind,
			MessageLayout<T> messages) {
		int offset = offset(place);
		if (lane.hasPayloads()) {
			int payload = lane.payloadOffset(slot);
			messages.write(message, lane.memory(), payload);
			if (lane.isInline(length)) {
				lane.memory().bytes().get(payload, this.bytes, offset, length);
			}
		}
		else {
			messages.write(message, this.buffer, offset);
		}
		lane.publish(slot, tag, length, kind, 0, this.bytes, offset);
	}

	/**
	 * Decodes the message of a slot whose header was found, in the place of the same
	 * number.
	 * @return the message, or {@code null} if a part of it is not there
	 */
	<T extends Record> @Nullable T read(RingLane lane, int slot, int tag, MessageLayout<T> messages) {
		return read(lane, slot, tag, slot, messages);
	}

	/**
	 * Decodes the message of a slot whose header was found, made contiguous in a place if
	 * it is inline. The length is read once: the writer is not trusted to leave it as it
	 * is.
	 * @return the message, or {@code null} if a part of it is not there
	 */
	<T extends Record> @Nullable T read(RingLane lane, int slot, int tag, int place, MessageLayout<T> messages) {
		int length = lane.length(slot);
		if (!lane.isValid(length)) {
			throw new CorruptMessageException(
					"The message in slot %d states a length of %d B; the ring holds 0 to %d B.".formatted(slot, length,
							lane.maxBytes()));
		}
		if (lane.isInline(length)) {
			if (!lane.gather(slot, tag, length, this.bytes, offset(place))) {
				return null;
			}
			return messages.read(this.buffer, offset(place), length);
		}
		return messages.read(lane.memory(), lane.payloadOffset(slot), length);
	}

}
