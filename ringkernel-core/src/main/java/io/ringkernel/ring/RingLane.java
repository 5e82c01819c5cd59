package io.ringkernel.ring;

import java.lang.invoke.VarHandle;
import java.nio.LongBuffer;

import io.ringkernel.message.MessageBuffer;

/**
 * One direction of a ring: writes messages into slots and recognises them as complete.
 * <p>
 * <strong>Memory ordering.</strong> A chunk is two 8-byte words; the second holds the
 * tag. The writer stores the first word and, behind a <em>release</em> fence, the second;
 * the reader loads the second and, behind an <em>acquire</em> fence, where the tag
 * matches, the first: it reads what was written with that tag. (A CUDA kernel moves the
 * whole chunk in one 16-byte access, which has the same effect.) A word is aligned, so a
 * 64-bit JVM, which is what there are CUDA drivers for, moves it in one access. Fences
 * rather than ordered accesses, because one fence serves all tags of a message. Chunks
 * need no order among each other: each is checked by its own tag. The header is written
 * last all the same, so that a reader which finds it rarely waits for the rest.
 * <p>
 * The payload of a large message is written plainly before the header's release store and
 * read plainly after the acquire load that finds the header: that pair orders it.
 */
final class RingLane {

	private static final long LOW_HALF = 0xffffffffL;

	private static final int WORDS_PER_CHUNK = RingLayout.CHUNK_BYTES / Long.BYTES;

	private final MessageBuffer memory;

	private final LongBuffer words;

	private final LaneLayout layout;

	RingLane(MessageBuffer memory, LaneLayout layout) {
		this.memory = memory;
		this.words = memory.longs();
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
		int header = header(slot);
		if (isInline(length)) {
			scatter(staging.longs(), stagingOffset / Long.BYTES, header + WORDS_PER_CHUNK,
					RingLayout.dataChunks(length), tag);
		}
		putChunk(header, (length & LOW_HALF) | (long) kind << Integer.SIZE, detail, tag);
	}

	/**
	 * Copies contiguous data into chunks. Two of them hold three words, so every access
	 * is to an aligned word. The loops here do not count by one: a compiler would make
	 * three loops of each, which are a handful of rounds together.
	 */
	private void scatter(LongBuffer source, int from, int to, int chunks, int tag) {
		int at = from;
		int chunk = to;
		int endOfPairs = endOfPairs(to, chunks);
		while (chunk != endOfPairs) {
			long second = source.get(at + 1);
			long third = source.get(at + 2);
			putChunk(chunk, source.get(at), (int) second, tag);
			putChunk(chunk + WORDS_PER_CHUNK, second >>> Integer.SIZE | third << Integer.SIZE,
					(int) (third >>> Integer.SIZE), tag);
			at += 3;
			chunk += 2 * WORDS_PER_CHUNK;
		}
		if (chunks % 2 != 0) {
			putChunk(chunk, source.get(at), (int) source.get(at + 1), tag);
		}
	}

	/** Where the last chunk that has no pair begins, or would. */
	private static int endOfPairs(int first, int chunks) {
		return first + (chunks & ~1) * WORDS_PER_CHUNK;
	}

	private int header(int slot) {
		return this.layout.slotOffset(slot) / Long.BYTES;
	}

	private void putChunk(int word, long first, int third, int tag) {
		this.words.put(word, first);
		VarHandle.releaseFence();
		this.words.put(word + 1, (third & LOW_HALF) | (long) tag << Integer.SIZE);
	}

	/**
	 * Changes the kind that the header of a published message states. The device reads
	 * the header in one access, and finds the one kind or the other.
	 */
	void changeKind(int slot, int kind) {
		this.words.put(header(slot), (length(slot) & LOW_HALF) | (long) kind << Integer.SIZE);
	}

	/**
	 * The tag of the slot's header: the lap of the latest message in it.
	 */
	int headerTag(int slot) {
		long second = this.words.get(header(slot) + 1);
		VarHandle.acquireFence();
		return (int) (second >>> Integer.SIZE);
	}

	/**
	 * Whether the message of a lap is there in whole. A header with a length that cannot
	 * be inline has no chunks to wait for; whether it is valid is checked on reading.
	 */
	boolean isComplete(int slot, int tag) {
		if (headerTag(slot) != tag) {
			return false;
		}
		int length = length(slot);
		int chunks = (length >= 0 && isInline(length)) ? RingLayout.dataChunks(length) : 0;
		long lap = (long) tag << Integer.SIZE;
		long differences = 0;
		int word = header(slot) + 1;
		int last = word + chunks * WORDS_PER_CHUNK;
		while (word != last) {
			word += WORDS_PER_CHUNK;
			differences |= this.words.get(word) ^ lap;
		}
		VarHandle.acquireFence();
		return differences >>> Integer.SIZE == 0;
	}

	int length(int slot) {
		return (int) this.words.get(header(slot));
	}

	int kind(int slot) {
		return (int) (this.words.get(header(slot)) >>> Integer.SIZE);
	}

	int detail(int slot) {
		return (int) this.words.get(header(slot) + 1);
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
		LongBuffer target = staging.longs();
		int chunks = RingLayout.dataChunks(length);
		int to = stagingOffset / Long.BYTES;
		int chunk = header(slot) + WORDS_PER_CHUNK;
		int endOfPairs = endOfPairs(chunk, chunks);
		while (chunk != endOfPairs) {
			long third = this.words.get(chunk + 2);
			target.put(to, this.words.get(chunk));
			target.put(to + 1, (this.words.get(chunk + 1) & LOW_HALF) | third << Integer.SIZE);
			target.put(to + 2, third >>> Integer.SIZE | this.words.get(chunk + 3) << Integer.SIZE);
			to += 3;
			chunk += 2 * WORDS_PER_CHUNK;
		}
		if (chunks % 2 != 0) {
			target.put(to, this.words.get(chunk));
			target.put(to + 1, this.words.get(chunk + 1) & LOW_HALF);
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
		int end = header(slot) + this.layout.chunks() * WORDS_PER_CHUNK;
		for (int chunk = header(slot); chunk < end; chunk += WORDS_PER_CHUNK) {
			putChunk(chunk, 0, 0, LapTag.NONE);
		}
	}

}
