package io.ringkernel.message.buffer;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;

import io.ringkernel.message.MessageLayout;

/**
 * The large arrays of a message that is encoded: everything else is written at once,
 * their elements are copied afterwards. So a reader of the message can follow the copy,
 * and whatever may fail in a record has failed before the first element is copied.
 * <p>
 * For one thread at a time and one message after another: have a {@code MessageLayout}
 * write to the {@link #buffer()}, {@link #copy} the arrays, and {@link #clear} in any
 * case.
 *
 * @since 0.2.0
 */
public final class DeferredArrays {

	/** A worker has so much in flight at once: it loads a smaller array in one go. */
	static final int LEAST_BYTES = 128 << 10;

	private final MessageBuffer buffer;

	/** In the order of their places. */
	private final List<Deferred> arrays = new ArrayList<>();

	/**
	 * Defers the large arrays of messages that are written to some memory.
	 * @param memory the memory
	 */
	public DeferredArrays(MessageBuffer memory) {
		this.buffer = memory.deferring(this);
	}

	/**
	 * The memory. An array that is written to it may be deferred.
	 * @return a buffer for this thread alone
	 */
	public MessageBuffer buffer() {
		return this.buffer;
	}

	/**
	 * {@return whether all of the message is there: no array was deferred}
	 */
	public boolean isEmpty() {
		return this.arrays.isEmpty();
	}

	/**
	 * Where the first deferred array goes: all bytes of the message before it are there.
	 * @return the offset in the buffer
	 */
	public int begin() {
		return this.arrays.get(0).at();
	}

	/**
	 * Copies the arrays from front to back, with the help of other threads.
	 * @param progress called by this thread each time that more is there: with an offset
	 * in the buffer before which nothing is missing. What other threads have copied
	 * happens before the call.
	 * @throws IllegalStateException if a part could not be copied
	 */
	public void copy(IntConsumer progress) {
		long bytes = 0;
		for (Deferred array : this.arrays) {
			bytes += (long) array.count() * array.elementSize();
		}
		List<Piece> pieces = new ArrayList<>();
		for (Deferred array : this.arrays) {
			int count = SharedCopy.bytesPerPart(bytes) / array.elementSize();
			for (int from = 0; from < array.count(); from += count) {
				pieces.add(new Piece(array, from, Math.min(count, array.count() - from)));
			}
		}
		MessageBuffer target = this.buffer;
		SharedCopy.run(pieces.size(), (part) -> pieces.get(part).copyTo(target), bytes,
				(copied) -> progress.accept(endOf(pieces, copied)));
	}

	/** Up to the next piece, since what lies between two arrays was written before. */
	private static int endOf(List<Piece> pieces, int copied) {
		return (copied < pieces.size()) ? pieces.get(copied).at() : pieces.get(copied - 1).end();
	}

	/** Forgets the arrays. */
	public void clear() {
		this.arrays.clear();
	}

	/** Defers an array if it is large, and returns whether it will be copied. */
	boolean add(Object array, int count, int elementSize, int at) {
		if (count < LEAST_BYTES / elementSize) {
			return false;
		}
		int index = this.arrays.size();
		while (index > 0 && this.arrays.get(index - 1).at() > at) {
			index--;
		}
		this.arrays.add(index, new Deferred(array, count, elementSize, at));
		return true;
	}

	private record Deferred(Object array, int count, int elementSize, int at) {

	}

	private record Piece(Deferred array, int from, int count) {

		int at() {
			return this.array.at() + this.from * this.array.elementSize();
		}

		int end() {
			return at() + this.count * this.array.elementSize();
		}

		void copyTo(MessageBuffer target) {
			target.put(this.array.array(), this.from, this.count, at());
		}

	}

}
