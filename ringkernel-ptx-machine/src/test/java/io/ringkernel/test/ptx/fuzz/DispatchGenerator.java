package io.ringkernel.test.ptx.fuzz;

import java.util.List;

import io.ringkernel.test.ptx.fuzz.ExpressionGenerator.Type;
import io.ringkernel.test.ptx.fuzz.ExpressionGenerator.Variables;

/**
 * Writes statements with locals of every kind through loops, and with methods that the
 * class of an object decides upon.
 */
final class DispatchGenerator {

	private static final String METHODS = "%s.apply(%s) + %1$s.twice(%s)";

	private final ExpressionGenerator expressions;

	DispatchGenerator(ExpressionGenerator expressions) {
		this.expressions = expressions;
	}

	/**
	 * A statement; {@code copies} declares what a lambda may use, of {@code inLambda}.
	 */
	String of(String copies, Variables outside, Variables inLoop, Variables inLambda) {
		return switch (this.expressions.pick(List.of(0, 1, 2, 3, 4, 5, 6, 7))) {
			case 0 ->
				"{ Op op = %s; for (int k = 0; k < (%s & 7); k++) { a += op.apply(%s); if (%s) { op = %s; } } b ^= %s; }"
					.formatted(op(outside), number(outside), number(inLoop), condition(inLoop), op(inLoop),
							methods("op", outside));
			case 1 -> "{ %s Parallel.range(outInts.length, (i) -> { Op op = %s; outInts[i] = %s; }); }"
				.formatted(copies, op(inLambda), methods("op", inLambda));
			case 2 -> "{ Applied object = %s; a = %s; }".formatted(
					this.expressions.pick(List.of("new Plus(%s)", "new Minus(%s)", "(%s > 3) ? Op.CHECK : Op.LAST"))
						.formatted(number(outside)),
					methods("object", outside));
			case 3 ->
				"{ Applied object = new Plus(1); for (int k = 0; k < 5; k++) { object = new Plus(%s); a ^= %s; } }"
					.formatted(number(inLoop), methods("object", inLoop));
			case 4 -> "%s = %s(%s);".formatted(this.expressions.pick(outside.of(Type.INT)),
					this.expressions.pick(List.of("cost", "twice", "hidden")), number(outside));
			case 5 -> function(copies, outside, inLambda);
			case 6 ->
				"{ Optional<Integer> found = %s; for (int k = 0; k < ints.length; k++) { if (%s) { found = %s; } } b += found.isPresent() ? found.get() : -3; }"
					.formatted(optional(outside), condition(inLoop), optional(inLoop));
			default -> changing(outside, inLoop);
		};
	}

	private String function(String copies, Variables outside, Variables inLambda) {
		String combined = this.expressions
			.pick(List.of("one.then(other)", "other.then(one).then(one)", "one", "other"));
		return this.expressions.pick(List.of(
				"{ %s Applied one = (i) -> %s; Shifted other = (i) -> %s; Applied all = %s; a += all.apply(%s) + all.twice(%s) + other.body(3); }"
					.formatted(copies, number(inLambda), number(inLambda), combined, number(outside), number(outside)),
				"{ %s IntUnaryOperator one = (i) -> %s; IntUnaryOperator other = (i) -> %s; b = one.andThen(other).compose(other).applyAsInt(%s); }"
					.formatted(copies, number(inLambda), number(inLambda), number(outside)),
				"{ %s IntPredicate one = (i) -> %s; IntPredicate other = (i) -> %s; b += one.and(other).or(one.negate()).test(%s) ? 1 : 0; }"
					.formatted(copies, condition(inLambda), condition(inLambda), number(outside)),
				"{ Function<Integer, Integer> one = Called::digits; b = one.andThen((i) -> i + 1).compose(Function.<Integer>identity()).apply((int) (%s)); }"
					.formatted(number(outside))));
	}

	/**
	 * What is known only while a handler is compiled: many of these are refused, none may
	 * answer otherwise.
	 */
	private String changing(Variables outside, Variables inLoop) {
		String begin = this.expressions
			.pick(List.of("String known = \"abc\";", "IntUnaryOperator known = (i) -> i - 1;",
					"RuntimeException known = new IllegalStateException(\"one\");"));
		String other;
		String use;
		if (begin.startsWith("String")) {
			other = "known = \"de\";";
			use = "a += known.length();";
		}
		else if (begin.startsWith("Int")) {
			other = "known = (i) -> i * 2;";
			use = "a += known.applyAsInt(b);";
		}
		else {
			other = "known = new IllegalArgumentException(\"two\");";
			use = "if (%s) { throw known; }".formatted(condition(outside));
		}
		return "{ %s for (int k = 0; k < (%s & 7); k++) { %s } %s }".formatted(begin, number(outside),
				this.expressions
					.pick(List.of("if (%s) { %s }".formatted(condition(inLoop), other), "%s %s".formatted(use, other),
							"%s %s".formatted(other, use), "%s if (%s) { break; }".formatted(other, condition(inLoop)),
							"for (int m = 0; m < k; m++) { %s %s }".formatted(use, other))),
				this.expressions.pick(List.of(use, begin.replaceFirst("^\\w+ ", "") + " " + use, "")));
	}

	private String op(Variables variables) {
		return this.expressions
			.pick(List.of("Op.ADD", "Op.MUL", "(%1$s) ? Op.CHECK : Op.LAST",
					"(%1$s) ? Op.ADD : (%2$s) ? Op.MUL : Op.CHECK"))
			.formatted(condition(variables), condition(variables));
	}

	private String optional(Variables variables) {
		return this.expressions.pick(List.of("Optional.empty()", "Optional.of((int) (%s))"))
			.formatted(number(variables));
	}

	private String methods(String object, Variables variables) {
		return METHODS.formatted(object, number(variables), number(variables));
	}

	private String condition(Variables variables) {
		return this.expressions.condition(1, variables);
	}

	private String number(Variables variables) {
		return this.expressions.of(Type.INT, 1, variables);
	}

}
