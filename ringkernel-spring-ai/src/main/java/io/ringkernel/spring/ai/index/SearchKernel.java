package io.ringkernel.spring.ai.index;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import io.ringkernel.platform.BackendKind;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.spring.ai.search.SearchOutcome;
import io.ringkernel.spring.ai.search.VectorSearchRequest;
import io.ringkernel.spring.ai.search.VectorSearchResponse;

/**
 * Spreads a search over the workers of the kernel, and merges their answers.
 */
final class SearchKernel {

	/** A smaller shard, of 256 KiB, is searched sooner than a message is sent. */
	private static final int MIN_ELEMENTS_PER_SHARD = 1 << 16;

	private final Kernel<VectorSearchRequest, VectorSearchResponse> kernel;

	private final AtomicInteger searches = new AtomicInteger();

	SearchKernel(Kernel<VectorSearchRequest, VectorSearchResponse> kernel) {
		this.kernel = kernel;
	}

	/**
	 * Sends changes, in any order.
	 * @return whether the kernel holds the incarnation that they are for
	 */
	boolean change(List<VectorSearchRequest> changes) {
		return areDone(this.kernel.client().callAll(changes));
	}

	/**
	 * Finds the most similar rows.
	 * @param query the query, of all rows
	 * @param elements the elements of all vectors that are stored
	 * @return the rows in order; an answer without rows whose outcome is stale if the
	 * kernel holds another incarnation
	 */
	VectorSearchResponse query(VectorSearchRequest query, long elements) {
		int active = this.searches.incrementAndGet();
		try {
			int shards = (int) Math.max(1, Math.min(workers() / active, elements / MIN_ELEMENTS_PER_SHARD));
			if (shards == 1) {
				return this.kernel.client().call(query);
			}
			List<VectorSearchRequest> parts = IntStream.range(0, shards)
				.mapToObj((shard) -> query.ofShard(shard, shards))
				.toList();
			List<VectorSearchResponse> answers = this.kernel.client().callAll(parts);
			return areDone(answers) ? merge(answers, query.limit()) : stale(answers);
		}
		finally {
			this.searches.decrementAndGet();
		}
	}

	/**
	 * Lists rows.
	 */
	VectorSearchResponse select(VectorSearchRequest selection) {
		return this.kernel.client().call(selection);
	}

	/** On the CPU no more of them run at once than there are processors. */
	private int workers() {
		int workers = this.kernel.spec().options().workers();
		return (this.kernel.plan().backend() == BackendKind.CPU)
				? Math.min(workers, Runtime.getRuntime().availableProcessors()) : workers;
	}

	private static boolean areDone(List<VectorSearchResponse> answers) {
		return answers.stream().allMatch((answer) -> answer.outcome() == SearchOutcome.DONE);
	}

	private static VectorSearchResponse stale(List<VectorSearchResponse> answers) {
		return answers.stream().filter((answer) -> answer.outcome() == SearchOutcome.STALE).findFirst().orElseThrow();
	}

	/** Shards are of ascending rows: what stands first of equals has the smaller row. */
	private static VectorSearchResponse merge(List<VectorSearchResponse> answers, int limit) {
		List<Found> found = new ArrayList<>();
		for (VectorSearchResponse answer : answers) {
			for (int i = 0; i < answer.rows().length; i++) {
				found.add(new Found(answer.rows()[i], answer.similarities()[i]));
			}
		}
		found.sort((a, b) -> Float.compare(b.similarity(), a.similarity()));
		int size = Math.min(limit, found.size());
		int[] rows = new int[size];
		float[] similarities = new float[size];
		for (int i = 0; i < size; i++) {
			rows[i] = found.get(i).row();
			similarities[i] = found.get(i).similarity();
		}
		return new VectorSearchResponse(SearchOutcome.DONE, rows, similarities);
	}

	private record Found(int row, float similarity) {
	}

}
