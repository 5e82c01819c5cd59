package io.ringkernel.compiler.strict;

/**
 * Methods of {@link String} for a text as a message has it, in UTF-8. The text is well
 * formed; whatever else the bytes are, nothing outside of them is read.
 *
 * @since 0.2.0
 */
public final class StrictText {

	/** What begins two bytes is at least this, and so on. */
	private static final int TWO = 0xc0;

	private static final int THREE = 0xe0;

	private static final int FOUR = 0xf0;

	/** The bits that a byte has which is not the first of a character. */
	private static final int BITS = 6;

	private static final int MASK = 0x3f;

	/** The first of a pair of surrogates, less the 10 bits that no point has. */
	private static final int HIGH = Character.MIN_HIGH_SURROGATE - (Character.MIN_SUPPLEMENTARY_CODE_POINT >> 10);

	private static final int LOW = Character.MIN_LOW_SURROGATE;

	private static final int HASH_FACTOR = 31;

	private StrictText() {
	}

	/** What {@link String#length} returns. */
	public static int length(byte[] utf8) {
		int units = 0;
		for (int at = 0; at < utf8.length; at++) {
			int lead = utf8[at] & 0xff;
			units += (lead >= FOUR) ? 2 : (lead >= TWO || lead < 0x80) ? 1 : 0;
		}
		return units;
	}

	/**
	 * What {@link String#charAt} returns.
	 * @param units the length of the text, which the index is below
	 */
	public static char charAt(byte[] utf8, int units, int index) {
		if (units == utf8.length) {
			return (char) utf8[index];
		}
		int at = 0;
		int unit = 0;
		int lead = utf8[0] & 0xff;
		while (unit + units(lead) <= index) {
			unit += units(lead);
			at += bytes(lead);
			lead = utf8[at] & 0xff;
		}
		return unit(utf8, at, lead, index - unit);
	}

	/** What {@link String#hashCode} returns. */
	public static int hashCode(byte[] utf8) {
		int hash = 0;
		int at = 0;
		while (at < utf8.length) {
			int lead = utf8[at] & 0xff;
			hash = HASH_FACTOR * hash + unit(utf8, at, lead, 0);
			if (lead >= FOUR) {
				hash = HASH_FACTOR * hash + unit(utf8, at, lead, 1);
			}
			at += bytes(lead);
		}
		return hash;
	}

	/** What {@link String#equals} returns. */
	public static boolean equals(byte[] utf8, byte[] other) {
		if (utf8.length != other.length) {
			return false;
		}
		boolean equal = true;
		for (int at = 0; at < utf8.length; at++) {
			equal &= utf8[at] == other[at];
		}
		return equal;
	}

	private static int units(int lead) {
		return (lead >= FOUR) ? 2 : 1;
	}

	private static int bytes(int lead) {
		return (lead >= FOUR) ? 4 : (lead >= THREE) ? 3 : (lead >= TWO) ? 2 : 1;
	}

	/** A unit of UTF-16 of the character that begins there. */
	private static char unit(byte[] utf8, int at, int lead, int unit) {
		if (lead < TWO) {
			return (char) lead;
		}
		if (lead < THREE) {
			return (char) ((lead & 0x1f) << BITS | (utf8[at + 1] & MASK));
		}
		int last = (utf8[at + 1] & MASK) << BITS | (utf8[at + 2] & MASK);
		if (lead < FOUR) {
			return (char) ((lead & 0xf) << (2 * BITS) | last);
		}
		int point = (lead & 0x7) << (3 * BITS) | last << BITS | (utf8[at + 3] & MASK);
		return (char) ((unit == 0) ? HIGH + (point >> 10) : LOW | (point & 0x3ff));
	}

}
