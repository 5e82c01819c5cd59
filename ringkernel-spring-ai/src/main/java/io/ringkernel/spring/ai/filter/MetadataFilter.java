package io.ringkernel.spring.ai.filter;

import java.util.Map;
import java.util.function.Predicate;

import org.springframework.ai.vectorstore.filter.Filter;

/**
 * Evaluates a filter expression exactly, on the metadata of one document. What it says is
 * what the expression means: a value that is missing, or of another type than the
 * constant, is equal to nothing and in no order, a list is compared by its elements, and
 * {@code NOT} is true where its operand is false.
 *
 * @since 0.2.0
 */
public final class MetadataFilter {

	private MetadataFilter() {
	}

	/**
	 * Reads an expression, so that it can be evaluated on any number of documents.
	 * @param operand the expression, or a group of one
	 * @return tells whether metadata match, for any number of threads
	 * @throws IllegalArgumentException if an operand is missing or of the wrong kind
	 */
	public static Predicate<Map<String, ?>> of(Filter.Operand operand) {
		Filter.Expression expression = expression(operand);
		return switch (expression.type()) {
			case AND -> of(expression.left()).and(of(right(expression)));
			case OR -> of(expression.left()).or(of(right(expression)));
			case NOT -> of(expression.left()).negate();
			default -> {
				Comparison comparison = Comparison.of(expression);
				yield (metadata) -> comparison.holdsFor(FilterValue.of(metadata.get(comparison.key())));
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
