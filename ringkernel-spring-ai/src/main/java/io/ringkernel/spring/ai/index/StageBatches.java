package io.ringkernel.spring.ai.index;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import io.ringkernel.spring.ai.filter.Cell;
import io.ringkernel.spring.ai.search.VectorSearchRequest;

/**
 * Gathers rows into requests that are as large as they may be, and sends some of these at
 * a time.
 */
final class StageBatches {

	/** As many as keep the workers busy while others are written. */
	private static final int REQUESTS_AT_ONCE = 16;

	private final SearchKernel kernel;

	private final IndexMemory memory;

	private final long incarnation;

	private final int epoch;

	private final int dimensions;

	private final int[] rows;

	private final float[] vectors;

	private final int[] codes = new int[VectorSearchRequest.MAX_CODES];

	private final long[] values = new long[VectorSearchRequest.MAX_CODES];

	private final List<VectorSearchRequest> requests = new ArrayList<>();

	private int rowCount;

	private int cellCount;

	private boolean done = true;

	StageBatches(SearchKernel kernel, IndexMemory memory, long incarnation, int epoch, int dimensions) {
		this.kernel = kernel;
		this.memory = memory;
		this.incarnation = incarnation;
		this.epoch = epoch;
		this.dimensions = dimensions;
		this.rows = new int[Math.min(VectorSearchRequest.MAX_ROWS, VectorSearchRequest.MAX_FLOATS / dimensions)];
		this.vectors = new float[this.rows.length * dimensions];
	}

	/**
	 * Adds a row.
	 * @param vector its vector, as the kernel compares it
	 */
	void add(int row, float[] vector, List<Cell> cells) {
		if (this.rowCount == this.rows.length || this.cellCount + cells.size() > this.codes.length) {
			endRequest();
		}
		this.done &= this.memory.reserve(this.incarnation, row, cells);
		System.arraycopy(vector, 0, this.vectors, this.rowCount * this.dimensions, this.dimensions);
		for (Cell cell : cells) {
			this.codes[this.cellCount] = VectorSearchRequest.cell(this.rowCount, cell.column());
			this.values[this.cellCount++] = cell.content();
		}
		this.rows[this.rowCount++] = row;
	}

	private void endRequest() {
		if (this.rowCount > 0) {
			int[] batch = Arrays.copyOf(this.rows, this.rowCount);
			int[] cells = Arrays.copyOf(this.codes, this.cellCount);
			this.requests.add(VectorSearchRequest.stage(this.incarnation, this.epoch, batch,
					Arrays.copyOf(this.vectors, this.rowCount * this.dimensions), cells,
					Arrays.copyOf(this.values, this.cellCount)));
			this.rowCount = 0;
			this.cellCount = 0;
		}
		if (this.requests.size() == REQUESTS_AT_ONCE) {
			send();
		}
	}

	private void send() {
		this.done &= this.kernel.change(this.requests);
		this.requests.clear();
	}

	/**
	 * Sends what is left.
	 * @return whether the kernel has taken all rows
	 */
	boolean end() {
		endRequest();
		send();
		return this.done;
	}

}
