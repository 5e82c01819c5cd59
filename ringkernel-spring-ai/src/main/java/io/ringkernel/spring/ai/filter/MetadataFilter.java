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

	private final Predicate<Map<String, ?>> predicate;

	private MetadataFilter(Predicate<Map<String, ?>> predicate) {
		this.predicate = predicate;
	}

	/**
	 * Reads an expression, so that it can be evaluated on any number of documents.
	 * @param operand the expression, or a group of one
	 * @return the filter, for any number of threads
	 * @throws IllegalArgumentException if the expression lacks an operand or has one of
	 * the wrong kind
	 */
	public static MetadataFilter of(Filter.Operand operand) {
		return new MetadataFilter(predicate(operand));
	}

	private static Predicate<Map<String, ?>> predicate(Filter.Operand operand) {
		Filter.Expression expression = expression(operand);
		return switch (expression.type()) {
			case AND -> predicate(expression.left()).and(predicate(right(expression)));
			case OR -> predicate(expression.left()).or(predicate(right(expression)));
			case NOT -> predicate(expression.left()).negate();
			default -> {
				Comparison comparison = Comparison.of(expression);
				yield (metadata) -> comparison.holdsFor(FilterValue.of(metadata.get(comparison.key())));
			}
		};
	}

	/**
	 * Whether metadata match.
	 * @param metadata the metadata
	 * @return whether they match
	 */
	public boolean matches(Map<String, ?> metadata) {
		return this.predicate.test(metadata);
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
