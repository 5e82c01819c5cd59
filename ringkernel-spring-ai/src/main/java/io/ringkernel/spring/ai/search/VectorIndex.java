package io.ringkernel.spring.ai.search;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * One incarnation of the index in the heap: blocks of rows, which are added as they are
 * needed and never move.
 */
final class VectorIndex {

	private final long incarnation;

	private final SimilarityMetric metric;

	private final ElementType elementType;

	private final int dimensions;

	private volatile RowBlock[] blocks = {};

	VectorIndex(long incarnation, SimilarityMetric metric, ElementType elementType, int dimensions) {
		if (dimensions < 1 || dimensions > VectorSearchRequest.MAX_FLOATS) {
			throw new IllegalArgumentException("Vectors of %d dimensions cannot be searched: there are 1 to %d"
				.formatted(dimensions, VectorSearchRequest.MAX_FLOATS));
		}
		this.incarnation = incarnation;
		this.metric = metric;
		this.elementType = elementType;
		this.dimensions = dimensions;
	}

	long incarnation() {
		return this.incarnation;
	}

	void stage(VectorSearchRequest request) {
		int[] rows = request.rows();
		requireElements(request.vectors(), rows.length);
		for (int i = 0; i < rows.length; i++) {
			block(rows[i]).write(rows[i] % RowBlock.ROWS, request.vectors(), i * this.dimensions, this.dimensions,
					this.elementType);
		}
		for (int i = 0; i < request.codes().length; i++) {
			int cell = request.codes()[i];
			int row = rows[VectorSearchRequest.indexOf(cell)];
			block(row).writeCell(row % RowBlock.ROWS, VectorSearchRequest.columnOf(cell), request.operands()[i]);
		}
		for (int row : rows) {
			block(row).stage(row % RowBlock.ROWS, request.epoch());
		}
	}

	void retire(VectorSearchRequest request) {
		for (int row : request.rows()) {
			block(row).retire(row % RowBlock.ROWS, request.epoch());
		}
	}

	private RowBlock block(int row) {
		RowBlock[] present = this.blocks;
		int index = row / RowBlock.ROWS;
		return (index < present.length) ? present[index] : grow(index);
	}

	private synchronized RowBlock grow(int index) {
		RowBlock[] present = this.blocks;
		if (index >= present.length) {
			RowBlock[] more = Arrays.copyOf(present, index + 1);
			for (int i = present.length; i < more.length; i++) {
				more[i] = new RowBlock(this.dimensions);
			}
			this.blocks = more;
		}
		return this.blocks[index];
	}

	VectorSearchResponse query(VectorSearchRequest request) {
		List<float[]> vectors = vectors(request);
		requireLimit(request, vectors.size());
		List<MostSimilar> found = vectors.stream()
			.map((vector) -> new MostSimilar(request.limit(), request.afterSimilarity(), request.afterRow()))
			.toList();
		FilterProgram filter = new FilterProgram(request.codes(), request.operands());
		RowBlock[] present = this.blocks;
		// Dealt out one by one: shards are the same rows to workers that see different
		// numbers of blocks.
		for (int i = request.shard(); i < present.length; i += request.shards()) {
			RowBlock block = present[i];
			long rows = block.visible(request.epoch());
			rows = (rows != 0) ? rows & filter.matches(block) : 0;
			// The rows of a block stay in the cache for all vectors.
			for (int v = 0; rows != 0 && v < vectors.size(); v++) {
				offer(block, rows, i * RowBlock.ROWS, vectors.get(v), found.get(v));
			}
		}
		return (vectors.size() == 1) ? found.get(0).drain()
				: VectorSearchResponse.of(found.stream().map(MostSimilar::drain).toList(), request.limit());
	}

	private List<float[]> vectors(VectorSearchRequest request) {
		float[] all = request.vectors();
		int count = Math.max(1, all.length / this.dimensions);
		requireElements(all, count);
		return (count == 1) ? List.of(all)
				: IntStream.range(0, count)
					.mapToObj((i) -> Arrays.copyOfRange(all, i * this.dimensions, (i + 1) * this.dimensions))
					.toList();
	}

	private void offer(RowBlock block, long selected, int firstRow, float[] vector, MostSimilar found) {
		for (long rows = selected; rows != 0; rows &= rows - 1) {
			int row = Long.numberOfTrailingZeros(rows);
			found.offer(firstRow + row, this.metric.similarity(block.elements(), row * this.dimensions, vector));
		}
	}

	VectorSearchResponse select(VectorSearchRequest request) {
		requireLimit(request, 1);
		FilterProgram filter = new FilterProgram(request.codes(), request.operands());
		RowBlock[] present = this.blocks;
		int[] found = new int[request.limit()];
		int size = 0;
		for (int i = (request.afterRow() + 1) / RowBlock.ROWS; i < present.length; i++) {
			long rows = present[i].visible(request.epoch());
			rows = (rows != 0) ? rows & filter.matches(present[i]) : 0;
			for (; rows != 0; rows &= rows - 1) {
				int row = i * RowBlock.ROWS + Long.numberOfTrailingZeros(rows);
				if (row > request.afterRow()) {
					found[size++] = row;
				}
				if (size == found.length) {
					return VectorSearchResponse.of(found);
				}
			}
		}
		return VectorSearchResponse.of(Arrays.copyOf(found, size));
	}

	private void requireElements(float[] elements, int count) {
		if (elements.length != count * this.dimensions) {
			throw new IllegalArgumentException("%d vectors of %d dimensions have %d elements, not %d".formatted(count,
					this.dimensions, count * this.dimensions, elements.length));
		}
	}

	private static void requireLimit(VectorSearchRequest request, int vectors) {
		if (vectors > VectorSearchRequest.MAX_QUERIES || request.limit() < 1
				|| request.limit() > VectorSearchRequest.MAX_RESULTS / vectors || request.shard() < 0
				|| request.shard() >= request.shards()) {
			throw new IllegalArgumentException("A search cannot return %d rows for each of %d vectors of part %d of %d"
				.formatted(request.limit(), vectors, request.shard(), request.shards()));
		}
	}

}
