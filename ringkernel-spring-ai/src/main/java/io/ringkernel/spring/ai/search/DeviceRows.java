package io.ringkernel.spring.ai.search;

/**
 * How much memory of a device the rows of a kernel take there. Rows come in blocks, which
 * are added as they are needed and never move. The kernel lays a block out itself, as
 * {@code device_rows.cuh} says.
 *
 * @since 0.2.0
 */
public final class DeviceRows {

	/** How many rows a block has. */
	public static final int ROWS_PER_BLOCK = 4096;

	/** How many rows a device has at most. */
	public static final int MAX_ROWS = 32_768 * ROWS_PER_BLOCK;

	/** The memory of the cells of a block in one column. */
	public static final long COLUMN_BYTES = (long) ROWS_PER_BLOCK * Long.BYTES;

	/** How many passes over the rows there are at a time. */
	public static final int PASSES = 2;

	/** How many parts the rows have at most in a pass. */
	public static final int MAX_SHARDS = 256;

	/** The most elements of the vectors of a pass, with those that pad them to groups. */
	private static final int MAX_ELEMENTS = 1 << 17;

	/** A pass pads its vectors to a multiple of so many. */
	private static final int GROUP = 32;

	/** The vectors of a pass have a multiple of so many elements. */
	private static final int MULTIPLE = 16;

	/** What a worker keeps at most for all vectors of a pass. */
	private static final int MAX_KEYS = 2048;

	/** The same, and so many vectors, for each 32 threads of the worker. */
	private static final int KEYS_PER_WARP = 128;

	private static final int QUERIES_PER_WARP = 16;

	private static final int WARP = 32;

	/** The memory of all passes. */
	public static final long PASSES_BYTES = PASSES
			* (32L + VectorSearchRequest.MAX_QUERIES * (2L * Float.BYTES + 2L * Double.BYTES + 128L * Long.BYTES)
					+ MAX_SHARDS * (Integer.BYTES + (long) MAX_KEYS * Long.BYTES)
					+ MAX_ELEMENTS * (long) (Short.BYTES + Float.BYTES));

	/** A vector is padded to whole loads of a thread, of so many bytes. */
	private static final int LOAD_BYTES = 16;

	private DeviceRows() {
	}

	/**
	 * The memory of a block: its vectors, their scales, when each is visible, its
	 * columns.
	 * @param dimensions the elements of each vector
	 * @param elementType as what they are kept
	 * @return a count of bytes
	 */
	public static long blockBytes(int dimensions, ElementType elementType) {
		long vectorBytes = ((long) dimensions * elementType.elementBytes() + LOAD_BYTES - 1) / LOAD_BYTES * LOAD_BYTES;
		long rowBytes = Long.BYTES + Float.BYTES + vectorBytes;
		return VectorSearchRequest.MAX_COLUMNS * (long) Long.BYTES + ROWS_PER_BLOCK * rowBytes;
	}

	/**
	 * How many vectors one pass over the rows searches for at most.
	 * @param dimensions the elements of each vector
	 * @param kept how many rows each part keeps for each of them
	 * @param threads the threads of a worker
	 * @return a count; 0 if a pass cannot search for such vectors
	 */
	public static int queriesPerPass(int dimensions, int kept, int threads) {
		int groups = MAX_ELEMENTS / (dimensions * GROUP);
		if (dimensions % MULTIPLE != 0 || groups == 0) {
			return 0;
		}
		int warps = threads / WARP;
		int room = (int) Math.min(Math.min(MAX_KEYS, (long) KEYS_PER_WARP * warps) / kept,
				(long) QUERIES_PER_WARP * warps);
		return Math.min(Math.min(groups * GROUP, VectorSearchRequest.MAX_QUERIES), room);
	}

}
