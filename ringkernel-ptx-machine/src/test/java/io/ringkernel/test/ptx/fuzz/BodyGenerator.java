package io.ringkernel.test.ptx.fuzz;

import java.util.List;

import io.ringkernel.test.ptx.fuzz.ExpressionGenerator.Type;
import io.ringkernel.test.ptx.fuzz.ExpressionGenerator.Variables;

/**
 * Writes what a parallel loop does with an index {@code i}, in several steps that share
 * the variables {@code x} and {@code y}: branches, loops, and arrays of the index.
 */
final class BodyGenerator {

	/** What a lambda sees: copies. */
	static final Variables IN_LAMBDA = new Variables(List.of("fa", "fb", "i", "i"), List.of("fc"), List.of("fd"),
			List.of("fe"));

	private static final Variables IN_BODY = IN_LAMBDA.with("x").withReal("y");

	private static final Variables IN_LOOP = IN_BODY.with("j");

	private static final Variables IN_INNER_LAMBDA = IN_LAMBDA.with("j");

	private final ExpressionGenerator expressions;

	private final ChoiceGenerator choices;

	private final ArrayGenerator arrays;

	private final ReductionGenerator reductions;

	BodyGenerator(ExpressionGenerator expressions) {
		this.expressions = expressions;
		this.choices = new ChoiceGenerator(expressions);
		this.arrays = new ArrayGenerator(expressions);
		this.reductions = new ReductionGenerator(expressions);
	}

	/**
	 * A body.
	 * @param last its last statement but for the expression that is its result
	 */
	String of(String last, Type type) {
		StringBuilder body = new StringBuilder("{ int x = %s; double y = %s; "
			.formatted(this.expressions.of(Type.INT, 2, IN_LAMBDA), this.expressions.of(Type.DOUBLE, 1, IN_LAMBDA)));
		do {
			body.append(step(!last.startsWith("return"))).append(' ');
		}
		while (!this.expressions.chance(2));
		return body.append("%s %s; }".formatted(last, this.expressions.of(type, 2, IN_BODY))).toString();
	}

	private String step(boolean mayReturn) {
		return switch (this.expressions.pick(List.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13))) {
			case 0 ->
				"if (%s) { %s } else { %s }".formatted(condition(IN_BODY), assignment(IN_BODY), assignment(IN_BODY));
			case 1 -> "if (%s) { %s }".formatted(condition(IN_BODY), assignment(IN_BODY));
			case 2 -> mayReturn ? "if (%s) { return; }".formatted(condition(IN_BODY)) : assignment(IN_BODY);
			case 3 -> this.expressions.chance(3) ? "if (%s && %s) { throw new IllegalStateException(\"index\"); }"
				.formatted(condition(IN_BODY), condition(IN_BODY)) : assignment(IN_BODY);
			case 4 -> "switch (%s & 3) { case 0: %s break; case 2: %s default: %s }".formatted(
					this.expressions.of(Type.INT, 1, IN_BODY), assignment(IN_BODY), assignment(IN_BODY),
					assignment(IN_BODY));
			case 5 -> "for (int j = 0; j < (%s & 7); j++) { if (%s) { %s } %s }".formatted(
					this.expressions.of(Type.INT, 1, IN_BODY), condition(IN_LOOP),
					this.expressions.pick(List.of("continue;", "break;", "x++;")), assignment(IN_LOOP));
			case 6 -> "for (int j = 0; j < %s; j++) { x = x * 31 + %s; }".formatted(
					this.expressions.pick(List.of("5", "(fb & 3)", "ints.length")),
					this.expressions.pick(List.of("j", "i - j", this.expressions.of(Type.INT, 1, IN_LOOP))));
			case 7 -> "for (int j = 1; (x & j) == 0 && j < 64; j += j) { %s }".formatted(assignment(IN_LOOP));
			case 9 -> this.arrays.rows("x", IN_BODY, IN_BODY.with("m"));
			case 8 -> this.choices.of("x", IN_BODY);
			case 10, 11 -> reduced();
			default -> own();
		};
	}

	private String reduced() {
		Type type = this.expressions.pick(List.of(Type.values()));
		String reduction = this.reductions.inBody(type, "j", IN_LAMBDA);
		return this.expressions
			.pick(List.of("y += %s;", "x ^= (int) %s;", "for (int m = 0; m < 2; m++) { y = %s - y; }"))
			.formatted(reduction);
	}

	/** An array that is gone with the index. */
	private String own() {
		Type type = this.expressions.pick(List.of(Type.values()));
		String length = this.expressions.pick(List.of("4", "Math.min(ints.length, 6)", "(x & 3) + 1", "x % 3 + 2"));
		String written = this.expressions.pick(List.of(
				"for (int j = 0; j < own.length; j++) { own[j] = %s; }"
					.formatted(this.expressions.of(type, 2, IN_LOOP)),
				"Parallel.range(own.length, (j) -> own[j] = %s);"
					.formatted(this.expressions.of(type, 2, IN_INNER_LAMBDA)),
				"Parallel.range(own.length, (j) -> { if (%s) { return; } %s[] twice = { %s, %s }; own[j] = twice[j & 1]; });"
					.formatted(condition(IN_INNER_LAMBDA), type, this.expressions.of(type, 1, IN_INNER_LAMBDA),
							this.expressions.of(type, 1, IN_INNER_LAMBDA)),
				this.arrays.written(type, IN_BODY), "if (own.length > 2) { own[2] = %s; own[x & 1] += 3; }"
					.formatted(this.expressions.of(type, 1, IN_BODY))));
		String read = this.expressions.pick(List.of("for (int j = own.length - 1; j >= 0; j--) { y += own[j]; }",
				"y = sum(own);", "x += (own.length == 0) ? 1 : (int) own[(x >>> 1) % own.length];",
				"y = own[own.length / 2];", "y = sum(%s);".formatted(this.arrays.read(IN_BODY))));
		return "{ %s[] own = new %s[%s]; %s %s }".formatted(type, type, length, written, read);
	}

	private String condition(Variables variables) {
		return this.expressions.condition(1, variables);
	}

	private String assignment(Variables variables) {
		return this.expressions.chance(3) ? "y = %s;".formatted(this.expressions.of(Type.DOUBLE, 2, variables))
				: "x = %s;".formatted(this.expressions.of(Type.INT, 2, variables));
	}

}
