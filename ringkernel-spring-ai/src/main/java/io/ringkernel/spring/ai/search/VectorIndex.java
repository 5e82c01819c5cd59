package io.ringkernel.spring.ai.search;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * One incarnation of the index in the heap: blocks of rows, which are added as they are
 * needed and never move.
 */
final class VectorIndex {

	private final long incarnation;

	private final SimilarityMetric metric;

	private final ElementType elementType;

	private final int dimensions;

	/** By where each lies on a device. */
	private final ConcurrentMap<Integer, QueryPass> passes = new ConcurrentHashMap<>();

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

	VectorSearchResponse stage(VectorSearchRequest request) {
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
		return VectorSearchResponse.DONE;
	}

	VectorSearchResponse retire(VectorSearchRequest request) {
		for (int row : request.rows()) {
			block(row).retire(row % RowBlock.ROWS, request.epoch());
		}
		return VectorSearchResponse.DONE;
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
		requireElements(request.vectors(), 1);
		requireLimit(request);
		MostSimilar found = new MostSimilar(request.limit(), request.afterSimilarity(), request.afterRow());
		search(request, request.shard(), request.shards(), List.of(request.vectors()), List.of(found));
		return found.drain();
	}

	private void search(VectorSearchRequest request, int shard, int shards, List<float[]> vectors,
			List<MostSimilar> found) {
		FilterProgram filter = new FilterProgram(request.codes(), request.operands());
		RowBlock[] present = this.blocks;
		// Dealt out one by one: shards are the same rows to workers that see different
		// numbers of blocks.
		for (int i = shard; i < present.length; i += shards) {
			RowBlock block = present[i];
			long rows = block.visible(request.epoch());
			rows = (rows != 0) ? rows & filter.matches(block) : 0;
			// The rows of a block stay in the cache for all vectors.
			for (int v = 0; rows != 0 && v < vectors.size(); v++) {
				offer(block, rows, i * RowBlock.ROWS, vectors.get(v), found.get(v));
			}
		}
	}

	VectorSearchResponse prepare(VectorSearchRequest request) {
		QueryPass prepared = QueryPass.of(request);
		QueryPass pass = this.passes.merge(prepared.slot(), prepared, QueryPass::succeed);
		pass.require(prepared.id());
		int count = request.vectors().length / this.dimensions;
		requireElements(request.vectors(), count);
		for (int i = 0; i < count; i++) {
			pass.take(QueryPass.first(request) + i,
					Arrays.copyOfRange(request.vectors(), i * this.dimensions, (i + 1) * this.dimensions));
		}
		return VectorSearchResponse.DONE;
	}

	private QueryPass pass(VectorSearchRequest request) {
		int id = QueryPass.id(request);
		QueryPass pass = this.passes.get(QueryPass.slot(id));
		if (pass == null) {
			throw new IllegalArgumentException("There is no pass %d".formatted(id));
		}
		pass.require(id);
		return pass;
	}

	VectorSearchResponse scan(VectorSearchRequest request) {
		QueryPass pass = pass(request);
		for (int part = request.shard(); part < request.shard() + request.shards(); part++) {
			List<MostSimilar> found = pass.vectors()
				.stream()
				.map((vector) -> new MostSimilar(pass.limit(), Float.POSITIVE_INFINITY, -1))
				.toList();
			search(request, part, pass.shards(), pass.vectors(), found);
			pass.found(part, found.stream().map(MostSimilar::drain).toList());
		}
		return VectorSearchResponse.DONE;
	}

	VectorSearchResponse nearest(VectorSearchRequest request) {
		return pass(request).nearest(request.rows()[1]);
	}

	private void offer(RowBlock block, long selected, int firstRow, float[] vector, MostSimilar found) {
		for (long rows = selected; rows != 0; rows &= rows - 1) {
			int row = Long.numberOfTrailingZeros(rows);
			found.offer(firstRow + row, this.metric.similarity(block.elements(), row * this.dimensions, vector));
		}
	}

	VectorSearchResponse select(VectorSearchRequest request) {
		requireLimit(request);
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

	private static void requireLimit(VectorSearchRequest request) {
		if (request.limit() < 1 || request.limit() > VectorSearchRequest.MAX_RESULTS || request.shard() < 0
				|| request.shard() >= request.shards()) {
			throw new IllegalArgumentException("A search cannot return %d rows of part %d of %d"
				.formatted(request.limit(), request.shard(), request.shards()));
		}
	}

}
