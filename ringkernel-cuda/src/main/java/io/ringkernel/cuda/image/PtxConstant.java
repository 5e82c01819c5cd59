package io.ringkernel.cuda.image;

import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A constant as PTX writes it: {@code .visible .global .align 8 .b8 NAME[80] = {82, 75,
 * …};}
 */
final class PtxConstant {

	/** The width of an element, the number of elements, and those that are stated. */
	private static final Pattern DECLARATION = Pattern
		.compile("\\.[bsu](8|16|32|64)\\s+[\\w$]+\\[(\\d+)\\]\\s*=\\s*\\{([^}]*)\\}");

	private static final Pattern SEPARATOR = Pattern.compile("[\\s,]+");

	/** Larger ones are no descriptions, and are not made room for. */
	private static final int LIMIT = 1 << 20;

	private PtxConstant() {
	}

	/**
	 * The bytes of a constant; none if the text has no such constant, or not as numbers.
	 */
	static byte[] read(String text, String name) {
		String declared = name + "[";
		for (int at = text.indexOf(declared); at >= 0; at = text.indexOf(declared, at + 1)) {
			Matcher declaration = DECLARATION.matcher(text)
				.region(Math.max(0, text.lastIndexOf('.', at)), text.length());
			if (isSeparated(text, at) && declaration.lookingAt()) {
				return bytes(Integer.parseInt(declaration.group(1)) / 8, declaration.group(2), declaration.group(3));
			}
		}
		return new byte[0];
	}

	/** The name is not the end of another one. */
	private static boolean isSeparated(String text, int at) {
		return at > 0 && Character.isWhitespace(text.charAt(at - 1));
	}

	/** What is not stated is zero. */
	private static byte[] bytes(int width, String count, String elements) {
		try {
			ByteBuffer bytes = ByteBuffer.allocate(Math.min(LIMIT, Math.multiplyExact(width, Integer.parseInt(count))))
				.order(ByteOrder.LITTLE_ENDIAN);
			for (String element : SEPARATOR.split(elements.strip(), -1)) {
				long value = Long.parseUnsignedLong(element);
				for (int i = 0; i < width; i++) {
					bytes.put((byte) (value >>> (Byte.SIZE * i)));
				}
			}
			return bytes.array();
		}
		catch (NumberFormatException | ArithmeticException | BufferOverflowException ex) {
			return new byte[0];
		}
	}

}
