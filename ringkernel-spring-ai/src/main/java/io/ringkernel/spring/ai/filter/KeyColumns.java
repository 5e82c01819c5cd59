package io.ringkernel.spring.ai.filter;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.IntSupplier;
import java.util.function.Predicate;

import io.ringkernel.spring.ai.search.FilterProgram;
import org.jspecify.annotations.Nullable;

/**
 * The columns of one key: one for each type that its values have, and one that marks what
 * no column holds. A cell is a number whose order is that of the values; of strings it is
 * the position in a dictionary.
 */
final class KeyColumns {

	/** A longer string is compared by the host alone. */
	static final int MAX_STRING_LENGTH = 256;

	/** The distinct strings of a key that are kept in memory. */
	private static final int MAX_STRINGS = 1 << 20;

	/** A document has one of them at a time. */
	private static final int STRINGS_PER_DOCUMENT = 4;

	/** Fewer are not worth it. */
	private static final int MIN_STRINGS = 1 << 12;

	/** Marks that a value is present that no other column holds. */
	private static final ValueType REST = ValueType.COMPOSITE;

	private static final long PRESENT = 0;

	private static final long NANOS_PER_SECOND = 1_000_000_000;

	/** Moments of 126 years before and after 1970 have cells to the nanosecond. */
	private static final long SECONDS_OF_NANOS = 4_000_000_000L;

	private final IntSupplier nextColumn;

	private final ConcurrentMap<ValueType, Integer> columns = new ConcurrentHashMap<>();

	private final ConcurrentMap<String, Long> strings = new ConcurrentHashMap<>();

	/** Set for good once a value has found no column. */
	private volatile boolean incomplete;

	KeyColumns(IntSupplier nextColumn) {
		this.nextColumn = nextColumn;
	}

	/** The cell of a value, in a new column if need be; {@code null} if none is left. */
	@Nullable Cell cell(FilterValue value) {
		Long content = encode(value);
		Integer column = column((content != null) ? value.type() : REST);
		if (column == null) {
			this.incomplete = true;
			return null;
		}
		return new Cell(column, (content != null) ? content : PRESENT);
	}

	private @Nullable Integer column(ValueType type) {
		// A look takes no lock.
		Integer known = this.columns.get(type);
		return (known != null) ? known : this.columns.computeIfAbsent(type, (added) -> {
			int column = this.nextColumn.getAsInt();
			return (column >= 0) ? column : null;
		});
	}

	/** The cell that holds a value exactly, if there is one. */
	private @Nullable Long encode(FilterValue value) {
		return switch (value.type()) {
			case NUMBER -> {
				double nearest = ((BigDecimal) value.content()).doubleValue();
				yield (Double.isFinite(nearest) && order(nearest, value) == 0) ? sortable(nearest) : null;
			}
			case BOOLEAN -> ((Boolean) value.content()) ? 1L : 0L;
			case DATE -> sortable((Instant) value.content());
			case STRING -> encode((String) value.content());
			case COMPOSITE -> null;
		};
	}

	private @Nullable Long encode(String text) {
		Long known = this.strings.get(text);
		return (known != null || text.length() > MAX_STRING_LENGTH) ? known : position(text);
	}

	private synchronized @Nullable Long position(String text) {
		Long known = this.strings.get(text);
		if (known != null || this.strings.size() == MAX_STRINGS) {
			return known;
		}
		long added = this.strings.size();
		this.strings.put(text, added);
		return added;
	}

	/** A long whose order is that of doubles; both zeros are one. */
	private static long sortable(double value) {
		long bits = Double.doubleToLongBits(value + 0.0);
		return bits ^ (bits >> 63 & Long.MAX_VALUE);
	}

	/**
	 * A long whose order is that of moments: nanoseconds since 1970 in the years around
	 * it, and before and after them seconds, which reach further. Between two seconds
	 * there is none.
	 */
	private static @Nullable Long sortable(Instant moment) {
		long seconds = moment.getEpochSecond();
		int fraction = moment.getNano();
		if (Math.abs(seconds) < SECONDS_OF_NANOS) {
			return seconds * NANOS_PER_SECOND + fraction;
		}
		long offset = Long.signum(seconds) * (SECONDS_OF_NANOS * NANOS_PER_SECOND - SECONDS_OF_NANOS);
		return (fraction == 0) ? seconds + offset : null;
	}

	private static int order(double value, FilterValue number) {
		return new BigDecimal(value).compareTo((BigDecimal) number.content());
	}

	boolean isIncomplete() {
		return this.incomplete;
	}

	/**
	 * Whether some value has no cell, or the dictionary is full, or it has so many more
	 * strings than there are documents that most are of documents that are gone.
	 */
	boolean isWorn(int documents) {
		return this.incomplete
				|| this.strings.size() >= Math.min(MAX_STRINGS, (long) STRINGS_PER_DOCUMENT * documents + MIN_STRINGS);
	}

	List<Integer> all() {
		return List.copyOf(this.columns.values());
	}

	/** The column of what no other column holds. */
	@Nullable Integer rest() {
		return this.columns.get(REST);
	}

	/** Where the cells of all values are that are equal to a constant. */
	@Nullable CellRange equal(FilterValue constant) {
		Integer column = this.columns.get(constant.type());
		if (column == null || constant.type() == ValueType.COMPOSITE) {
			return null;
		}
		Long cell = (constant.type() == ValueType.STRING) ? this.strings.get((String) constant.content())
				: encode(constant);
		return (cell != null) ? new CellRange(column, cell, cell) : null;
	}

	/** Where the cells are that are greater than a constant, or less. */
	@Nullable CellRange beyond(FilterValue constant, boolean above, boolean inclusive) {
		Integer column = this.columns.get(constant.type());
		if (column == null) {
			return null;
		}
		long bound;
		int order = 0;
		if (constant.type() == ValueType.NUMBER) {
			double nearest = Math.max(-Double.MAX_VALUE,
					Math.min(Double.MAX_VALUE, ((BigDecimal) constant.content()).doubleValue()));
			bound = sortable(nearest);
			order = order(nearest, constant);
		}
		else {
			Long cell = encode(constant);
			if (cell == null && constant.content() instanceof Instant moment) {
				cell = sortable(moment.truncatedTo(ChronoUnit.SECONDS));
				order = -1;
			}
			bound = (cell != null) ? cell : PRESENT;
		}
		// The bound itself is beyond the constant, equal to it, or on the other side.
		boolean included = (order == 0) ? inclusive : (order > 0) == above;
		return above ? new CellRange(column, included ? bound : bound + 1, Long.MAX_VALUE)
				: new CellRange(column, FilterProgram.LOWEST, included ? bound : bound - 1);
	}

	/** The cells of all strings that match; {@code null} if they are too many. */
	@Nullable List<CellRange> strings(Predicate<String> matches, int limit) {
		Integer column = this.columns.get(ValueType.STRING);
		if (column == null) {
			return List.of();
		}
		List<CellRange> cells = this.strings.entrySet()
			.stream()
			.filter((entry) -> matches.test(entry.getKey()))
			.limit(limit + 1L)
			.map(Map.Entry::getValue)
			.map((cell) -> new CellRange(column, cell, cell))
			.toList();
		return (cells.size() <= limit) ? cells : null;
	}

	record CellRange(int column, long low, long high) {
	}

}
