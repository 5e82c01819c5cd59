package io.ringkernel.test.ptx.fuzz;

import java.util.List;

import io.ringkernel.test.ptx.fuzz.ExpressionGenerator.Type;
import io.ringkernel.test.ptx.fuzz.ExpressionGenerator.Variables;

/**
 * Writes choices in choices and in short loops. They set a variable {@code v} without an
 * initial value, whichever way is taken, or leave what surrounds the loop.
 */
final class ChoiceGenerator {

	private final ExpressionGenerator expressions;

	ChoiceGenerator(ExpressionGenerator expressions) {
		this.expressions = expressions;
	}

	/**
	 * A statement.
	 * @param target an {@code int} that it changes
	 */
	String of(String target, Variables variables) {
		Variables inLoop = variables.with("n");
		return switch (this.expressions.pick(List.of(0, 1, 2, 3))) {
			case 0 -> "{ int v; %s %s += v; }".formatted(choice(2, target, variables), target);
			case 1 ->
				"{ int v; found: { for (int n = 0; n < 4; n++) { %s if (%s && %s) { continue; } break found; } v = %s; } %s ^= v; }"
					.formatted(choice(1, target, inLoop), condition(inLoop.with("v")), condition(inLoop),
							number(variables), target);
			case 2 -> "found: { for (int n = 0; n < 3; n++) { if (%s) { %s = %s; } else { break found; } } %s = %s; }"
				.formatted(condition(inLoop), target, number(inLoop), target, number(variables));
			default -> "for (int n = 0; n < ints.length; n++) { int v; %s %2$s = %2$s * 31 + (ints[n] ^ v); }"
				.formatted(choice(2, target, inLoop), target);
		};
	}

	private String choice(int depth, String target, Variables variables) {
		return "if (%s) { %s } else { %s }".formatted(condition(variables), way(depth, target, variables),
				way(depth, target, variables));
	}

	private String way(int depth, String target, Variables variables) {
		String set = (depth > 1 && !this.expressions.chance(4)) ? choice(depth - 1, target, variables)
				: "v = %s;".formatted(number(variables));
		return this.expressions.chance(2) ? set : "%s %s -= v;".formatted(set, target);
	}

	/** Of small numbers, so that each way is taken. */
	private String condition(Variables variables) {
		return "(%s & 7) %s (%s & 7)".formatted(leaf(variables),
				this.expressions.pick(List.of("<", "<=", ">", "!=", "==")), leaf(variables));
	}

	/** That takes no longer than a branch. */
	private String number(Variables variables) {
		return "%s %s %s".formatted(leaf(variables), this.expressions.pick(List.of("+", "-", "^")), leaf(variables));
	}

	private String leaf(Variables variables) {
		return this.expressions.of(Type.INT, 0, variables);
	}

}
