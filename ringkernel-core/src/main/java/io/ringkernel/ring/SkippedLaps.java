package io.ringkernel.ring;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

import io.ringkernel.message.buffer.MessageBuffer;

/**
 * The positions that the host has skipped because their slot was still busy, as one range
 * of laps per slot. There never is a request at them.
 * <p>
 * An entry is one 8-byte word, {@code first tag | last tag << 32}, written whole. One
 * range is enough: the skipped laps are those that follow the busy one without a gap, and
 * an entry is begun anew only after the slot was claimed again. A worker that still waits
 * for a position of the range before finds a later request in its slot, which tells it
 * the same.
 * <p>
 * A kernel may store anything here by mistake. So the entries are for kernels alone, and
 * the host tells what it has claimed from its own {@link SlotWords}. From these it writes
 * the entries anew before another loop takes the ring over.
 * <p>
 * Only the host writes entries: additions are serialized by {@link SlotPassing}, the
 * forgetting of an old range can race with them, hence the compare-and-set. An entry
 * stands for itself, so nothing is ordered by it.
 */
final class SkippedLaps {

	private static final VarHandle WORD = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

	/** From the tag of one lap to that of the next. */
	private static final int LAP = 2;

	private final ByteBuffer bytes;

	private final RingLayout layout;

	SkippedLaps(MessageBuffer memory, RingLayout layout) {
		this.bytes = memory.bytes();
		this.layout = layout;
	}

	boolean contains(int slot, int tag) {
		long range = (long) WORD.getAcquire(this.bytes, this.layout.skippedLapsOffset(slot));
		return LapTag.isWithin(range, tag);
	}

	void add(int slot, int tag) {
		long range;
		long extended;
		do {
			range = (long) WORD.getVolatile(this.bytes, this.layout.skippedLapsOffset(slot));
			if (LapTag.isWithin(range, tag)) {
				return;
			}
			if (last(range) + LAP == tag) {
				extended = range(first(range), tag);
			}
			else if (first(range) - LAP == tag) {
				extended = range(tag, last(range));
			}
			else {
				extended = range(tag, tag);
			}
		}
		while (!WORD.compareAndSet(this.bytes, this.layout.skippedLapsOffset(slot), range, extended));
	}

	/**
	 * Begins with a range, which is empty if its last lap is before its first one. To be
	 * called before the ring is used.
	 */
	void cover(int slot, int first, int last) {
		write(slot, range(first, last));
	}

	/**
	 * Writes a {@link #range} over whatever a kernel has stored there. For one thread at
	 * a time, which excludes additions.
	 */
	void write(int slot, long range) {
		WORD.setVolatile(this.bytes, this.layout.skippedLapsOffset(slot), range);
	}

	/** Forgets a range that ended before a lap: tags wrap, and would make it new. */
	void forgetBefore(int slot, int tag) {
		long range = (long) WORD.getVolatile(this.bytes, this.layout.skippedLapsOffset(slot));
		if (!LapTag.isLater(last(range), tag)) {
			// If this fails, a lap was added meanwhile, and the range is not old.
			WORD.compareAndSet(this.bytes, this.layout.skippedLapsOffset(slot), range, 0L);
		}
	}

	/**
	 * The entry of a slot: the first tag in the lower half, the last in the upper; or 0.
	 */
	long range(int slot) {
		return (long) WORD.getOpaque(this.bytes, this.layout.skippedLapsOffset(slot));
	}

	private static long range(int first, int last) {
		return (first & 0xffffffffL) | (long) last << 32;
	}

	private static int first(long range) {
		return (int) range;
	}

	private static int last(long range) {
		return (int) (range >>> 32);
	}

}
