package io.ringkernel.spring.ai.search;

import io.ringkernel.Capacity;

/**
 * One request to the kernel. Every operation has the same layout. Arrays that it does not
 * use are empty, and cost nothing on the way.
 * <p>
 * A row that was staged in epoch <i>a</i> and retired in epoch <i>b</i> is visible to a
 * search at epoch <i>e</i> if <i>a ≤ e &lt; b</i>. A writer stages and retires in an
 * epoch that no search names yet. So a search sees all of a change or nothing of it,
 * however many requests and workers either takes.
 *
 * @param operation what to do
 * @param incarnation which life of the index is meant: the kernel answers
 * {@link SearchOutcome#STALE} if it holds another one, as after the loss of a device
 * @param epoch the epoch to write in, or to search at; at least 1
 * @param metric how {@code RESET} has vectors compared
 * @param elementType as what {@code RESET} has vectors kept
 * @param dimensions the elements of each vector, for {@code RESET}
 * @param shard which part of the rows is searched; from 0; or the first to scan
 * @param shards how many parts there are; at least 1; or how many to scan
 * @param limit the most rows to return, for each vector that is searched for; at most
 * {@link #MAX_RESULTS}
 * @param afterSimilarity the similarity of the last row of the previous page;
 * {@link Float#POSITIVE_INFINITY} for the first page
 * @param afterRow the last row of the previous page, or -1
 * @param rows the rows to stage or to retire; or the block to attach; or the pass, and
 * what is meant of it
 * @param vectors the vectors to stage or to search for, one after another
 * @param codes the cells to stage, each an index into {@code rows} above the 8 bits of a
 * column; or the instructions of the filter, as {@link FilterProgram} describes them; or
 * the column to attach
 * @param operands the value of each cell; or the operands of the instructions; or the
 * address of the memory to attach, and its size in bytes
 * @since 0.2.0
 */
public record VectorSearchRequest(SearchOperation operation, long incarnation, int epoch, SimilarityMetric metric,
		ElementType elementType, int dimensions, int shard, int shards, int limit, float afterSimilarity, int afterRow,
		@Capacity(MAX_ROWS) int[] rows, @Capacity(MAX_FLOATS) float[] vectors, @Capacity(MAX_CODES) int[] codes,
		@Capacity(MAX_CODES) long[] operands) {

	/** The most rows of one request. */
	public static final int MAX_ROWS = 1024;

	/** The most elements of all vectors of one request, and so of one vector: 64 KiB. */
	public static final int MAX_FLOATS = 16_384;

	/** The most cells or instructions of one request. */
	public static final int MAX_CODES = 2048;

	/** The most rows that one request returns. */
	public static final int MAX_RESULTS = 128;

	/** The most vectors that one pass over the rows searches for. */
	public static final int MAX_QUERIES = 64;

	/** How many columns there are. */
	public static final int MAX_COLUMNS = 256;

	private static final int[] NO_INTS = {};

	private static final float[] NO_VECTORS = {};

	private static final long[] NO_LONGS = {};

	/**
	 * Begins an incarnation without rows.
	 * @param incarnation its number; not that of the one before
	 * @param metric how vectors are compared
	 * @param elementType as what they are kept
	 * @param dimensions the elements of each vector; 1 to {@link #MAX_FLOATS}
	 * @return the request
	 */
	public static VectorSearchRequest reset(long incarnation, SimilarityMetric metric, ElementType elementType,
			int dimensions) {
		return new VectorSearchRequest(SearchOperation.RESET, incarnation, 0, metric, elementType, dimensions, 0, 0, 0,
				0, 0, NO_INTS, NO_VECTORS, NO_INTS, NO_LONGS);
	}

	/**
	 * Gives a kernel on a device the memory of a block of rows. In the heap, none is
	 * needed.
	 * @param incarnation the incarnation
	 * @param block the row divided by {@link DeviceRows#ROWS_PER_BLOCK}
	 * @param address where the memory lies on the device
	 * @param bytes its size; at least {@link DeviceRows#blockBytes(int, ElementType)}
	 * @return the request
	 */
	public static VectorSearchRequest attachBlock(long incarnation, int block, long address, long bytes) {
		return attach(incarnation, new int[] { block }, NO_INTS, address, bytes);
	}

	/**
	 * Gives a kernel on a device the memory of the cells of a block in a column. Without,
	 * none of its rows has a cell there.
	 * @param incarnation the incarnation
	 * @param block the block, which has been attached
	 * @param column the column; 0 to {@link #MAX_COLUMNS} - 1
	 * @param address where the memory lies on the device
	 * @param bytes its size; at least {@link DeviceRows#COLUMN_BYTES}
	 * @return the request
	 */
	public static VectorSearchRequest attachColumn(long incarnation, int block, int column, long address, long bytes) {
		return attach(incarnation, new int[] { block }, new int[] { column }, address, bytes);
	}

	private static VectorSearchRequest of(SearchOperation operation, long incarnation, int epoch, int[] rows,
			float[] vectors, int[] codes, long[] operands) {
		return new VectorSearchRequest(operation, incarnation, epoch, SimilarityMetric.COSINE, ElementType.FLOAT32, 0,
				0, 0, 0, 0, 0, rows, vectors, codes, operands);
	}

	private static VectorSearchRequest attach(long incarnation, int[] block, int[] column, long address, long bytes) {
		return of(SearchOperation.ATTACH, incarnation, 0, block, NO_VECTORS, column, new long[] { address, bytes });
	}

	/**
	 * Writes rows.
	 * @param incarnation the incarnation
	 * @param epoch the epoch from which they are visible
	 * @param rows the rows; none is visible at an epoch that is still searched
	 * @param vectors their vectors, one after another
	 * @param cells their cells that are not empty, as {@link #cell(int, int)} makes them
	 * @param values the value of each cell; not {@link FilterProgram#ABSENT}
	 * @return the request
	 */
	public static VectorSearchRequest stage(long incarnation, int epoch, int[] rows, float[] vectors, int[] cells,
			long[] values) {
		return of(SearchOperation.STAGE, incarnation, epoch, rows, vectors, cells, values);
	}

	/**
	 * Makes rows invisible.
	 * @param incarnation the incarnation
	 * @param epoch the epoch from which they are invisible
	 * @param rows the rows
	 * @return the request
	 */
	public static VectorSearchRequest retire(long incarnation, int epoch, int[] rows) {
		return of(SearchOperation.RETIRE, incarnation, epoch, rows, NO_VECTORS, NO_INTS, NO_LONGS);
	}

	/**
	 * Finds the most similar rows of all, or the page after a row. Of two rows of the
	 * same similarity the smaller one is first.
	 * @param incarnation the incarnation
	 * @param epoch the epoch to search at
	 * @param vector the vector
	 * @param filter which rows to consider
	 * @param limit the most rows to return; 1 to {@link #MAX_RESULTS}
	 * @param afterSimilarity that of the last row of the previous page, or
	 * {@link Float#POSITIVE_INFINITY}
	 * @param afterRow the last row of the previous page, or -1
	 * @return the request
	 */
	public static VectorSearchRequest query(long incarnation, int epoch, float[] vector, FilterProgram filter,
			int limit, float afterSimilarity, int afterRow) {
		return new VectorSearchRequest(SearchOperation.QUERY, incarnation, epoch, SimilarityMetric.COSINE,
				ElementType.FLOAT32, 0, 0, 1, limit, afterSimilarity, afterRow, NO_INTS, vector, filter.codes(),
				filter.operands());
	}

	/**
	 * Gives a kernel on a device the memory of passes over the rows.
	 * @param incarnation the incarnation
	 * @param address where the memory lies on the device
	 * @param bytes its size; at least {@link DeviceRows#PASSES_BYTES}
	 * @return the request
	 */
	public static VectorSearchRequest attachPasses(long incarnation, long address, long bytes) {
		return attach(incarnation, NO_INTS, NO_INTS, address, bytes);
	}

	/**
	 * Begins a pass over the rows, or goes on to: it takes some of the vectors that the
	 * pass searches for. There are {@link DeviceRows#PASSES} passes at a time; one whose
	 * number is greater by that takes the place of one that has ended.
	 * @param incarnation the incarnation
	 * @param pass the number of the pass
	 * @param first which of the vectors these are; from 0
	 * @param count how many there are in all requests; at most {@link #MAX_QUERIES}
	 * @param kept how many rows each part keeps for each vector; at least the limit
	 * @param limit how many rows are found for each vector
	 * @param shards how many parts the rows have
	 * @param vectors the vectors, one after another
	 * @return the request
	 */
	public static VectorSearchRequest prepare(long incarnation, int pass, int first, int count, int kept, int limit,
			int shards, float[] vectors) {
		return new VectorSearchRequest(SearchOperation.PREPARE, incarnation, 0, SimilarityMetric.COSINE,
				ElementType.FLOAT32, 0, 0, shards, limit, 0, 0, new int[] { pass, first, count, kept }, vectors,
				NO_INTS, NO_LONGS);
	}

	/**
	 * Waits for the requests of an earlier pass, and has those that come later fail.
	 * @param incarnation the incarnation
	 * @param pass the number of the pass that begins next in its place
	 * @return the request
	 */
	public static VectorSearchRequest abandon(long incarnation, int pass) {
		return prepare(incarnation, pass, 0, 0, 0, 0, 0, NO_VECTORS);
	}

	/**
	 * Has parts of the rows compared with a pass. On a device, idle workers take part.
	 * @param pass the number of the pass
	 * @param part the first of them; from 0
	 * @param parts how many they are; at least 1
	 * @return the request, which selects rows as this query does
	 */
	public VectorSearchRequest scan(int pass, int part, int parts) {
		return new VectorSearchRequest(SearchOperation.SCAN, this.incarnation, this.epoch, this.metric,
				this.elementType, 0, part, parts, 0, 0, 0, new int[] { pass }, NO_VECTORS, this.codes, this.operands);
	}

	/**
	 * Finds what the query for one vector of a pass would, once all parts are compared.
	 * @param incarnation the incarnation
	 * @param pass the number of the pass
	 * @param vector which of the vectors; from 0
	 * @return the request
	 */
	public static VectorSearchRequest nearest(long incarnation, int pass, int vector) {
		return of(SearchOperation.NEAREST, incarnation, 0, new int[] { pass, vector }, NO_VECTORS, NO_INTS, NO_LONGS);
	}

	/**
	 * Whether the query begins with the first page.
	 * @return whether no row comes before those that it finds
	 */
	public boolean isFirstPage() {
		return this.afterRow == -1 && this.afterSimilarity == Float.POSITIVE_INFINITY;
	}

	/**
	 * Lists the rows that match a filter, in ascending order.
	 * @param incarnation the incarnation
	 * @param epoch the epoch to search at
	 * @param filter which rows to list
	 * @param limit the most rows to return; 1 to {@link #MAX_RESULTS}
	 * @param afterRow the last row of the previous page, or -1
	 * @return the request
	 */
	public static VectorSearchRequest select(long incarnation, int epoch, FilterProgram filter, int limit,
			int afterRow) {
		return new VectorSearchRequest(SearchOperation.SELECT, incarnation, epoch, SimilarityMetric.COSINE,
				ElementType.FLOAT32, 0, 0, 1, limit, 0, afterRow, NO_INTS, NO_VECTORS, filter.codes(),
				filter.operands());
	}

	/**
	 * The same request to one part of the rows.
	 * @param part which part; from 0
	 * @param parts how many parts there are
	 * @return the request
	 */
	public VectorSearchRequest ofShard(int part, int parts) {
		return new VectorSearchRequest(this.operation, this.incarnation, this.epoch, this.metric, this.elementType,
				this.dimensions, part, parts, this.limit, this.afterSimilarity, this.afterRow, this.rows, this.vectors,
				this.codes, this.operands);
	}

	/**
	 * The code of a cell.
	 * @param index which of the rows of the request; 0 to {@link #MAX_ROWS} - 1
	 * @param column the column; 0 to {@link #MAX_COLUMNS} - 1
	 * @return the code
	 */
	public static int cell(int index, int column) {
		return index << 8 | column;
	}

	/**
	 * Which of the rows of the request a cell is of.
	 * @param cell the code of the cell
	 * @return the index
	 */
	public static int indexOf(int cell) {
		return cell >>> 8;
	}

	/**
	 * The column of a cell.
	 * @param cell the code of the cell
	 * @return the column
	 */
	public static int columnOf(int cell) {
		return cell & 0xff;
	}

}
