package io.ringkernel.spring.ai.search;

import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;

/**
 * Vectors that are searched for in one pass over the rows, and what the parts of the rows
 * have found for each. Requests of the pass come one kind after the other, those of a
 * kind beside each other.
 */
final class QueryPass {

	private final int id;

	private final int limit;

	private final AtomicReferenceArray<float[]> vectors;

	private final AtomicReferenceArray<List<VectorSearchResponse>> found;

	private QueryPass(int id, int count, int limit, int shards) {
		this.id = id;
		this.limit = limit;
		this.vectors = new AtomicReferenceArray<>(count);
		this.found = new AtomicReferenceArray<>(shards);
	}

	/** A pass as a request prepares it, without vectors. */
	static QueryPass of(VectorSearchRequest request) {
		int[] rows = request.rows();
		if (rows.length != 4 || rows[2] < 0 || rows[2] > VectorSearchRequest.MAX_QUERIES || request.limit() > rows[3]
				|| rows[3] > VectorSearchRequest.MAX_RESULTS || request.shards() < 0) {
			throw new IllegalArgumentException("A pass cannot be prepared by %s, limit %d, %d parts"
				.formatted(List.of(IntStream.of(rows).boxed().toArray()), request.limit(), request.shards()));
		}
		return new QueryPass(rows[0], rows[2], request.limit(), request.shards());
	}

	static int id(VectorSearchRequest request) {
		return request.rows()[0];
	}

	/** The first of the vectors that a request brings. */
	static int first(VectorSearchRequest request) {
		return request.rows()[1];
	}

	static int slot(int id) {
		return Integer.remainderUnsigned(id, DeviceRows.PASSES);
	}

	int id() {
		return this.id;
	}

	int slot() {
		return slot(this.id);
	}

	int limit() {
		return this.limit;
	}

	int shards() {
		return this.found.length();
	}

	/**
	 * The later pass of both; of the same, that which is there, unless it is abandoned.
	 */
	QueryPass succeed(QueryPass other) {
		boolean isLater = other.id - this.id > 0 || (other.id == this.id && this.vectors.length() == 0);
		return isLater ? other : this;
	}

	void require(int wanted) {
		if (wanted != this.id) {
			throw new IllegalArgumentException("Pass %d is not under way, but %d".formatted(wanted, this.id));
		}
	}

	void take(int index, float[] vector) {
		this.vectors.set(index, vector);
	}

	List<float[]> vectors() {
		return IntStream.range(0, this.vectors.length()).mapToObj(this.vectors::get).toList();
	}

	void found(int shard, List<VectorSearchResponse> each) {
		this.found.set(shard, each);
	}

	VectorSearchResponse nearest(int vector) {
		return VectorSearchResponse.merge(
				IntStream.range(0, shards()).mapToObj((shard) -> this.found.get(shard).get(vector)).toList(),
				this.limit);
	}

}
