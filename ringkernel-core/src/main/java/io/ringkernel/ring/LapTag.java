package io.ringkernel.ring;

/**
 * The 32-bit tag that every chunk of a slot carries: which lap of the ring wrote it.
 * <p>
 * A tag is {@code lap << 1 | 1}, so that zero, the content of fresh memory and of a
 * cleared chunk, is never a tag. It wraps after 2<sup>31</sup> laps. So that a chunk left
 * over from one wrap ago is never taken for new, whoever first uses a slot in either
 * <em>half</em> of the tag space (its upper bit) clears the slot's chunks in both
 * directions before publishing. Why that suffices: at that moment the slot holds only
 * tags of the half before, because everything older was cleared when that half began, one
 * full round trip of this slot earlier; the two halves have no tag in common. So neither
 * a chunk that is not yet cleared nor one that is can match the tag being waited for.
 */
public final class LapTag {

	/** What fresh and cleared memory holds; never a tag. */
	public static final int NONE = 0;

	private LapTag() {
	}

	/**
	 * The tag of a position.
	 * @param position a position, counted from 0 over all laps
	 * @param slotsShift the binary logarithm of the number of slots
	 * @return the tag, never {@link #NONE}
	 */
	public static int of(long position, int slotsShift) {
		return (int) (position >>> slotsShift) << 1 | 1;
	}

	/**
	 * The half of the tag space that a tag lies in.
	 * @param tag a tag
	 * @return 0 or 1
	 */
	public static int half(int tag) {
		return tag >>> 31;
	}

	/**
	 * Whether one tag is of a later lap than another; meaningful for laps that are fewer
	 * than 2<sup>30</sup> apart.
	 * @param tag a tag
	 * @param other another
	 * @return whether {@code tag} is later
	 */
	public static boolean isLater(int tag, int other) {
		return tag - other > 0;
	}

	/**
	 * Whether a range of laps, as the entry of a slot that was passed over states it,
	 * contains a lap.
	 * @param range the first tag in the lower half, the last one in the upper; 0 for an
	 * empty range
	 * @param tag a tag
	 * @return whether it does
	 */
	public static boolean isWithin(long range, int tag) {
		return !isLater((int) range, tag) && !isLater(tag, (int) (range >>> 32));
	}

}
