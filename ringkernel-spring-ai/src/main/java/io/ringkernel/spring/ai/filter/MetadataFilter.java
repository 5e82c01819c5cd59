package io.ringkernel.spring.ai.filter;

import java.util.Map;

import org.springframework.ai.vectorstore.filter.Filter;

/**
 * Evaluates filter expressions exactly, on the metadata of one document. What it says is
 * what an expression means: a value that is missing, or of another type than the
 * constant, is equal to nothing and in no order, a list is compared by its elements, and
 * {@code NOT} is true where its operand is false.
 *
 * @since 0.2.0
 */
public final class MetadataFilter {

	private MetadataFilter() {
	}

	/**
	 * Whether metadata match an expression.
	 * @param operand the expression, or a group of one
	 * @param metadata the metadata
	 * @return whether they match
	 * @throws IllegalArgumentException if the expression lacks an operand or has one of
	 * the wrong kind
	 */
	public static boolean matches(Filter.Operand operand, Map<String, ?> metadata) {
		Filter.Expression expression = expression(operand);
		return switch (expression.type()) {
			case AND -> matches(expression.left(), metadata) && matches(right(expression), metadata);
			case OR -> matches(expression.left(), metadata) || matches(right(expression), metadata);
			case NOT -> !matches(expression.left(), metadata);
			default -> {
				Comparison comparison = Comparison.of(expression);
				yield comparison.holdsFor(FilterValue.of(metadata.get(comparison.key())));
			}
		};
	}

	static Filter.Expression expression(Filter.Operand operand) {
		if (operand instanceof Filter.Group group) {
			return group.content();
		}
		if (operand instanceof Filter.Expression expression) {
			return expression;
		}
		throw new IllegalArgumentException("%s is no filter expression".formatted(operand));
	}

	static Filter.Operand right(Filter.Expression expression) {
		if (expression.right() == null) {
			throw new IllegalArgumentException(
					"The filter expression %s needs two operands, but has one.".formatted(expression.type()));
		}
		return expression.right();
	}

}
