package io.ringkernel.ring;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.LongBuffer;

import io.ringkernel.exception.CorruptMessageException;
import io.ringkernel.message.MessageLayout;
import io.ringkernel.message.buffer.MessageBuffer;
import org.jspecify.annotations.Nullable;

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
 * The payload of a large message is written plainly. How many of its bytes are there, its
 * <em>progress</em>, is stated by the chunk behind the header: its first word is stored
 * behind a release fence that follows the bytes, and loaded before an acquire fence that
 * precedes their plain reads. That pair orders them. The tag of the chunk says of which
 * lap the progress is, so that of the lap before is not mistaken for it.
 */
final class RingLane {

	private static final long LOW_HALF = 0xffffffffL;

	private static final int WORDS_PER_CHUNK = RingLayout.CHUNK_BYTES / Long.BYTES;

	/** Three words of a message, which two chunks hold. */
	private static final int PAIR_DATA_BYTES = 2 * RingLayout.CHUNK_DATA_BYTES;

	/** The words of a message in an array. */
	private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

	/** Where the progress of a large message lies behind its header. */
	private static final int PROGRESS = RingLayout.PROGRESS_CHUNK * WORDS_PER_CHUNK;

	private static final byte[] NOTHING = {};

	private final MessageBuffer memory;

	private final LongBuffer words;

	private final LaneLayout layout;

	RingLane(MessageBuffer memory, LaneLayout layout) {
		this.memory = memory;
		this.words = memory.longs();
		this.layout = layout;
	}

	boolean isInline(int length) {
		return length <= this.layout.inlineBytes();
	}

	void publish(int slot, int tag, MessageKind kind, int detail) {
		publish(slot, tag, 0, kind, detail, NOTHING, 0);
	}

	/** Publishes a message. One that is not inline is in the payload already. */
	void publish(int slot, int tag, int length, MessageKind kind, int detail, byte[] source, int sourceOffset) {
		int header = header(slot);
		if (isInline(length)) {
			scatter(source, sourceOffset, header + WORDS_PER_CHUNK, RingLayout.dataChunks(length), tag);
		}
		else {
			putProgress(header, length, tag);
		}
		putHeader(header, length, kind, detail, tag);
	}

	/**
	 * Publishes a large message of which so many bytes from its start are in the payload.
	 * It is a message only once all of it is, but a device fetches behind it.
	 */
	void publishBeginning(int slot, int tag, int length, int available) {
		int header = header(slot);
		putProgress(header, available, tag);
		putHeader(header, length, MessageKind.DATA, 0, tag);
	}

	/** States how much of a large message is there now whose beginning was published. */
	void publishUpTo(int slot, int available) {
		VarHandle.releaseFence();
		this.words.put(header(slot) + PROGRESS, available);
	}

	/** Whether all of a large message is there, whose header was found. */
	boolean hasArrived(int slot, int tag, int length) {
		int progress = header(slot) + PROGRESS;
		long second = this.words.get(progress + 1);
		VarHandle.acquireFence();
		long available = this.words.get(progress);
		VarHandle.acquireFence();
		return (int) (second >>> Integer.SIZE) == tag && available >= length;
	}

	<T extends Record> void pack(int slot, int tag, T message, MessageLayout<T> messages) {
		int header = header(slot);
		this.words.put(header, dataHeader(messages.fixedSize()));
		messages.pack(message, this.words, header + WORDS_PER_CHUNK, tag);
		this.words.put(header + 1, (long) tag << Integer.SIZE);
	}

	/**
	 * Decodes the message of a slot whose header was found, if it is there in whole and
	 * one of a packed layout, and else returns {@code null}.
	 */
	<T extends Record> @Nullable T unpackData(int slot, int tag, MessageLayout<T> messages) {
		boolean isData = this.words.get(header(slot)) == dataHeader(messages.fixedSize());
		return isData ? unpack(slot, tag, messages) : null;
	}

	private static long dataHeader(int length) {
		return length | (long) MessageKind.DATA.code() << Integer.SIZE;
	}

	/**
	 * Decodes an inline message straight from its chunks; {@code null} if one is not
	 * there.
	 */
	<T extends Record> @Nullable T unpack(int slot, int tag, MessageLayout<T> messages) {
		return messages.unpack(this.words, header(slot) + WORDS_PER_CHUNK, tag);
	}

	/**
	 * Copies contiguous data into chunks. Two of them hold three words, so every access
	 * is to an aligned word, and share a fence. The loops here do not count by one: a
	 * compiler would make three loops of each, which are a handful of rounds together.
	 */
	private void scatter(byte[] source, int from, int to, int chunks, int tag) {
		LongBuffer target = this.words;
		long lap = (long) tag << Integer.SIZE;
		int at = from;
		int chunk = to;
		int endOfPairs = endOfPairs(to, chunks);
		while (chunk != endOfPairs) {
			long second = word(source, at + Long.BYTES);
			long third = word(source, at + 2 * Long.BYTES);
			target.put(chunk, word(source, at));
			target.put(chunk + 2, second >>> Integer.SIZE | third << Integer.SIZE);
			VarHandle.releaseFence();
			target.put(chunk + 1, (second & LOW_HALF) | lap);
			target.put(chunk + 3, third >>> Integer.SIZE | lap);
			at += PAIR_DATA_BYTES;
			chunk += 2 * WORDS_PER_CHUNK;
		}
		if (chunks % 2 != 0) {
			putChunk(chunk, word(source, at), (int) word(source, at + Long.BYTES), tag);
		}
	}

	private static long word(byte[] bytes, int at) {
		return (long) LONGS.get(bytes, at);
	}

	/** Where the last chunk that has no pair begins, or would. */
	private static int endOfPairs(int first, int chunks) {
		return first + (chunks & ~1) * WORDS_PER_CHUNK;
	}

	private int header(int slot) {
		return this.layout.slotOffset(slot) / Long.BYTES;
	}

	private void putHeader(int header, int length, MessageKind kind, int detail, int tag) {
		putChunk(header, (length & LOW_HALF) | (long) kind.code() << Integer.SIZE, detail, tag);
	}

	/** Behind a release fence that follows the bytes which are there. */
	private void putProgress(int header, int available, int tag) {
		VarHandle.releaseFence();
		putChunk(header + PROGRESS, available, 0, tag);
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

	/** The tag of the slot's header: the lap of the latest message in it. */
	int headerTag(int slot) {
		long second = this.words.get(header(slot) + 1);
		VarHandle.acquireFence();
		return (int) (second >>> Integer.SIZE);
	}

	/**
	 * Whether the message of a lap is there in whole. A header with a length that no
	 * message has is one for itself: it is refused on reading.
	 */
	boolean isComplete(int slot, int tag) {
		if (headerTag(slot) != tag) {
			return false;
		}
		int length = length(slot);
		if (this.layout.isInPayload(length)) {
			return hasArrived(slot, tag, length);
		}
		int chunks = (length >= 0 && isInline(length)) ? RingLayout.dataChunks(length) : 0;
		LongBuffer source = this.words;
		long lap = (long) tag << Integer.SIZE;
		long differences = 0;
		int word = header(slot) + WORDS_PER_CHUNK + 1;
		int endOfPairs = endOfPairs(word, chunks);
		while (word != endOfPairs) {
			differences |= source.get(word) ^ lap;
			differences |= source.get(word + WORDS_PER_CHUNK) ^ lap;
			word += 2 * WORDS_PER_CHUNK;
		}
		if (chunks % 2 != 0) {
			differences |= source.get(word) ^ lap;
		}
		VarHandle.acquireFence();
		return isNone(differences);
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

	boolean isValid(int length) {
		return length >= 0 && length <= this.layout.maxBytes();
	}

	/**
	 * @throws CorruptMessageException if its lane holds no message so long
	 */
	int validLength(int slot) {
		int length = length(slot);
		if (!isValid(length)) {
			throw new CorruptMessageException(
					"The message in slot %d states a length of %d B; the ring holds 0 to %d B.".formatted(slot, length,
							maxBytes()));
		}
		return length;
	}

	/**
	 * Copies an inline message whose header was found; returns whether all of it was
	 * there. If not, what was copied is none.
	 */
	boolean gather(int slot, int tag, int length, byte[] target, int targetOffset) {
		LongBuffer source = this.words;
		int chunks = RingLayout.dataChunks(length);
		long lap = (long) tag << Integer.SIZE;
		long differences = 0;
		int to = targetOffset;
		int chunk = header(slot) + WORDS_PER_CHUNK;
		int endOfPairs = endOfPairs(chunk, chunks);
		while (chunk != endOfPairs) {
			long second = source.get(chunk + 1);
			long fourth = source.get(chunk + 3);
			VarHandle.acquireFence();
			long third = source.get(chunk + 2);
			LONGS.set(target, to, source.get(chunk));
			LONGS.set(target, to + Long.BYTES, (second & LOW_HALF) | third << Integer.SIZE);
			LONGS.set(target, to + 2 * Long.BYTES, third >>> Integer.SIZE | fourth << Integer.SIZE);
			differences |= (second ^ lap) | (fourth ^ lap);
			to += PAIR_DATA_BYTES;
			chunk += 2 * WORDS_PER_CHUNK;
		}
		if (chunks % 2 != 0) {
			long second = source.get(chunk + 1);
			VarHandle.acquireFence();
			LONGS.set(target, to, source.get(chunk));
			LONGS.set(target, to + Long.BYTES, second & LOW_HALF);
			differences |= second ^ lap;
		}
		return isNone(differences);
	}

	private static boolean isNone(long differencesOfTags) {
		return differencesOfTags >>> Integer.SIZE == 0;
	}

	/** Whether a message may be too large for a slot, so that each slot has a payload. */
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
	 * Takes the tags off all chunks of a slot, and leaves what they hold. A reader may
	 * have seen the tag of the header just before: it must not find an empty message
	 * there, to which no chunk is missing.
	 */
	void clear(int slot) {
		int end = header(slot) + this.layout.chunks() * WORDS_PER_CHUNK;
		for (int chunk = header(slot); chunk < end; chunk += WORDS_PER_CHUNK) {
			this.words.put(chunk + 1, LapTag.NONE);
		}
	}

}
