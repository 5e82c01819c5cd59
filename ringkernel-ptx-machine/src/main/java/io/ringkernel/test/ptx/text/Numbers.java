package io.ringkernel.test.ptx.text;

import io.ringkernel.test.ptx.text.Operand.Literal;

/** Reads numbers. */
final class Numbers {

	private static final int HEX = 16;

	private Numbers() {
	}

	static boolean begins(String token) {
		return !token.isEmpty() && Character.isDigit(token.charAt(0));
	}

	static Literal literal(String token, boolean negative) {
		if (token.startsWith("0f") || token.startsWith("0F")) {
			return new Literal(Integer.parseUnsignedInt(token.substring(2), HEX), ScalarType.F32);
		}
		if (token.startsWith("0d") || token.startsWith("0D")) {
			return new Literal(Long.parseUnsignedLong(token.substring(2), HEX), ScalarType.F64);
		}
		if (!isHex(token) && token.chars().anyMatch((sign) -> sign == '.' || sign == 'e' || sign == 'E')) {
			double value = Double.parseDouble(token);
			return new Literal(Double.doubleToRawLongBits(negative ? -value : value), ScalarType.F64);
		}
		long value = integer(token);
		return new Literal(negative ? -value : value, ScalarType.S64);
	}

	static long integer(String token) {
		String digits = token.endsWith("U") ? token.substring(0, token.length() - 1) : token;
		return isHex(digits) ? Long.parseUnsignedLong(digits.substring(2), HEX) : Long.parseUnsignedLong(digits);
	}

	private static boolean isHex(String token) {
		return token.startsWith("0x") || token.startsWith("0X");
	}

}
