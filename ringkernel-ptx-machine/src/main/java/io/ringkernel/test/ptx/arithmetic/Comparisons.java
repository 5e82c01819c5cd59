package io.ringkernel.test.ptx.arithmetic;

import io.ringkernel.test.ptx.text.ScalarType;
import io.ringkernel.test.ptx.text.Statement;

/**
 * How {@code setp} and {@code set} compare.
 *
 * @since 0.2.0
 */
public final class Comparisons {

	/** What two values are compared by. */
	@FunctionalInterface
	public interface Comparison {

		boolean holds(long first, long second);

	}

	private Comparisons() {
	}

	public static Comparison of(Statement statement) {
		String name = statement.opcode().get(1);
		ScalarType type = statement.type();
		if (type.isFloat()) {
			if (statement.has("ftz")) {
				throw statement.refused("is not supported with .ftz");
			}
			Comparison comparison = ofReals(statement, name);
			return (type == ScalarType.F64) ? comparison : (a, b) -> comparison
				.holds(Floats.bits((double) Floats.single(a)), Floats.bits((double) Floats.single(b)));
		}
		int shift = Integers.shift(type);
		return switch (name) {
			case "eq" -> (a, b) -> (a ^ b) << shift == 0;
			case "ne" -> (a, b) -> (a ^ b) << shift != 0;
			case "lt" -> (a, b) -> Integers.isLess(type, a, b);
			case "le" -> (a, b) -> !Integers.isLess(type, b, a);
			case "gt" -> (a, b) -> Integers.isLess(type, b, a);
			case "ge" -> (a, b) -> !Integers.isLess(type, a, b);
			case "lo" -> (a, b) -> Long.compareUnsigned(a << shift, b << shift) < 0;
			case "ls" -> (a, b) -> Long.compareUnsigned(a << shift, b << shift) <= 0;
			case "hi" -> (a, b) -> Long.compareUnsigned(a << shift, b << shift) > 0;
			case "hs" -> (a, b) -> Long.compareUnsigned(a << shift, b << shift) >= 0;
			default -> throw statement.refused("does not compare integers");
		};
	}

	/** Those with a {@code u} hold of a NaN, the others do not. */
	private static Comparison ofReals(Statement statement, String name) {
		return switch (name) {
			case "eq" -> (a, b) -> Floats.real(a) == Floats.real(b);
			case "ne" -> (a, b) -> Floats.real(a) < Floats.real(b) || Floats.real(a) > Floats.real(b);
			case "lt" -> (a, b) -> Floats.real(a) < Floats.real(b);
			case "le" -> (a, b) -> Floats.real(a) <= Floats.real(b);
			case "gt" -> (a, b) -> Floats.real(a) > Floats.real(b);
			case "ge" -> (a, b) -> Floats.real(a) >= Floats.real(b);
			case "equ" -> (a, b) -> !(Floats.real(a) < Floats.real(b) || Floats.real(a) > Floats.real(b));
			case "neu" -> (a, b) -> Floats.real(a) != Floats.real(b);
			case "ltu" -> (a, b) -> !(Floats.real(a) >= Floats.real(b));
			case "leu" -> (a, b) -> !(Floats.real(a) > Floats.real(b));
			case "gtu" -> (a, b) -> !(Floats.real(a) <= Floats.real(b));
			case "geu" -> (a, b) -> !(Floats.real(a) < Floats.real(b));
			case "num" -> (a, b) -> !Double.isNaN(Floats.real(a)) && !Double.isNaN(Floats.real(b));
			case "nan" -> (a, b) -> Double.isNaN(Floats.real(a)) || Double.isNaN(Floats.real(b));
			default -> throw statement.refused("does not compare numbers");
		};
	}

}
