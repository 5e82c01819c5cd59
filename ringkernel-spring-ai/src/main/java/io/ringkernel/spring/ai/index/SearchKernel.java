package io.ringkernel.spring.ai.index;

import java.util.Collections;
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
import io.ringkernel.spring.ai.search.ElementType;
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

	private final ElementType elementType;

	private final AtomicInteger searches = new AtomicInteger();

	private final SharedSearches shared;

	SearchKernel(Kernel<VectorSearchRequest, VectorSearchResponse> kernel, ElementType elementType) {
		this.kernel = kernel;
		this.elementType = elementType;
		this.shared = new SharedSearches(kernel.spec().options().requestTimeout());
	}

	String id() {
		return this.kernel.id();
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
			return change(VectorSearchRequest.reset(NO_INCARNATION, SimilarityMetric.COSINE, this.elementType, 1));
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
	 * Finds the most similar rows, together with what other threads search for.
	 * @param query the query, of all rows
	 * @param elements the elements of all vectors that are stored
	 * @return the rows in order; an answer without rows whose outcome is stale if the
	 * kernel holds another incarnation
	 */
	VectorSearchResponse query(VectorSearchRequest query, long elements) {
		// What leaves workers idle is done sooner beside the others than behind them.
		boolean fillsWorkers = elements / MIN_ELEMENTS_PER_SHARD >= workers();
		return fillsWorkers ? this.shared.query(query, (batch) -> search(batch, elements))
				: search(List.of(query), elements).get(0);
	}

	/** Answers queries that differ in their vectors alone. */
	private List<VectorSearchResponse> search(List<VectorSearchRequest> queries, long elements) {
		VectorSearchRequest query = (queries.size() == 1) ? queries.get(0) : together(queries);
		int active = this.searches.incrementAndGet();
		try {
			// The workers of a device find each other if there is one query.
			boolean isOneRequest = isOnDevice() && queries.size() == 1;
			int shards = isOneRequest ? 1
					: (int) Math.max(1, Math.min(workers() / active, elements / MIN_ELEMENTS_PER_SHARD));
			List<VectorSearchRequest> parts = IntStream.range(0, shards)
				.mapToObj((shard) -> query.ofShard(shard, shards))
				.toList();
			List<VectorSearchResponse> answers = (shards == 1) ? List.of(this.kernel.client().call(query))
					: this.kernel.client().callAll(parts);
			if (!areDone(answers)) {
				return Collections.nCopies(queries.size(), stale(answers));
			}
			return IntStream.range(0, queries.size())
				.mapToObj((vector) -> VectorSearchResponse.merge(answers, vector, query.limit()))
				.toList();
		}
		finally {
			this.searches.decrementAndGet();
		}
	}

	private static VectorSearchRequest together(List<VectorSearchRequest> queries) {
		int dimensions = queries.get(0).vectors().length;
		float[] vectors = new float[queries.size() * dimensions];
		for (int i = 0; i < queries.size(); i++) {
			System.arraycopy(queries.get(i).vectors(), 0, vectors, i * dimensions, dimensions);
		}
		return queries.get(0).forVectors(vectors);
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

}
