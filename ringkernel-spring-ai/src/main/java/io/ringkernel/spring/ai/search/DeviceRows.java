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

	/** The memory of the cells of a block in one column. */
	public static final long COLUMN_BYTES = (long) ROWS_PER_BLOCK * Long.BYTES;

	/** A vector is padded to whole loads of a thread, of so many bytes. */
	private static final int LOAD_BYTES = 16;

	private DeviceRows() {
	}

	/**
	 * The memory of a block: where its columns lie, when each row is visible, and the
	 * vectors, and the scale of each.
	 * @param dimensions the elements of each vector
	 * @param elementType as what they are kept
	 * @return a count of bytes
	 */
	public static long blockBytes(int dimensions, ElementType elementType) {
		long vectorBytes = ((long) dimensions * elementType.elementBytes() + LOAD_BYTES - 1) / LOAD_BYTES * LOAD_BYTES;
		long rowBytes = Long.BYTES + Float.BYTES + vectorBytes;
		return VectorSearchRequest.MAX_COLUMNS * (long) Long.BYTES + ROWS_PER_BLOCK * rowBytes;
	}

}
