package io.ringkernel.test.ptx.fuzz;

import java.util.List;

import io.ringkernel.test.ptx.fuzz.ExpressionGenerator.Type;
import io.ringkernel.test.ptx.fuzz.ExpressionGenerator.Variables;

/**
 * Writes statements that copy and fill arrays by methods of the JDK.
 */
final class ArrayGenerator {

	private final ExpressionGenerator expressions;

	ArrayGenerator(ExpressionGenerator expressions) {
		this.expressions = expressions;
	}

	/** A statement outside of parallel loops. */
	String of(Variables outside) {
		String array = this.expressions.pick(List.of("ints", "outInts", "floats", "outFloats", "doubles", "outLongs"));
		Type type = type(array);
		return switch (this.expressions.pick(List.of(0, 1, 2, 3, 4))) {
			case 0 -> moved(array, array, outside);
			case 1 ->
				moved(array, (type == Type.INT) ? "outInts" : (type == Type.FLOAT) ? "outFloats" : array, outside);
			case 2 -> "Arrays.fill(%s, %s);".formatted(array, this.expressions.of(type, 2, outside));
			case 3 -> "Arrays.fill(%1$s, %2$s, Math.min(%3$s, %1$s.length), %4$s);".formatted(array, few(outside),
					few(outside), this.expressions.of(type, 1, outside));
			default -> copied(array, type, outside);
		};
	}

	private String copied(String array, Type type, Variables outside) {
		String copy = this.expressions.pick(List.of("%1$s.clone()", "Arrays.copyOf(%1$s, %2$s)",
				"Arrays.copyOfRange(%1$s, Math.min(%2$s, %1$s.length), %1$s.length)",
				"Arrays.copyOfRange(%1$s, %2$s, (%3$s) + 16)"))
			.formatted(array, few(outside), few(outside));
		String use = this.expressions.pick(List.of("for (int k = 0; k < copy.length; k++) { %s += copy[k]; }",
				"%1$s = copy[copy.length / 2];", "if (copy.length > 2) { copy[1] = copy[2]; %s = copy[1]; }",
				"Arrays.fill(copy, (%2$s) %1$s); %1$s += copy[0];"));
		return "{ %s[] copy = %s; %s }".formatted(type, copy,
				use.formatted(this.expressions.pick(outside.of(type)), type));
	}

	/**
	 * Rows that are shared, or that an index has.
	 * @param inLoop with a variable {@code m}
	 */
	String rows(String target, Variables variables, Variables inLoop) {
		Type type = this.expressions.pick(List.of(Type.values()));
		String lengths = this.expressions.pick(List.of("[4][3]", "[Math.min(ints.length, 5)][2]", "[3][(%s & 3) - 0]"))
			.formatted(this.expressions.of(Type.INT, 0, variables));
		String written = this.expressions.pick(List.of(
				"for (int m = 0; m < rows.length; m++) { if (rows[m].length > 1) { rows[m][1] = %s; } }"
					.formatted(this.expressions.of(type, 1, inLoop)),
				"for (%1$s[] row : rows) { Arrays.fill(row, %2$s); }".formatted(type,
						this.expressions.of(type, 1, variables)),
				"rows[%s][%s] = %s;".formatted(few(variables), few(variables), this.expressions.of(type, 1, variables)),
				"if (rows.length > 2) { System.arraycopy(rows[1], 0, rows[2], 0, rows[1].length); }"));
		String read = this.expressions
			.pick(List.of("for (%1$s[] row : rows) { for (%1$s one : row) { %2$s = %2$s * 31 + (int) one; } }",
					"%2$s += (int) sum(rows[%3$s]);", "%2$s ^= (int) rows[%3$s][%4$s];"))
			.formatted(type, target, few(variables), few(variables));
		return "{ %s[][] rows = new %s%s; %s %s }".formatted(type, type, lengths, written, read);
	}

	/** Where an array that is named {@code own} gets elements. */
	String written(Type type, Variables variables) {
		return this.expressions.pick(List.of("Arrays.fill(own, %s);".formatted(this.expressions.of(type, 1, variables)),
				"Arrays.fill(own, own.length / 2, own.length, %s);".formatted(this.expressions.of(type, 1, variables)),
				"own[0] = %s; %s".formatted(this.expressions.of(type, 1, variables), moved("own", "own", variables))));
	}

	/** An expression that is an array like {@code own}. */
	String read(Variables variables) {
		return this.expressions
			.pick(List.of("own.clone()", "Arrays.copyOf(own, %s)",
					"Arrays.copyOfRange(own, own.length / 2, own.length)"))
			.formatted(few(variables));
	}

	private String moved(String from, String to, Variables variables) {
		String count = this.expressions.pick(List.of("Math.min(%1$s.length, %2$s.length) / 2", "1", "%3$s"));
		return "System.arraycopy(%1$s, %2$s, %3$s, %4$s, %5$s);".formatted(from,
				this.expressions.pick(List.of("0", from + ".length / 2", few(variables))), to,
				this.expressions.pick(List.of("0", to + ".length / 3", few(variables))),
				count.formatted(from, to, few(variables)));
	}

	/** Seldom beyond an array. */
	private String few(Variables variables) {
		return this.expressions.pick(List.of("(%s & 1)", "(%s & 3)", "1 + (%s & 7)", "(%s & 63) - 1"))
			.formatted(this.expressions.of(Type.INT, 1, variables));
	}

	private static Type type(String array) {
		return switch (array) {
			case "ints", "outInts" -> Type.INT;
			case "outLongs" -> Type.LONG;
			case "doubles" -> Type.DOUBLE;
			default -> Type.FLOAT;
		};
	}

}
