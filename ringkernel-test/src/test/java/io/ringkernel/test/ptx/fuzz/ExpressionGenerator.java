package io.ringkernel.test.ptx.fuzz;

import java.util.List;
import java.util.Random;

/**
 * Writes expressions in Java, with the values at which arithmetic is not what it seems.
 */
final class ExpressionGenerator {

	/**
	 * The types of expressions.
	 */
	enum Type {

		INT("int"), LONG("long"), FLOAT("float"), DOUBLE("double");

		private final String text;

		Type(String text) {
			this.text = text;
		}

		@Override
		public String toString() {
			return this.text;
		}

	}

	private static final List<String> INTS = List.of("0", "1", "-1", "2", "7", "31", "32", "33", "255", "-128", "65536",
			"Integer.MAX_VALUE", "Integer.MIN_VALUE", "0x5a5a5a5a");

	private static final List<String> LONGS = List.of("0L", "1L", "-1L", "63L", "64L", "1L << 31", "1L << 32",
			"Long.MAX_VALUE", "Long.MIN_VALUE");

	private static final List<String> FLOATS = List.of("0f", "-0f", "1f", "-1.5f", "0.1f", "1e10f", "-3e38f",
			"Float.MIN_VALUE", "Float.MAX_VALUE", "Float.NaN", "Float.POSITIVE_INFINITY", "2147483648f");

	private static final List<String> DOUBLES = List.of("0d", "-0d", "1d", "-2.5", "0.1", "1e300", "-1e-310",
			"Double.MIN_VALUE", "Double.NaN", "Double.NEGATIVE_INFINITY", "9.3e18");

	private final Random random;

	ExpressionGenerator(Random random) {
		this.random = random;
	}

	/**
	 * An expression.
	 * @param variables what it may name: the variables of each type
	 */
	String of(Type type, int depth, Variables variables) {
		if (depth <= 0 || this.random.nextInt(6) == 0) {
			return leaf(type, variables);
		}
		return switch (type) {
			case INT -> integer(depth - 1, variables);
			case LONG -> wide(depth - 1, variables);
			case FLOAT -> real(Type.FLOAT, depth - 1, variables);
			case DOUBLE -> real(Type.DOUBLE, depth - 1, variables);
		};
	}

	private String leaf(Type type, Variables variables) {
		if (this.random.nextInt(3) != 0) {
			return pick(variables.of(type));
		}
		return "(" + pick(switch (type) {
			case INT -> INTS;
			case LONG -> LONGS;
			case FLOAT -> FLOATS;
			case DOUBLE -> DOUBLES;
		}) + ")";
	}

	private String integer(int depth, Variables variables) {
		return switch (this.random.nextInt(12)) {
			case 0, 1, 2, 3 -> binary(List.of("+", "-", "*", "&", "|", "^"), Type.INT, depth, variables);
			case 4 -> binary(List.of("/", "%"), Type.INT, depth, variables);
			case 5 -> binary(List.of("<<", ">>", ">>>"), Type.INT, depth, variables);
			case 6 -> "(%s(%s))".formatted(pick(List.of("-", "~")), of(Type.INT, depth, variables));
			case 7 -> "((int) %s)".formatted(of(pick(List.of(Type.LONG, Type.FLOAT, Type.DOUBLE)), depth, variables));
			case 8 -> "((%s) %s)".formatted(pick(List.of("byte", "short", "char")), of(Type.INT, depth, variables));
			case 9 -> choice(Type.INT, depth, variables);
			case 10 -> "Math.%s(%s, %s)".formatted(pick(List.of("min", "max")), of(Type.INT, depth, variables),
					of(Type.INT, depth, variables));
			default -> element("ints", depth, variables);
		};
	}

	private String wide(int depth, Variables variables) {
		return switch (this.random.nextInt(8)) {
			case 0, 1, 2 -> binary(List.of("+", "-", "*", "&", "|", "^"), Type.LONG, depth, variables);
			case 3 -> binary(List.of("/", "%"), Type.LONG, depth, variables);
			case 4 -> "(%s %s %s)".formatted(of(Type.LONG, depth, variables), pick(List.of("<<", ">>", ">>>")),
					of(Type.INT, depth, variables));
			case 5 -> "((long) %s)".formatted(of(pick(List.of(Type.INT, Type.FLOAT, Type.DOUBLE)), depth, variables));
			case 6 -> choice(Type.LONG, depth, variables);
			default -> "Math.%s(%s, %s)".formatted(pick(List.of("min", "max")), of(Type.LONG, depth, variables),
					of(Type.LONG, depth, variables));
		};
	}

	private String real(Type type, int depth, Variables variables) {
		if (this.random.nextInt(20) == 0) {
			return binary(List.of("%"), type, depth - 1, variables);
		}
		return switch (this.random.nextInt(8)) {
			case 0, 1, 2, 3 -> binary(List.of("+", "-", "*", "/"), type, depth, variables);
			case 4 -> "((%s) %s)".formatted(type, of(pick(List.of(Type.values())), depth, variables));
			case 5 -> choice(type, depth, variables);
			case 6 -> "Math.%s(%s, %s)".formatted(pick(List.of("min", "max")), of(type, depth, variables),
					of(type, depth, variables));
			default -> element((type == Type.FLOAT) ? "floats" : "doubles", depth, variables);
		};
	}

	private String binary(List<String> operators, Type type, int depth, Variables variables) {
		return "(%s %s %s)".formatted(of(type, depth, variables), pick(operators), of(type, depth, variables));
	}

	private String choice(Type type, int depth, Variables variables) {
		return "(%s ? %s : %s)".formatted(condition(depth, variables), of(type, depth, variables),
				of(type, depth, variables));
	}

	String condition(int depth, Variables variables) {
		Type type = pick(List.of(Type.values()));
		return "%s %s %s".formatted(of(type, depth, variables), pick(List.of("<", "<=", ">", ">=", "==", "!=")),
				of(type, depth, variables));
	}

	/** Seldom beyond the end: nothing is left to compare behind a failure. */
	private String element(String array, int depth, Variables variables) {
		if (this.random.nextInt(12) == 0) {
			return "%s[%s]".formatted(array, of(Type.INT, depth, variables));
		}
		String index = of(Type.INT, depth, variables);
		return "(%s.length == 0 ? 1 : %s[(%s >>> 1) %% %s.length])".formatted(array, array, index, array);
	}

	<T> T pick(List<T> list) {
		return list.get(this.random.nextInt(list.size()));
	}

	/**
	 * The variables that an expression may name.
	 */
	record Variables(List<String> ints, List<String> longs, List<String> floats, List<String> doubles) {

		List<String> of(Type type) {
			return switch (type) {
				case INT -> this.ints;
				case LONG -> this.longs;
				case FLOAT -> this.floats;
				case DOUBLE -> this.doubles;
			};
		}

	}

}
