package io.ringkernel.spring.ai.index;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import io.ringkernel.KernelState;
import io.ringkernel.backend.DeviceMemory;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.exception.RingKernelException;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.spring.ai.search.ElementType;
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

	private final ElementType elementType;

	private final AtomicInteger searches = new AtomicInteger();

	private final QueryPasses passes;

	private final SharedSearches shared;

	SearchKernel(Kernel<VectorSearchRequest, VectorSearchResponse> kernel, ElementType elementType) {
		this.kernel = kernel;
		this.elementType = elementType;
		KernelOptions options = kernel.spec().options();
		this.passes = new QueryPasses(kernel.client(), options.threadsPerWorker(), this::isOnDevice);
		this.shared = new SharedSearches(options.requestTimeout(), this.passes::most);
	}

	String id() {
		return this.kernel.id();
	}

	/** Whether the kernel runs on a device, and needs memory there. */
	boolean isOnDevice() {
		return this.kernel.plan().backend() != BackendKind.CPU;
	}

	int device() {
		return this.kernel.plan().device();
	}

	/** Allocates memory of the device; none while the kernel runs on the CPU. */
	Optional<DeviceMemory> allocate(long bytes) {
		return this.kernel.allocate(bytes);
	}

	/**
	 * Has the kernel let go of its index: no handler uses memory that was attached
	 * before. Returns whether it has done so.
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

	/** Sends changes, in any order. Whether the kernel holds their incarnation. */
	boolean change(List<VectorSearchRequest> changes) {
		return areDone(this.kernel.client().callAll(changes));
	}

	/**
	 * Finds the most similar of all rows, together with what other threads search for.
	 * The answer is stale if the kernel holds another incarnation.
	 */
	VectorSearchResponse query(VectorSearchRequest query, long elements) {
		// What leaves workers idle is done sooner beside the others than behind them.
		boolean fillsWorkers = elements / MIN_ELEMENTS_PER_SHARD >= workers();
		return fillsWorkers ? this.shared.query(query, (batch) -> search(batch, elements))
				: search(List.of(query), elements).get(0);
	}

	List<VectorSearchResponse> queryParts(List<VectorSearchRequest> queries) {
		return this.kernel.client().callAll(queries);
	}

	/** Answers queries that differ in their vectors alone. */
	private List<VectorSearchResponse> search(List<VectorSearchRequest> queries, long elements) {
		int active = this.searches.incrementAndGet();
		try {
			boolean isAlone = queries.size() == 1;
			// The workers of a device find each other if there is one query.
			int shards = (isAlone && isOnDevice()) ? 1
					: (int) Math.max(1, Math.min(workers() / active, elements / MIN_ELEMENTS_PER_SHARD));
			return isAlone ? List.of(search(queries.get(0), shards)) : this.passes.search(queries, shards);
		}
		finally {
			this.searches.decrementAndGet();
		}
	}

	private VectorSearchResponse search(VectorSearchRequest query, int shards) {
		if (shards == 1) {
			return this.kernel.client().call(query);
		}
		List<VectorSearchResponse> answers = this.kernel.client()
			.callAll(IntStream.range(0, shards).mapToObj((shard) -> query.ofShard(shard, shards)).toList());
		return answers.stream()
			.filter((answer) -> answer.outcome() == SearchOutcome.STALE)
			.findFirst()
			.orElseGet(() -> VectorSearchResponse.merge(answers, query.limit()));
	}

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

}
