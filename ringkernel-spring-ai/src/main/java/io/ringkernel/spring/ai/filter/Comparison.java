package io.ringkernel.spring.ai.filter;

import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.OptionalInt;
import java.util.TreeSet;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

import org.springframework.ai.vectorstore.filter.Filter;
import org.springframework.ai.vectorstore.filter.Filter.ExpressionType;
import org.springframework.util.ClassUtils;

/**
 * A leaf of an expression: one key and what is asked of its value.
 * <p>
 * A value that is missing is equal to nothing, and neither less nor greater than
 * anything. So {@code NE} and {@code NIN} hold for it, and so do the negations of all
 * others. The same goes for values of another type. A list is compared by its elements:
 * what is asked holds if it holds for one of them, and {@code NE} and {@code NIN} hold if
 * no element is equal.
 *
 * @param key the key of metadata
 * @param type {@code EQ}, {@code NE}, {@code GT}, {@code GTE}, {@code LT}, {@code LTE},
 * {@code IN}, {@code NIN}, {@code ISNULL} or {@code ISNOTNULL}
 * @param constants the constant; those of the list for {@code IN} and {@code NIN}; none
 * for {@code ISNULL} and {@code ISNOTNULL}
 */
record Comparison(String key, ExpressionType type, NavigableSet<FilterValue> constants) {

	/** Values of one type in their order; those of a list are not compared. */
	private static final Comparator<FilterValue> ORDER = Comparator.comparing(FilterValue::type)
		.thenComparing((one, other) -> one.compare(other).orElse(0));

	/** Reads a leaf, whose operands must be those of its type. */
	static Comparison of(Filter.Expression expression) {
		if (!(expression.left() instanceof Filter.Key key)) {
			throw new IllegalArgumentException(
					"The filter expression %s compares no key: its left operand is %s. Put a Filter.Key there."
						.formatted(expression.type(), expression.left()));
		}
		return new Comparison(unquoted(key.key()), expression.type(), constants(expression));
	}

	private static NavigableSet<FilterValue> constants(Filter.Expression expression) {
		NavigableSet<FilterValue> constants = new TreeSet<>(ORDER);
		switch (expression.type()) {
			case ISNULL, ISNOTNULL -> {
			}
			case IN, NIN -> {
				if (!(operand(expression) instanceof List<?> list)) {
					throw new IllegalArgumentException(
							"The filter expression %s needs a list, but its right operand is %s. Pass a java.util.List."
								.formatted(expression.type(), expression.right()));
				}
				list.forEach((element) -> constants.add(constant(expression, element)));
			}
			default -> constants.add(constant(expression, operand(expression)));
		}
		return constants;
	}

	private static @Nullable Object operand(Filter.Expression expression) {
		return (expression.right() instanceof Filter.Value value) ? value.value() : null;
	}

	private static FilterValue constant(Filter.Expression expression, @Nullable Object value) {
		FilterValue constant = read(expression, value);
		if (constant == null) {
			throw new IllegalArgumentException(
					"The filter expression %s needs a constant, but its right operand is %s. Pass a Filter.Value, or use ISNULL to ask for a missing value."
						.formatted(expression.type(), expression.right()));
		}
		if (constant.type() == ValueType.COMPOSITE) {
			throw incomparable(expression, value, null);
		}
		return constant;
	}

	private static @Nullable FilterValue read(Filter.Expression expression, @Nullable Object value) {
		try {
			return FilterValue.of(value);
		}
		catch (JacksonException ex) {
			throw incomparable(expression, value, ex);
		}
	}

	private static IllegalArgumentException incomparable(Filter.Expression expression, @Nullable Object value,
			@Nullable JacksonException cause) {
		return new IllegalArgumentException(
				"The filter expression %s %s cannot compare with %s of type %s. Pass a number, a truth value, a text, or a date."
					.formatted(expression.left(), expression.type(), value, ClassUtils.getDescriptiveType(value)),
				cause);
	}

	/** A key that is no identifier may be written between quotes. */
	private static String unquoted(String key) {
		boolean quoted = key.length() >= 2 && key.charAt(0) == key.charAt(key.length() - 1)
				&& (key.charAt(0) == '"' || key.charAt(0) == '\'');
		return quoted ? key.substring(1, key.length() - 1) : key;
	}

	boolean holdsFor(@Nullable FilterValue value) {
		return switch (this.type) {
			case ISNULL -> value == null;
			case ISNOTNULL -> value != null;
			case EQ, IN -> isAnyConstant(value);
			case NE, NIN -> !isAnyConstant(value);
			default -> isInOrder(value);
		};
	}

	private boolean isAnyConstant(@Nullable FilterValue value) {
		return compared(value).anyMatch(this.constants::contains);
	}

	private boolean isInOrder(@Nullable FilterValue value) {
		FilterValue constant = this.constants.first();
		return compared(value).map((one) -> one.compare(constant)).anyMatch(this::isInOrder);
	}

	private boolean isInOrder(OptionalInt order) {
		return order.isPresent() && switch (this.type) {
			case GT -> order.getAsInt() > 0;
			case GTE -> order.getAsInt() >= 0;
			case LT -> order.getAsInt() < 0;
			case LTE -> order.getAsInt() <= 0;
			default -> throw new IllegalArgumentException("%s does not compare values".formatted(this.type));
		};
	}

	private static Stream<FilterValue> compared(@Nullable FilterValue value) {
		return (value != null) ? value.compared() : Stream.empty();
	}

}
