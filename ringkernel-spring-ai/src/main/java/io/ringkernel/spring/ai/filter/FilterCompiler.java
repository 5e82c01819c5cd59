package io.ringkernel.spring.ai.filter;

import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Stream;

import io.ringkernel.spring.ai.filter.KeyColumns.CellRange;
import io.ringkernel.spring.ai.search.FilterProgram;
import org.jspecify.annotations.Nullable;

import org.springframework.ai.vectorstore.filter.Filter;

/**
 * Translates one expression into a program of the kernel. Negations are moved down to the
 * comparisons. So what the kernel cannot decide may be taken for true at any place, and
 * the program errs on one side only.
 */
final class FilterCompiler {

	/** More strings than these are compared by the host. */
	private static final int MAX_STRINGS = 64;

	private final MetadataColumns columns;

	private final FilterProgram.Builder program = new FilterProgram.Builder();

	FilterCompiler(MetadataColumns columns) {
		this.columns = columns;
	}

	FilterProgram compile(Filter.Expression expression) {
		emit(expression, false);
		return this.program.build();
	}

	private void emit(Filter.Operand operand, boolean negated) {
		Filter.Expression expression = MetadataFilter.expression(operand);
		switch (expression.type()) {
			case NOT -> emit(expression.left(), !negated);
			case AND, OR -> {
				emit(expression.left(), negated);
				emit(MetadataFilter.right(expression), negated);
				if ((expression.type() == Filter.ExpressionType.AND) != negated) {
					this.program.and();
				}
				else {
					this.program.or();
				}
			}
			default -> emit(Comparison.of(expression), negated);
		}
	}

	private void emit(Comparison comparison, boolean negated) {
		KeyColumns key = this.columns.find(comparison.key());
		if (key == null) {
			this.program.constant(comparison.holdsFor(null) != negated);
			return;
		}
		if (key.isIncomplete()) {
			this.program.constant(true);
			return;
		}
		switch (comparison.type()) {
			case ISNULL, ISNOTNULL -> anyOf(key.all().stream().map(FilterCompiler::present).toList(),
					(comparison.type() == Filter.ExpressionType.ISNULL) != negated);
			case EQ, IN -> compare(key, equal(key, comparison), negated);
			case NE, NIN -> compare(key, equal(key, comparison), !negated);
			default -> compare(key, inOrder(key, comparison), negated);
		}
	}

	private static List<CellRange> equal(KeyColumns key, Comparison comparison) {
		return comparison.constants().stream().map(key::equal).filter(Objects::nonNull).toList();
	}

	/** The cells on one side of the constant; {@code null} if there are too many. */
	private static @Nullable List<CellRange> inOrder(KeyColumns key, Comparison comparison) {
		FilterValue constant = comparison.constants().first();
		return switch (constant.type()) {
			case COMPOSITE -> List.of();
			case STRING -> key.strings(matcher(comparison), MAX_STRINGS);
			default -> {
				boolean above = comparison.type() == Filter.ExpressionType.GT
						|| comparison.type() == Filter.ExpressionType.GTE;
				boolean inclusive = comparison.type() == Filter.ExpressionType.GTE
						|| comparison.type() == Filter.ExpressionType.LTE;
				yield Stream.ofNullable(key.beyond(constant, above, inclusive)).toList();
			}
		};
	}

	private static Predicate<String> matcher(Comparison comparison) {
		return (text) -> comparison.holdsFor(new FilterValue(ValueType.STRING, text));
	}

	/** Whether a value is in a range, or not; true of values that no column holds. */
	private void compare(KeyColumns key, @Nullable List<CellRange> ranges, boolean negated) {
		if (ranges == null) {
			this.program.constant(true);
			return;
		}
		anyOf(ranges, negated);
		Integer rest = key.rest();
		if (rest != null) {
			range(present(rest));
			this.program.or();
		}
	}

	private void anyOf(List<CellRange> ranges, boolean negated) {
		if (ranges.isEmpty()) {
			this.program.constant(negated);
			return;
		}
		for (int i = 0; i < ranges.size(); i++) {
			range(ranges.get(i));
			if (i > 0) {
				this.program.or();
			}
		}
		if (negated) {
			this.program.not();
		}
	}

	private void range(CellRange range) {
		this.program.range(range.column(), range.low(), range.high());
	}

	private static CellRange present(int column) {
		return new CellRange(column, FilterProgram.LOWEST, Long.MAX_VALUE);
	}

}
