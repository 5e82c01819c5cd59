package io.ringkernel.test.ptx.fuzz;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Writes expressions in Java, with the values at which arithmetic is not what it seems.
 * Some of them occur several times.
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

		/** What the methods of {@code Parallel} end with that reduce to it. */
		String suffix() {
			return Character.toUpperCase(this.text.charAt(0)) + this.text.substring(1);
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

	/** How many of the last expressions may occur again. */
	private static final int MAX_RECENT = 6;

	private final Random random;

	private final CallGenerator calls;

	private final Map<Variables, Map<Type, List<String>>> recent = new HashMap<>();

	ExpressionGenerator(Random random) {
		this.random = random;
		this.calls = new CallGenerator(this);
	}

	/**
	 * An expression.
	 * @param variables what it may name: the variables of each type
	 */
	String of(Type type, int depth, Variables variables) {
		if (depth <= 0 || chance(6)) {
			return leaf(type, variables);
		}
		List<String> known = this.recent.computeIfAbsent(variables, (any) -> new HashMap<>())
			.computeIfAbsent(type, (any) -> new ArrayList<>());
		if (!known.isEmpty() && chance(6)) {
			return pick(known);
		}
		String expression = switch (type) {
			case INT -> integer(depth - 1, variables);
			case LONG -> wide(depth - 1, variables);
			case FLOAT -> real(Type.FLOAT, depth - 1, variables);
			case DOUBLE -> real(Type.DOUBLE, depth - 1, variables);
		};
		known.add(expression);
		if (known.size() > MAX_RECENT) {
			known.remove(0);
		}
		return expression;
	}

	private String leaf(Type type, Variables variables) {
		if (!chance(3)) {
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
		return switch (this.random.nextInt(15)) {
			case 0, 1, 2, 3 -> binary(List.of("+", "-", "*", "&", "|", "^"), Type.INT, depth, variables);
			case 4 -> binary(List.of("/", "%"), Type.INT, depth, variables);
			case 5 -> binary(List.of("<<", ">>", ">>>"), Type.INT, depth, variables);
			case 6 -> "(%s(%s))".formatted(pick(List.of("-", "~")), of(Type.INT, depth, variables));
			case 7 -> "((int) %s)".formatted(of(pick(List.of(Type.LONG, Type.FLOAT, Type.DOUBLE)), depth, variables));
			case 8 -> "((%s) %s)".formatted(pick(List.of("byte", "short", "char")), of(Type.INT, depth, variables));
			case 9 -> choice(Type.INT, depth, variables);
			case 10, 11, 12 -> this.calls.of(Type.INT, depth, variables);
			default -> element(pick(List.of("ints", "ints", "bytes")), depth, variables);
		};
	}

	private String wide(int depth, Variables variables) {
		return switch (this.random.nextInt(9)) {
			case 0, 1, 2 -> binary(List.of("+", "-", "*", "&", "|", "^"), Type.LONG, depth, variables);
			case 3 -> binary(List.of("/", "%"), Type.LONG, depth, variables);
			case 4 -> "(%s %s %s)".formatted(of(Type.LONG, depth, variables), pick(List.of("<<", ">>", ">>>")),
					of(Type.INT, depth, variables));
			case 5 -> "((long) %s)".formatted(of(pick(List.of(Type.INT, Type.FLOAT, Type.DOUBLE)), depth, variables));
			case 6 -> choice(Type.LONG, depth, variables);
			default -> this.calls.of(Type.LONG, depth, variables);
		};
	}

	private String real(Type type, int depth, Variables variables) {
		if (chance(20)) {
			return binary(List.of("%"), type, depth - 1, variables);
		}
		return switch (this.random.nextInt(9)) {
			case 0, 1, 2, 3 -> binary(List.of("+", "-", "*", "/"), type, depth, variables);
			case 4 -> "((%s) %s)".formatted(type, of(pick(List.of(Type.values())), depth, variables));
			case 5 -> choice(type, depth, variables);
			case 6, 7 -> this.calls.of(type, depth, variables);
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
		if (depth > 0 && chance(3)) {
			return switch (this.random.nextInt(4)) {
				case 0 -> "!(%s)".formatted(condition(depth - 1, variables));
				case 1 -> this.calls.condition(depth - 1, variables);
				default -> "(%s %s %s)".formatted(condition(depth - 1, variables), pick(List.of("&&", "||", "&", "^")),
						condition(depth - 1, variables));
			};
		}
		Type type = pick(List.of(Type.values()));
		return "(%s %s %s)".formatted(of(type, depth, variables), pick(List.of("<", "<=", ">", ">=", "==", "!=")),
				of(type, depth, variables));
	}

	/** Seldom beyond the end: nothing is left to compare behind a failure. */
	private String element(String array, int depth, Variables variables) {
		String index = of(Type.INT, depth, variables);
		if (chance(16)) {
			return "%s[%s]".formatted(array, index);
		}
		return "(%s.length == 0 ? 1 : %s[(%s >>> 1) %% %s.length])".formatted(array, array, index, array);
	}

	/** Whether something of which one in so many is made is to be made. */
	boolean chance(int of) {
		return this.random.nextInt(of) == 0;
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

		/** The same with another {@code int}, which is named often. */
		Variables with(String number) {
			return new Variables(Stream.concat(this.ints.stream(), Stream.of(number, number)).toList(), this.longs,
					this.floats, this.doubles);
		}

		/** The same with another {@code double}. */
		Variables withReal(String number) {
			return new Variables(this.ints, this.longs, this.floats,
					Stream.concat(this.doubles.stream(), Stream.of(number)).toList());
		}

	}

}
