package io.ringkernel.spring.ai.filter;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;

import io.ringkernel.spring.ai.search.FilterProgram;
import io.ringkernel.spring.ai.search.VectorSearchRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.ai.vectorstore.filter.Filter;

/**
 * Lays metadata out in columns, so that the kernel can evaluate filter expressions. Keys
 * get columns in the order in which they are first seen, until
 * {@value VectorSearchRequest#MAX_COLUMNS} are used. Filters on other keys are then
 * evaluated by {@link MetadataFilter} alone.
 * <p>
 * Any number of threads add metadata and compile expressions. One at a time says what was
 * removed, and clears the columns.
 *
 * @since 0.2.0
 */
public final class MetadataColumns {

	/**
	 * So many documents are removed for each that is left before its metadata are added
	 * anew, so that this takes a small share of what the removals take.
	 */
	private static final int REMOVED_PER_DOCUMENT = 2;

	private final ConcurrentMap<String, KeyColumns> keys = new ConcurrentHashMap<>();

	private final AtomicInteger used = new AtomicInteger();

	private long removed;

	/**
	 * Creates columns without metadata.
	 */
	public MetadataColumns() {
	}

	/**
	 * Makes the cells of a document.
	 * @param metadata the metadata of the document
	 * @return its cells, one for each value that has a column
	 */
	public List<Cell> add(Map<String, ?> metadata) {
		List<Cell> cells = new ArrayList<>(metadata.size());
		metadata.forEach((key, value) -> {
			FilterValue content = FilterValue.of(value);
			Cell cell = (content != null) ? columns(key).cell(content) : null;
			if (cell != null) {
				cells.add(cell);
			}
		});
		return cells;
	}

	private KeyColumns columns(String key) {
		// A look takes no lock.
		KeyColumns known = this.keys.get(key);
		return (known != null) ? known : this.keys.computeIfAbsent(key, (added) -> new KeyColumns(this::nextColumn));
	}

	private int nextColumn() {
		int column = this.used.getAndUpdate((used) -> Math.min(used + 1, VectorSearchRequest.MAX_COLUMNS));
		return (column < VectorSearchRequest.MAX_COLUMNS) ? column : -1;
	}

	/**
	 * Counts documents that were removed. Their keys keep their columns and dictionaries.
	 * @param count how many more they are
	 * @param left how many documents are left
	 * @return whether these would have better columns without the others
	 */
	public boolean isWornBy(int count, int left) {
		this.removed += count;
		return this.removed >= (long) REMOVED_PER_DOCUMENT * left + VectorSearchRequest.MAX_COLUMNS
				&& this.keys.values().stream().anyMatch((key) -> key.isWorn(left));
	}

	/**
	 * Begins anew, without metadata. What was compiled before is of no use from then on.
	 */
	public void clear() {
		this.keys.clear();
		this.used.set(0);
		this.removed = 0;
	}

	/**
	 * Compiles an expression for the documents that were added before.
	 * @param expression the expression, or {@code null} for all documents
	 * @return a program that is true of every row that matches, and may be of others,
	 * whose metadata are compared to be sure
	 * @throws IllegalArgumentException if an operand is missing or of the wrong kind
	 */
	public FilterProgram compile(Filter.@Nullable Expression expression) {
		return (expression != null) ? new FilterCompiler(this).compile(expression) : FilterProgram.EVERYTHING;
	}

	@Nullable KeyColumns find(String key) {
		return this.keys.get(key);
	}

}
