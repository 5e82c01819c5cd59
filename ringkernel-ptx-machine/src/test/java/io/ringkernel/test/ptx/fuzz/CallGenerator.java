package io.ringkernel.test.ptx.fuzz;

import java.util.List;

import io.ringkernel.test.ptx.fuzz.ExpressionGenerator.Type;
import io.ringkernel.test.ptx.fuzz.ExpressionGenerator.Variables;

/**
 * Writes calls: of the JDK, of methods of the generated class, and of what messages
 * consist of. A placeholder is {@code I}, {@code L}, {@code F} or {@code D} behind a
 * {@code $}, an expression of that type, or {@code $C}, a condition.
 */
final class CallGenerator {

	private static final List<String> INTS = List.of("Math.min($I, $I)", "Math.max($I, $I)", "Math.abs($I)",
			"Math.floorMod($I, $I)", "Math.floorDiv($I, $I)", "Integer.rotateLeft($I, $I)", "Integer.compare($I, $I)",
			"Integer.bitCount($I)", "Integer.numberOfLeadingZeros($I)", "Integer.reverse($I)", "Integer.signum($I)",
			"Math.round($F)", "Float.floatToIntBits($F)", "Long.compare($L, $L)", "Double.compare($D, $D)",
			"Math.addExact($I, 1)", "floatToFloat16(Float.intBitsToFloat(Float.floatToIntBits($F)))",
			"Math.getExponent($F)", "Integer.highestOneBit($I)", "maybe.orElse($I)",
			"(maybe.isPresent() ? maybe.getAsInt() : $I)", "mode.ordinal()", "point.x()", "text.length()",
			"(text.isEmpty() ? $I : text.charAt($I & 1))", "text.hashCode()", "chosen($C, $I, $I)", "digits($I)",
			"found(ints, $I)", "(flag ? $I : $I)", "larger(new Both($I, $D), new Both($I, $D)).number()",
			"switch ($I & 3) { case 0 -> $I; case 1, 2 -> $I; default -> $I; }",
			"switch (+$I) { case 0, 31 -> $I; case -1 -> $I; case Integer.MIN_VALUE -> $I; default -> $I; }",
			"switch (mode) { case FIRST -> $I; case SECOND -> $I; case THIRD -> $I; }",
			"switch (text) { case \"a\" -> $I; case \"text\", \"other\" -> $I; default -> $I; }");

	private static final List<String> LONGS = List.of("Math.min($L, $L)", "Math.max($L, $L)", "Math.abs($L)",
			"Math.floorMod($L, $L)", "Math.floorDiv($L, $L)", "Long.rotateRight($L, $I)", "Long.reverse($L)",
			"Math.round($D)", "Double.doubleToLongBits($D)", "Long.bitCount($L)", "Long.numberOfTrailingZeros($L)",
			"point.y()", "Math.multiplyFull($I, $I)", "Integer.toUnsignedLong($I)", "($C ? $L : $I)",
			"switch (mode) { case SECOND -> $L; default -> $I; }");

	private static final List<String> FLOATS = List.of("Math.min($F, $F)", "Math.max($F, $F)", "Math.abs($F)",
			"Math.fma($F, $F, $F)", "Math.signum($F)", "StrictMath.copySign($F, $F)", "Float.intBitsToFloat($I)",
			"(float) Math.sqrt($F)", "Math.nextUp($F)", "float16ToFloat((short) $I)", "Math.ulp($F)",
			"Math.scalb($F, $I % 50)", "(flag ? $F : $F)");

	private static final List<String> DOUBLES = List.of("Math.min($D, $D)", "Math.max($D, $D)", "Math.abs($D)",
			"Math.sqrt($D)", "Math.floor($D)", "Math.ceil($D)", "Math.rint($D)", "Math.fma($D, $D, $D)",
			"Math.signum($D)", "StrictMath.cbrt($D)", "StrictMath.copySign($D, $D)",
			"larger(new Both($I, $D), new Both($I, $D)).real()", "Math.scalb($D, $I % 1200)", "Math.toRadians($D)",
			"StrictMath.exp($D)", "StrictMath.atan($D)", "StrictMath.tanh($D)", "StrictMath.log($D)");

	private static final List<String> CONDITIONS = List.of("flag", "mode == Input.Mode.SECOND", "maybe.isPresent()",
			"maybe.isEmpty()", "text.equals(\"text\")", "isOdd($I)", "Float.isNaN($F)", "Double.isInfinite($D)");

	private final ExpressionGenerator expressions;

	CallGenerator(ExpressionGenerator expressions) {
		this.expressions = expressions;
	}

	String of(Type type, int depth, Variables variables) {
		String call = this.expressions.pick(switch (type) {
			case INT -> INTS;
			case LONG -> LONGS;
			case FLOAT -> FLOATS;
			case DOUBLE -> DOUBLES;
		});
		return "(" + filled(call, depth, variables) + ")";
	}

	String condition(int depth, Variables variables) {
		return "(" + filled(this.expressions.pick(CONDITIONS), depth, variables) + ")";
	}

	private String filled(String call, int depth, Variables variables) {
		StringBuilder text = new StringBuilder();
		for (int i = 0; i < call.length(); i++) {
			if (call.charAt(i) != '$') {
				text.append(call.charAt(i));
				continue;
			}
			i++;
			text.append(switch (call.charAt(i)) {
				case 'I' -> this.expressions.of(Type.INT, depth, variables);
				case 'L' -> this.expressions.of(Type.LONG, depth, variables);
				case 'F' -> this.expressions.of(Type.FLOAT, depth, variables);
				case 'D' -> this.expressions.of(Type.DOUBLE, depth, variables);
				default -> this.expressions.condition(depth, variables);
			});
		}
		return text.toString();
	}

}
