package io.ringkernel.ring;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

import io.ringkernel.message.MessageBuffer;

/**
 * One direction of a ring: writes messages into slots and recognises them as complete.
 * <p>
 * <strong>Memory ordering.</strong> A chunk is two 8-byte words; the second holds the
 * tag. The writer stores the first word plainly and then the second with
 * <em>release</em>; the reader loads the second with <em>acquire</em> and, where the tag
 * matches, the first: it reads what was written with that tag. (A CUDA kernel moves the
 * whole chunk in one 16-byte access, which has the same effect.) Chunks need no order
 * among each other: each is checked by its own tag. The header is written last all the
 * same, so that a reader which finds it rarely waits for the rest.
 * <p>
 * The payload of a large message is written plainly before the header's release store and
 * read plainly after the acquire load that finds the header: that pair orders it.
 */
final class RingLane {

	private static final VarHandle WORD = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

	private final MessageBuffer memory;

	private final ByteBuffer bytes;

	private final LaneLayout layout;

	RingLane(MessageBuffer memory, LaneLayout layout) {
		this.memory = memory;
		this.bytes = memory.bytes();
		this.layout = layout;
	}

	/**
	 * Whether a message of some length travels inside its slot.
	 */
	boolean isInline(int length) {
		return length <= this.layout.inlineBytes();
	}

	/**
	 * Publishes a message. If it is inline, it is copied from where it was made; if not,
	 * it has been written into the payload already.
	 */
	void publish(int slot, int tag, int length, int kind, int detail, MessageBuffer staging, int stagingOffset) {
		int offset = this.layout.slotOffset(slot);
		if (isInline(length)) {
			ByteBuffer source = staging.bytes();
			int end = stagingOffset + length;
			int chunk = offset + RingLayout.CHUNK_BYTES;
			for (int from = stagingOffset; from < end; from += RingLayout.CHUNK_DATA_BYTES) {
				putChunk(chunk, source.getLong(from), source.getInt(from + Long.BYTES), tag);
				chunk += RingLayout.CHUNK_BYTES;
			}
		}
		putChunk(offset, (length & 0xffffffffL) | (long) kind << 32, detail, tag);
	}

	/**
	 * Changes the kind that the header of a published message states. The device reads
	 * the header in one access, and finds the one kind or the other.
	 */
	void changeKind(int slot, int kind) {
		int offset = this.layout.slotOffset(slot);
		WORD.setRelease(this.bytes, offset, (length(slot) & 0xffffffffL) | (long) kind << 32);
	}

	private void putChunk(int offset, long first, int third, int tag) {
		this.bytes.putLong(offset, first);
		WORD.setRelease(this.bytes, offset + Long.BYTES, (third & 0xffffffffL) | (long) tag << 32);
	}

	/**
	 * The tag of the slot's header: the lap of the latest message in it.
	 */
	int headerTag(int slot) {
		return tagOf(this.layout.slotOffset(slot));
	}

	private int tagOf(int chunkOffset) {
		return (int) ((long) WORD.getAcquire(this.bytes, chunkOffset + Long.BYTES) >>> 32);
	}

	/**
	 * Whether the message of a lap is there in whole. A header with a length that cannot
	 * be inline has no chunks to wait for; whether it is valid is checked on reading.
	 */
	boolean isComplete(int slot, int tag) {
		int offset = this.layout.slotOffset(slot);
		if (tagOf(offset) != tag) {
			return false;
		}
		int length = length(slot);
		int chunks = (length >= 0 && isInline(length)) ? RingLayout.dataChunks(length) : 0;
		for (int i = 1; i <= chunks; i++) {
			if (tagOf(offset + i * RingLayout.CHUNK_BYTES) != tag) {
				return false;
			}
		}
		return true;
	}

	int length(int slot) {
		return this.bytes.getInt(this.layout.slotOffset(slot));
	}

	int kind(int slot) {
		return this.bytes.getInt(this.layout.slotOffset(slot) + Integer.BYTES);
	}

	int detail(int slot) {
		return this.bytes.getInt(this.layout.slotOffset(slot) + Long.BYTES);
	}

	/**
	 * Whether a length that a message states is one that its lane can hold.
	 */
	boolean isValid(int length) {
		return length >= 0 && length <= this.layout.maxBytes();
	}

	/**
	 * Copies a complete inline message into contiguous memory.
	 */
	void gather(int slot, int length, MessageBuffer staging, int stagingOffset) {
		ByteBuffer target = staging.bytes();
		int end = stagingOffset + length;
		int chunk = this.layout.slotOffset(slot) + RingLayout.CHUNK_BYTES;
		for (int to = stagingOffset; to < end; to += RingLayout.CHUNK_DATA_BYTES) {
			target.putLong(to, this.bytes.getLong(chunk));
			target.putInt(to + Long.BYTES, this.bytes.getInt(chunk + Long.BYTES));
			chunk += RingLayout.CHUNK_BYTES;
		}
	}

	/**
	 * Whether a message may be too large for a slot, so that each slot has a payload.
	 */
	boolean hasPayloads() {
		return this.layout.payloadStride() > 0;
	}

	int payloadOffset(int slot) {
		return this.layout.payloadOffset(slot);
	}

	MessageBuffer memory() {
		return this.memory;
	}

	int maxBytes() {
		return this.layout.maxBytes();
	}

	/**
	 * Takes the tags off all chunks of a slot.
	 */
	void clear(int slot) {
		int offset = this.layout.slotOffset(slot);
		for (int i = 0; i < this.layout.chunks(); i++) {
			putChunk(offset + i * RingLayout.CHUNK_BYTES, 0, 0, LapTag.NONE);
		}
	}

}
