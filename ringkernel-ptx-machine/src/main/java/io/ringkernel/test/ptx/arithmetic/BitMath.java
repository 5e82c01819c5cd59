package io.ringkernel.test.ptx.arithmetic;

import java.util.function.LongBinaryOperator;
import java.util.function.LongUnaryOperator;

import io.ringkernel.test.ptx.text.ScalarType;
import io.ringkernel.test.ptx.text.Statement;
import org.jspecify.annotations.Nullable;

/**
 * Instructions that look at bits.
 *
 * @since 0.2.0
 */
public final class BitMath {

	private static final long NOT_FOUND = 0xffffffffL;

	private static final int BYTE_MASK = 0xff;

	private static final int COUNT_MASK = 31;

	private BitMath() {
	}

	static @Nullable LongUnaryOperator unary(Statement statement) {
		ScalarType type = statement.type();
		int shift = Integers.shift(type);
		return switch (statement.operation()) {
			case "popc" -> (value) -> Long.bitCount(value << shift);
			case "clz" -> (value) -> Math.min(type.bits(), Long.numberOfLeadingZeros(value << shift));
			case "brev" -> (value) -> Long.reverse(value) >>> shift;
			case "bfind" -> statement.has("shiftamt") ? (value) -> highest(type, value, true)
					: (value) -> highest(type, value, false);
			default -> null;
		};
	}

	/** The highest bit that differs from the sign, or that is set. */
	private static long highest(ScalarType type, long value, boolean asShift) {
		long extended = Integers.extend(type, value);
		long bits = (type.isSigned() && extended < 0) ? ~extended : extended;
		if (bits == 0) {
			return NOT_FOUND;
		}
		int position = Long.SIZE - 1 - Long.numberOfLeadingZeros(bits);
		return asShift ? type.bits() - 1 - position : position;
	}

	static @Nullable LongBinaryOperator binary(Statement statement) {
		return switch (statement.operation()) {
			case "bmsk" -> statement.has("wrap") ? (a, b) -> mask((int) a & COUNT_MASK, (int) b & COUNT_MASK)
					: (a, b) -> mask(clamp(a), clamp(b));
			default -> null;
		};
	}

	private static long mask(int position, int width) {
		return (position >= Integer.SIZE) ? 0 : ((1L << width) - 1) << position;
	}

	private static int clamp(long count) {
		return (int) Math.min(Integer.SIZE, Integer.toUnsignedLong((int) count));
	}

	static @Nullable TernaryOperator ternary(Statement statement) {
		return switch (statement.operation()) {
			case "shf" -> funnel(statement);
			case "bfe" -> extraction(statement.type());
			case "prmt" -> permutation(statement);
			default -> null;
		};
	}

	private static TernaryOperator funnel(Statement statement) {
		boolean wraps = statement.has("wrap");
		boolean left = statement.has("l");
		return (low, high, count) -> {
			long both = (high << Integer.SIZE) | (low & NOT_FOUND);
			int bits = wraps ? (int) count & COUNT_MASK : clamp(count);
			return left ? both << bits >>> Integer.SIZE : both >>> bits;
		};
	}

	private static TernaryOperator extraction(ScalarType type) {
		return (value, position, length) -> extract(type, value, (int) position & BYTE_MASK, (int) length & BYTE_MASK);
	}

	private static long extract(ScalarType type, long value, int position, int length) {
		if (length == 0) {
			return 0;
		}
		long extended = Integers.extend(type, value);
		// Bits beyond the value are its sign, or zero.
		int from = Math.min(position, Long.SIZE - 1);
		long shifted = type.isSigned() ? extended >> from : (position >= Long.SIZE) ? 0 : extended >>> from;
		int unused = Math.max(0, Long.SIZE - length);
		if (!type.isSigned()) {
			return shifted << unused >>> unused;
		}
		// The sign of a field that ends beyond the value is that of the value.
		return (position + length >= type.bits()) ? shifted : shifted << unused >> unused;
	}

	/** Puts the low bits of a value into another. */
	public static long insert(ScalarType type, long value, long into, long position, long length) {
		int from = (int) position & BYTE_MASK;
		int bits = (int) length & BYTE_MASK;
		if (bits == 0 || from >= type.bits()) {
			return into;
		}
		long mask = ((bits >= Long.SIZE) ? -1 : (1L << bits) - 1) << from;
		return (into & ~mask) | ((value << from) & mask);
	}

	private static TernaryOperator permutation(Statement statement) {
		if (statement.opcode().size() != 2) {
			throw statement.refused("is supported without a mode alone");
		}
		return (a, b, selector) -> {
			long bytes = (b << Integer.SIZE) | (a & NOT_FOUND);
			long result = 0;
			for (int i = 0; i < Integer.BYTES; i++) {
				int choice = (int) (selector >>> (4 * i)) & 0xf;
				byte chosen = (byte) (bytes >>> (Byte.SIZE * (choice & 7)));
				// The highest bit of a choice asks for the sign of the byte alone.
				int value = ((choice & 8) != 0) ? chosen >> (Byte.SIZE - 1) : chosen;
				result |= (long) (value & BYTE_MASK) << (Byte.SIZE * i);
			}
			return result;
		};
	}

	/** Any function of three bits, by its table. */
	public static TernaryOperator logic(int table) {
		return (a, b, c) -> {
			long result = 0;
			for (int row = 0; row < Byte.SIZE; row++) {
				if ((table >>> row & 1) != 0) {
					result |= ((row & 4) != 0 ? a : ~a) & ((row & 2) != 0 ? b : ~b) & ((row & 1) != 0 ? c : ~c);
				}
			}
			return result;
		};
	}

}
