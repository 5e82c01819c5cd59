package io.ringkernel.ring;

/**
 * The 32-bit tag that every chunk of a slot carries: which lap of the ring wrote it.
 * <p>
 * A tag is {@code lap << 1 | 1}, so that zero, the content of fresh memory and of a
 * cleared chunk, is never a tag. It wraps after 2<sup>31</sup> laps. A chunk left over
 * from one wrap ago must never be taken for new. The first producer that uses a slot in
 * either <em>half</em> of the tag space (its upper bit) therefore clears the slot's
 * chunks in both directions before it publishes. At that moment the slot holds only tags
 * of the half before, because everything older was cleared when that half began, and the
 * two halves have no tag in common. Neither a chunk that is cleared nor one that is not
 * yet cleared can match the tag for which a reader waits.
 *
 * @since 0.1.0
 */
public final class LapTag {

	/** What fresh and cleared memory holds; never a tag. */
	public static final int NONE = 0;

	private LapTag() {
	}

	/**
	 * {@return the tag of a position, never {@link #NONE}}
	 * @param position a position, counted from 0 over all laps
	 * @param slotsShift the binary logarithm of the number of slots
	 */
	public static int of(long position, int slotsShift) {
		return (int) (position >>> slotsShift) << 1 | 1;
	}

	/**
	 * {@return the half of the tag space that a tag lies in, 0 or 1}
	 * @param tag a tag
	 */
	public static int half(int tag) {
		return tag >>> 31;
	}

	/**
	 * {@return whether one tag is of a later lap than another; meaningful for laps that
	 * are fewer than 2<sup>30</sup> apart}
	 * @param tag a tag
	 * @param other another
	 */
	public static boolean isLater(int tag, int other) {
		return tag - other > 0;
	}

	/**
	 * {@return whether the word of a slot's skipped laps contains a lap}
	 * @param range the first tag in the lower half, the last one in the upper; 0 for an
	 * empty range
	 * @param tag a tag
	 */
	public static boolean isWithin(long range, int tag) {
		return !isLater((int) range, tag) && !isLater(tag, (int) (range >>> 32));
	}

}
