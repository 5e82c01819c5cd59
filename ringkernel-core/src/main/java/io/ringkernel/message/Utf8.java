package io.ringkernel.message;

import java.nio.ByteBuffer;

/**
 * Measures and encodes strings as UTF-8 without allocating.
 */
final class Utf8 {

	private Utf8() {
	}

	/**
	 * The encoded length of a string, which may exceed neither {@code int} nor three
	 * times the string's length.
	 * @return the length in bytes, or {@code ~index} of the first unpaired surrogate
	 */
	static int length(String string) {
		int chars = string.length();
		int index = 0;
		while (index < chars && string.charAt(index) < 0x80) {
			index++;
		}
		long bytes = index;
		for (; index < chars; index++) {
			char unit = string.charAt(index);
			if (unit < 0x80) {
				bytes++;
			}
			else if (unit < 0x800) {
				bytes += 2;
			}
			else if (!Character.isSurrogate(unit)) {
				bytes += 3;
			}
			else if (isPair(string, index)) {
				bytes += 4;
				index++;
			}
			else {
				return ~index;
			}
		}
		return (int) Math.min(bytes, Integer.MAX_VALUE);
	}

	static void encode(String string, ByteBuffer target, int offset) {
		int chars = string.length();
		int at = offset;
		for (int index = 0; index < chars; index++) {
			char unit = string.charAt(index);
			if (unit < 0x80) {
				target.put(at++, (byte) unit);
			}
			else if (unit < 0x800) {
				target.put(at++, (byte) (0xC0 | (unit >> 6)));
				target.put(at++, continuation(unit));
			}
			else if (!Character.isSurrogate(unit)) {
				target.put(at++, (byte) (0xE0 | (unit >> 12)));
				target.put(at++, continuation(unit >> 6));
				target.put(at++, continuation(unit));
			}
			else {
				int codePoint = Character.toCodePoint(unit, string.charAt(++index));
				target.put(at++, (byte) (0xF0 | (codePoint >> 18)));
				target.put(at++, continuation(codePoint >> 12));
				target.put(at++, continuation(codePoint >> 6));
				target.put(at++, continuation(codePoint));
			}
		}
	}

	private static boolean isPair(String string, int index) {
		return Character.isHighSurrogate(string.charAt(index)) && index + 1 < string.length()
				&& Character.isLowSurrogate(string.charAt(index + 1));
	}

	private static byte continuation(int bits) {
		return (byte) (0x80 | (bits & 0x3F));
	}

}
