package io.ringkernel.test.ptx.fuzz;

import java.util.List;

import io.ringkernel.test.ptx.fuzz.ExpressionGenerator.Type;
import io.ringkernel.test.ptx.fuzz.ExpressionGenerator.Variables;

/**
 * Writes statements that choose texts, and that read static constants and the fields of
 * enums.
 */
final class TextGenerator {

	private static final List<String> TEXTS = List.of("\"abc\"", "\"de\"", "\"\"", "\"gr\\u00fc\\u00df\"",
			"\"\\ud83d\\ude00b\"", "text", "mode.name()", "SIGN");

	private final ExpressionGenerator expressions;

	TextGenerator(ExpressionGenerator expressions) {
		this.expressions = expressions;
	}

	/**
	 * A statement; {@code copies} declares what a lambda may use, of {@code inLambda}.
	 */
	String of(String copies, Variables outside, Variables inLoop, Variables inLambda) {
		return switch (this.expressions.pick(List.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9))) {
			case 0 ->
				"{ String chosen = %s; a += chosen.length() + (chosen.equals(%s) ? 3 : chosen.hashCode()); nowText = chosen; }"
					.formatted(text(2, outside), text(1, outside));
			case 1 ->
				"{ String known = %s; for (int k = 0; k < (%s & 7); k++) { if (%s) { known = %s; } a ^= known.length() + k; %s } nowText = known; }"
					.formatted(text(1, outside), number(outside), condition(inLoop), text(2, inLoop),
							this.expressions.pick(List.of("", "if (known.equals(nowText)) { break; }",
									"for (int m = 0; m < k; m++) { known = \"inner\"; b++; }",
									"if (known.isEmpty()) { continue; } b += known.charAt(0);")));
			case 2 ->
				"{ String state = %s; for (int k = 0; k < 5; k++) { state = switch (state) { case \"abc\" -> %s; case \"\", \"de\" -> %s; default -> %s; }; b = b * 31 + state.hashCode(); } }"
					.formatted(text(1, outside), text(1, inLoop), text(2, inLoop), text(1, inLoop));
			case 3 -> "if (%s) { throw new IllegalStateException(%s); }"
				.formatted(this.expressions.condition(2, outside), text(2, outside));
			case 4 ->
				"{ %s Parallel.range(outInts.length, (i) -> { String own = %s; for (int m = 0; m < (i & 3); m++) { own = %s; } outInts[i] = own.length() + (own.isEmpty() ? 0 : own.charAt(own.length() - 1)); }); }"
					.formatted(copies, text(1, inLambda), text(2, inLambda));
			case 5 ->
				"{ String one = %s, other = nowText; for (int k = 0; k < (%s & 7); k++) { String kept = one; one = other; other = kept; if (%s) { one = %s; } } nowText = one; a += other.length(); }"
					.formatted(text(1, outside), number(outside), condition(inLoop), text(1, inLoop));
			case 6 -> table(copies, outside, inLambda);
			case 7 ->
				"{ Op op = %s; for (int k = 0; k < (%s & 7); k++) { a += op.factor() * k; e += op.weight(); if (%s) { op = %s; } } nowText = %s; }"
					.formatted(op(outside), number(outside), condition(inLoop), op(inLoop),
							this.expressions.pick(List.of("op.sign()", "op.name()", "(a > b) ? op.sign() : \"none\"")));
			case 8 ->
				"{ %s Parallel.range(outInts.length, (i) -> { Op op = %s; outInts[i] = op.factor() + op.sign().length() + op.table()[i & 1]; }); }"
					.formatted(copies, op(inLambda));
			default ->
				"{ Both both = (%s) ? BOTH : new Both(%s, %s); a ^= both.number(); e += both.real() + BOTH.real(); }"
					.formatted(condition(outside), number(outside), this.expressions.of(Type.DOUBLE, 1, outside));
		};
	}

	private String table(String copies, Variables outside, Variables inLambda) {
		return this.expressions.pick(List.of("a += TABLE[%s & 7];".formatted(number(outside)),
				"{ int at = %s & 15; b ^= TABLE[at]; }".formatted(number(outside)),
				"{ int[] table = (%s) ? TABLE : (%s).table(); for (int value : table) { a = a * 31 + value; } }"
					.formatted(condition(outside), op(outside)),
				"e += sum(TABLE) + sum(REALS) + REALS[%s & 3];".formatted(number(outside)),
				"{ %s Parallel.range(outFloats.length, (i) -> outFloats[i] = (float) REALS[%s & 3] + TABLE[i & 7]); }"
					.formatted(copies, number(inLambda)),
				"{ %s b += Parallel.sumInt(TABLE.length, (i) -> TABLE[i] * %s); }".formatted(copies, number(inLambda)),
				"{ int[] table = (%s) ? TABLE : outInts; c += table.length; }".formatted(condition(outside))));
	}

	private String text(int depth, Variables variables) {
		if (depth == 0) {
			return this.expressions.pick(TEXTS);
		}
		return switch (this.expressions.pick(List.of(0, 1, 2, 3, 4))) {
			case 0, 1 -> "((%s) ? %s : %s)".formatted(condition(variables), text(depth - 1, variables),
					text(depth - 1, variables));
			case 2 -> "(switch (%s & 3) { case 0 -> %s; case 1, 2 -> %s; default -> %s; })".formatted(number(variables),
					text(depth - 1, variables), text(depth - 1, variables), text(0, variables));
			case 3 -> "named(%s)".formatted(number(variables));
			default -> text(0, variables);
		};
	}

	private String op(Variables variables) {
		return this.expressions
			.pick(List.of("Op.ADD", "Op.LAST", "((%1$s) ? Op.CHECK : Op.LAST)",
					"((%1$s) ? Op.ADD : (%2$s) ? Op.MUL : Op.CHECK)"))
			.formatted(condition(variables), condition(variables));
	}

	private String condition(Variables variables) {
		return this.expressions.condition(1, variables);
	}

	private String number(Variables variables) {
		return "((int) (%s))".formatted(this.expressions.of(Type.INT, 1, variables));
	}

}
