package io.ringkernel.spring.ai.index;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

import io.ringkernel.cuda.DeviceMemory;
import io.ringkernel.spring.ai.search.DeviceRows;
import io.ringkernel.spring.ai.search.VectorSearchRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The memory of the device in which the kernel keeps its rows: grows as rows are staged,
 * while others are searched. A kernel that runs on the CPU needs none. Used by one thread
 * at a time.
 * <p>
 * What was allocated is used again by later incarnations. It goes back when the index is
 * closed, because only then no handler reads it any more.
 */
final class IndexMemory implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(IndexMemory.class);

	/** Stands for the rows themselves. */
	private static final int NO_COLUMN = -1;

	private final SearchKernel kernel;

	private final int dimensions;

	private final Map<Part, DeviceMemory> allocated = new HashMap<>();

	private final Set<Part> attached = new HashSet<>();

	IndexMemory(SearchKernel kernel, int dimensions) {
		this.kernel = kernel;
		this.dimensions = dimensions;
	}

	/**
	 * Begins an incarnation, to which nothing is attached.
	 */
	void renew() {
		this.attached.clear();
	}

	/**
	 * Has memory for rows that are staged next.
	 * @param rows the rows
	 * @param cells their cells, as {@link VectorSearchRequest#cell(int, int)} makes them
	 * @return whether the kernel holds the incarnation
	 * @throws io.ringkernel.RingKernelException if the device has too little memory
	 */
	boolean reserve(long incarnation, int[] rows, int[] cells) {
		if (!this.kernel.isOnDevice()) {
			return true;
		}
		boolean done = true;
		for (int row : rows) {
			done &= attach(incarnation, new Part(row / DeviceRows.ROWS_PER_BLOCK, NO_COLUMN));
		}
		for (int cell : cells) {
			int row = rows[VectorSearchRequest.indexOf(cell)];
			done &= attach(incarnation, new Part(row / DeviceRows.ROWS_PER_BLOCK, VectorSearchRequest.columnOf(cell)));
		}
		return done;
	}

	private boolean attach(long incarnation, Part part) {
		if (this.attached.contains(part)) {
			return true;
		}
		DeviceMemory memory = this.allocated.computeIfAbsent(part, this::allocate);
		boolean done = this.kernel.change(part.attachment(incarnation, memory));
		if (done) {
			this.attached.add(part);
		}
		return done;
	}

	private DeviceMemory allocate(Part part) {
		return DeviceMemory.allocate(part.isColumn() ? DeviceRows.COLUMN_BYTES : DeviceRows.blockBytes(this.dimensions),
				this.kernel.device());
	}

	/**
	 * Gives the memory back, unless a handler might still read it.
	 */
	@Override
	public void close() {
		if (this.allocated.isEmpty()) {
			return;
		}
		if (this.kernel.forget()) {
			this.allocated.values().forEach(DeviceMemory::close);
		}
		else {
			logger.warn("The kernel has not let go of its index, so {} pieces of device memory are kept",
					this.allocated.size());
		}
		this.allocated.clear();
	}

	/** The rows of a block, or their cells in a column. */
	private record Part(int block, int column) {

		boolean isColumn() {
			return this.column != NO_COLUMN;
		}

		VectorSearchRequest attachment(long incarnation, DeviceMemory memory) {
			return isColumn()
					? VectorSearchRequest.attachColumn(incarnation, this.block, this.column, memory.address(),
							memory.bytes())
					: VectorSearchRequest.attachBlock(incarnation, this.block, memory.address(), memory.bytes());
		}

	}

}
