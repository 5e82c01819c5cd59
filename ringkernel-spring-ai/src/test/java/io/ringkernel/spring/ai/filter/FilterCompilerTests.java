package io.ringkernel.spring.ai.filter;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.ringkernel.spring.ai.search.FilterProgram;
import io.ringkernel.spring.ai.search.FilteredRows;
import org.junit.jupiter.api.Test;

import org.springframework.ai.vectorstore.filter.Filter;
import org.springframework.ai.vectorstore.filter.Filter.ExpressionType;
import org.springframework.ai.vectorstore.filter.FilterExpressionTextParser;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link FilterCompiler}: the program of the kernel and {@link MetadataFilter}
 * agree.
 */
class FilterCompilerTests {

	private static final List<String> KEYS = List.of("a", "b", "c", "never");

	/** Of all types, on both sides of each other and of the bounds of their types. */
	private static final List<Object> VALUES = List.of(0, -0.0, 1, -1, 2.5, 1e300, -1e300, Double.MIN_VALUE,
			Long.MAX_VALUE, 9007199254740993L, 9007199254740992L, true, false, "", "a", "b", "ba", "2024-01-07",
			"2024-01-07T14:29:12Z", "1969-12-31T23:59:59Z", "2024-01-07T14:29:12.000000001Z", "2024-01-07T14:29",
			"9999-12-31", "0001-01-01", "0001-01-01T00:00:00.5Z", "9999-12-31T00:00:00.5Z", "2096-10-02T07:06:39.999Z",
			"2096-10-02T07:06:40Z", "1843-03-31T16:53:20Z", "1843-03-31T16:53:21Z");

	/** What no column holds. */
	private static final List<Object> REST = List.of("x".repeat(KeyColumns.MAX_STRING_LENGTH + 1), List.of("a"),
			List.of("b", 1, true, "2024-01-07"), List.of(), 9007199254740993L, Long.MAX_VALUE, "0001-01-01T00:00:00.5Z",
			"9999-12-31T00:00:00.5Z");

	private final Random random = new Random(42);

	private final MetadataColumns columns = new MetadataColumns();

	private final FilteredRows rows = new FilteredRows();

	private final List<Map<String, Object>> metadata = new ArrayList<>();

	private void add(Map<String, Object> values) {
		List<Cell> cells = this.columns.add(values);
		this.rows.put(this.metadata.size(), cells.stream().map(Cell::column).toList(),
				cells.stream().map(Cell::content).toList());
		this.metadata.add(values);
	}

	private void addRandomRows() {
		for (int row = 0; row < Long.SIZE; row++) {
			Map<String, Object> values = new HashMap<>();
			for (String key : KEYS.subList(0, 3)) {
				if (this.random.nextInt(4) > 0) {
					values.put(key, any(this.random.nextInt(8) > 0 ? VALUES : REST));
				}
			}
			add(values);
		}
	}

	private <T> T any(List<T> values) {
		return values.get(this.random.nextInt(values.size()));
	}

	private Filter.Expression expression(int depth) {
		if (depth > 0 && this.random.nextInt(3) > 0) {
			return switch (this.random.nextInt(3)) {
				case 0 -> new Filter.Expression(ExpressionType.NOT, operand(depth));
				case 1 -> new Filter.Expression(ExpressionType.AND, operand(depth), operand(depth));
				default -> new Filter.Expression(ExpressionType.OR, operand(depth), operand(depth));
			};
		}
		ExpressionType type = any(List.of(ExpressionType.EQ, ExpressionType.NE, ExpressionType.GT, ExpressionType.GTE,
				ExpressionType.LT, ExpressionType.LTE, ExpressionType.IN, ExpressionType.NIN, ExpressionType.ISNULL,
				ExpressionType.ISNOTNULL));
		return new Filter.Expression(type, new Filter.Key(any(KEYS)), switch (type) {
			case IN, NIN -> new Filter.Value(IntStream.range(0, this.random.nextInt(4))
				.mapToObj((i) -> any(VALUES))
				.collect(Collectors.toList()));
			case ISNULL, ISNOTNULL -> null;
			default -> new Filter.Value(any(VALUES));
		});
	}

	private Filter.Operand operand(int depth) {
		Filter.Expression expression = expression(depth - 1);
		return this.random.nextBoolean() ? new Filter.Group(expression) : expression;
	}

	@Test
	void programIsTrueOfEveryRowThatMatchesAndOfOthersOnlyIfNoColumnHoldsTheirValues() {
		addRandomRows();
		for (int i = 0; i < 2000; i++) {
			Filter.Expression expression = expression(4);
			FilterProgram program = this.columns.compile(expression);
			assertThat(this.metadata).as(expression::toString)
				.allMatch((values) -> agrees(expression, program, values));
		}
	}

	private boolean agrees(Filter.Expression expression, FilterProgram program, Map<String, Object> values) {
		boolean exact = MetadataFilter.of(expression).test(values);
		boolean found = this.rows.matches(program, this.metadata.indexOf(values));
		return found == exact || (found && values.values().stream().anyMatch(REST::contains));
	}

	@Test
	void expressionThatIsTooLongLeavesAllToTheHost() {
		add(Map.of("a", 1));
		List<Integer> many = IntStream.range(0, 3000).boxed().toList();
		IntStream.range(0, 3000).forEach((value) -> this.columns.add(Map.of("a", value)));
		assertThat(this.columns
			.compile(new Filter.Expression(ExpressionType.IN, new Filter.Key("a"), new Filter.Value(many))))
			.isEqualTo(FilterProgram.EVERYTHING);
	}

	@Test
	void stringsThatAreTooManyToBeListedAreLeftToTheHost() {
		add(Map.of("a", "zero"));
		for (int i = 0; i < 100; i++) {
			this.columns.add(Map.of("a", "string " + i));
		}
		FilterProgram few = this.columns.compile(new FilterExpressionTextParser().parse("a < 'string 2'"));
		FilterProgram many = this.columns.compile(new FilterExpressionTextParser().parse("a < 'string 9'"));
		assertThat(this.rows.matches(few, 0)).isFalse();
		assertThat(this.rows.matches(many, 0)).isTrue();
	}

	@Test
	void keysWithoutColumnsAreLeftToTheHost() {
		Map<String, Object> values = IntStream.range(0, 300)
			.boxed()
			.collect(Collectors.toMap((i) -> "key" + i, (i) -> i));
		add(values);
		assertThat(this.columns.add(values)).hasSize(256);
		List<String> without = values.keySet()
			.stream()
			.filter((key) -> this.rows.matches(this.columns
				.compile(new Filter.Expression(ExpressionType.EQ, new Filter.Key(key), new Filter.Value(-1))), 0))
			.toList();
		assertThat(without).hasSize(44);
	}

	@Test
	void keyThatNoDocumentHasIsMissingInAll() {
		add(Map.of("a", 1));
		assertThat(this.rows.matches(this.columns.compile(new FilterExpressionTextParser().parse("x == 1")), 0))
			.isFalse();
		assertThat(this.rows.matches(this.columns.compile(new FilterExpressionTextParser().parse("x != 1")), 0))
			.isTrue();
	}

}
