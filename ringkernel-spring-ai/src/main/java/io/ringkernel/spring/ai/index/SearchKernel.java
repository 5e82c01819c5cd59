package io.ringkernel.spring.ai.index;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import io.ringkernel.KernelState;
import io.ringkernel.RingKernelException;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.spring.ai.search.SearchOutcome;
import io.ringkernel.spring.ai.search.SimilarityMetric;
import io.ringkernel.spring.ai.search.VectorSearchRequest;
import io.ringkernel.spring.ai.search.VectorSearchResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Spreads a search over the workers of the kernel, and merges their answers.
 */
final class SearchKernel {

	private static final Logger logger = LoggerFactory.getLogger(SearchKernel.class);

	/** No request of an index names this incarnation. */
	private static final long NO_INCARNATION = 0;

	/** A smaller shard, of 256 KiB, is searched sooner than a message is sent. */
	private static final int MIN_ELEMENTS_PER_SHARD = 1 << 16;

	private final Kernel<VectorSearchRequest, VectorSearchResponse> kernel;

	private final AtomicInteger searches = new AtomicInteger();

	SearchKernel(Kernel<VectorSearchRequest, VectorSearchResponse> kernel) {
		this.kernel = kernel;
	}

	/**
	 * Whether the kernel runs on a device, and needs memory there.
	 */
	boolean isOnDevice() {
		return this.kernel.plan().backend() != BackendKind.CPU;
	}

	/**
	 * The device of the kernel, from 0.
	 */
	int device() {
		return this.kernel.plan().device();
	}

	/**
	 * Has the kernel let go of its index: no handler uses memory that was attached
	 * before.
	 * @return whether it has done so
	 */
	boolean forget() {
		if (this.kernel.state() == KernelState.TERMINATED) {
			return true;
		}
		try {
			return change(VectorSearchRequest.reset(NO_INCARNATION, SimilarityMetric.COSINE, 1));
		}
		catch (RingKernelException ex) {
			logger.debug("The kernel did not take a reset", ex);
			return false;
		}
	}

	boolean change(VectorSearchRequest change) {
		return change(List.of(change));
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
		return isOnDevice() ? workers : Math.min(workers, Runtime.getRuntime().availableProcessors());
	}

	private static boolean areDone(List<VectorSearchResponse> answers) {
		return answers.stream().allMatch((answer) -> answer.outcome() == SearchOutcome.DONE);
	}

	private static VectorSearchResponse stale(List<VectorSearchResponse> answers) {
		return answers.stream().filter((answer) -> answer.outcome() == SearchOutcome.STALE).findFirst().orElseThrow();
	}

	private static VectorSearchResponse merge(List<VectorSearchResponse> answers, int limit) {
		List<Found> found = new ArrayList<>();
		for (VectorSearchResponse answer : answers) {
			for (int i = 0; i < answer.rows().length; i++) {
				found.add(new Found(answer.rows()[i], answer.similarities()[i]));
			}
		}
		found.sort(null);
		int size = Math.min(limit, found.size());
		int[] rows = new int[size];
		float[] similarities = new float[size];
		for (int i = 0; i < size; i++) {
			rows[i] = found.get(i).row();
			similarities[i] = found.get(i).similarity();
		}
		return new VectorSearchResponse(SearchOutcome.DONE, rows, similarities);
	}

	/** Ordered as the kernel orders them. */
	private record Found(int row, float similarity) implements Comparable<Found> {

		@Override
		public int compareTo(Found other) {
			return (this.similarity == other.similarity) ? Integer.compare(this.row, other.row)
					: Float.compare(other.similarity, this.similarity);
		}

	}

}
