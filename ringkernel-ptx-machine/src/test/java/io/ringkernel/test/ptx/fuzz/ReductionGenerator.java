package io.ringkernel.test.ptx.fuzz;

import java.util.List;

import io.ringkernel.test.ptx.fuzz.ExpressionGenerator.Type;
import io.ringkernel.test.ptx.fuzz.ExpressionGenerator.Variables;

/**
 * Writes reductions, alone and in the bodies of others and of loops.
 */
final class ReductionGenerator {

	private static final List<String> KINDS = List.of("sum", "min", "max");

	/** Any that the order shows of, and some that throw. */
	private static final List<String> OPERATORS = List.of("left * 31 + right", "left - right",
			"(left < right) ? right : left - 1", "Math.max(left, right) + 1",
			"{ if (right > 1000 && left < right) { throw new IllegalStateException(\"right\"); } return left + right; }",
			"{ if ((int) (left + 3 * right) % 61 == 5) { throw new IllegalStateException(\"left\"); } if ((int) right % 67 == 6) { throw new IllegalArgumentException(\"right\"); } return left - 3 * right; }");

	private static final List<String> COUNTS = List.of("ints.length", "floats.length - i", "3", "33", "257",
			"(fb & 15) - 2", "300");

	/** In a body of a body: the machine takes its time. */
	private static final List<String> SMALL_COUNTS = List.of("3", "i & 7", "(fb & 15) - 2");

	private final ExpressionGenerator expressions;

	ReductionGenerator(ExpressionGenerator expressions) {
		this.expressions = expressions;
	}

	/** A sum, or the least or greatest. */
	String of(Type type, String count, String index, String value) {
		return "Parallel.%s%s(%s, (%s) -> %s)".formatted(this.expressions.pick(KINDS), type.suffix(), count, index,
				value);
	}

	/** One whose operator is none of those that have a name. */
	String folded(Type type, String count, String index, String value) {
		return "Parallel.reduce%s(%s, %s, (%s) -> %s, (left, right) -> %s)".formatted(type.suffix(), count,
				this.expressions.pick(List.of("0", "1", "-7")), index, value, this.expressions.pick(OPERATORS));
	}

	/**
	 * One in a body, whose values may be reductions themselves.
	 * @param variables what is there in a lambda in the body
	 */
	String inBody(Type type, String index, Variables variables) {
		Variables inside = variables.with(index);
		boolean isInner = index.length() > 1;
		boolean isOuter = !isInner && this.expressions.chance(6);
		String value = isOuter ? inBody(type, index + index, inside) : this.expressions.of(type, 2, inside);
		String count = this.expressions.pick((isInner || isOuter) ? SMALL_COUNTS : COUNTS);
		return this.expressions.chance(3) ? folded(type, count, index, value) : of(type, count, index, value);
	}

}
