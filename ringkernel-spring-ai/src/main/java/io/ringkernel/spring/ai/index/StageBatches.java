package io.ringkernel.spring.ai.index;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

import io.ringkernel.spring.ai.filter.Cell;
import io.ringkernel.spring.ai.search.SimilarityMetric;
import io.ringkernel.spring.ai.search.VectorSearchRequest;
import io.ringkernel.spring.ai.storage.DocumentVisitor.StoredVector;

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

	private final SimilarityMetric metric;

	private final int dimensions;

	private final int[] rows;

	private float[] vectors;

	private final int[] codes = new int[VectorSearchRequest.MAX_CODES];

	private final long[] values = new long[VectorSearchRequest.MAX_CODES];

	private final List<VectorSearchRequest> requests = new ArrayList<>();

	/** Arrays of requests that are answered, for later ones. */
	private final Deque<float[]> spare = new ArrayDeque<>();

	private int rowCount;

	private int cellCount;

	private boolean done = true;

	StageBatches(SearchKernel kernel, IndexMemory memory, long incarnation, int epoch, SimilarityMetric metric,
			int dimensions) {
		this.kernel = kernel;
		this.memory = memory;
		this.incarnation = incarnation;
		this.epoch = epoch;
		this.metric = metric;
		this.dimensions = dimensions;
		this.rows = new int[Math.min(VectorSearchRequest.MAX_ROWS, VectorSearchRequest.MAX_FLOATS / dimensions)];
		this.vectors = new float[this.rows.length * dimensions];
	}

	void add(int row, List<Cell> cells, StoredVector vector) {
		if (this.rowCount == this.rows.length || this.cellCount + cells.size() > this.codes.length) {
			endRequest();
		}
		this.done &= this.memory.reserve(this.incarnation, row, cells);
		int offset = this.rowCount * this.dimensions;
		vector.read(this.vectors, offset);
		this.metric.prepare(this.vectors, offset, this.dimensions);
		for (Cell cell : cells) {
			this.codes[this.cellCount] = VectorSearchRequest.cell(this.rowCount, cell.column());
			this.values[this.cellCount++] = cell.content();
		}
		this.rows[this.rowCount++] = row;
	}

	private void endRequest() {
		if (this.rowCount > 0) {
			boolean isFull = this.rowCount == this.rows.length;
			this.requests
				.add(VectorSearchRequest.stage(this.incarnation, this.epoch, Arrays.copyOf(this.rows, this.rowCount),
						isFull ? this.vectors : Arrays.copyOf(this.vectors, this.rowCount * this.dimensions),
						Arrays.copyOf(this.codes, this.cellCount), Arrays.copyOf(this.values, this.cellCount)));
			if (isFull) {
				float[] next = this.spare.poll();
				this.vectors = (next != null) ? next : new float[this.vectors.length];
			}
			this.rowCount = 0;
			this.cellCount = 0;
		}
		if (this.requests.size() == REQUESTS_AT_ONCE) {
			send();
		}
	}

	private void send() {
		this.done &= this.kernel.change(this.requests);
		this.requests.forEach((request) -> {
			if (request.vectors().length == this.vectors.length) {
				this.spare.add(request.vectors());
			}
		});
		this.requests.clear();
	}

	/** Whether the kernel has taken all rows that were sent so far. */
	boolean areTaken() {
		return this.done;
	}

	/** Sends what is left. Returns whether the kernel has taken all rows. */
	boolean end() {
		endRequest();
		send();
		return this.done;
	}

}
