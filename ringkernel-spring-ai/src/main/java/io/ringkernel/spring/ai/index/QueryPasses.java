package io.ringkernel.spring.ai.index;

import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

import io.ringkernel.RingKernelClient;
import io.ringkernel.spring.ai.search.DeviceRows;
import io.ringkernel.spring.ai.search.SearchOutcome;
import io.ringkernel.spring.ai.search.VectorSearchRequest;
import io.ringkernel.spring.ai.search.VectorSearchResponse;
import org.jspecify.annotations.Nullable;

/**
 * Searches for several vectors in one pass over the rows: sends the vectors once, has
 * each worker compare its rows with all of them, and then has one worker for each vector
 * find the nearest rows. Workers of a device compare roughly in between, so an answer may
 * be {@link SearchOutcome#UNPROVEN}.
 */
final class QueryPasses {

	/**
	 * How many more rows each worker keeps than are wanted: rows that are alike lie
	 * beside each other often, and rough comparisons change their order.
	 */
	private static final int SPARE = 6;

	/** A processor takes the longer for a pass the more queries it has. */
	private static final int QUERIES_ON_THE_CPU = 8;

	/** A worker reads the vectors of a request while others read those of the next. */
	private static final int VECTORS_PER_REQUEST = 4;

	private final RingKernelClient<VectorSearchRequest, VectorSearchResponse> client;

	private final int threads;

	private final BooleanSupplier isOnDevice;

	private final Queue<Slot> free = new ConcurrentLinkedQueue<>();

	QueryPasses(RingKernelClient<VectorSearchRequest, VectorSearchResponse> client, int threads,
			BooleanSupplier isOnDevice) {
		this.client = client;
		this.threads = threads;
		this.isOnDevice = isOnDevice;
		for (int i = 0; i < DeviceRows.PASSES; i++) {
			this.free.add(new Slot(i));
		}
	}

	/** How many queries can share a pass with one; 1 if it must be alone. */
	int most(VectorSearchRequest query) {
		int fitting = DeviceRows.queriesPerPass(query.vectors().length, kept(query.limit()), this.threads);
		int most = this.isOnDevice.getAsBoolean() ? VectorSearchRequest.MAX_QUERIES : QUERIES_ON_THE_CPU;
		return query.isFirstPage() ? Math.max(1, Math.min(most, fitting)) : 1;
	}

	private static int kept(int limit) {
		return Math.min(limit + SPARE, VectorSearchRequest.MAX_RESULTS);
	}

	/** Searches for queries that differ in vectors alone, {@link #most} at most. */
	List<VectorSearchResponse> search(List<VectorSearchRequest> queries, int workers) {
		Slot slot = this.free.poll();
		if (slot == null) {
			return Collections.nCopies(queries.size(), VectorSearchResponse.of(SearchOutcome.UNPROVEN));
		}
		boolean isComplete = false;
		try {
			List<VectorSearchResponse> answers = search(queries, Math.min(workers, DeviceRows.MAX_SHARDS), slot);
			isComplete = true;
			return answers;
		}
		finally {
			slot.abandoned = !isComplete;
			this.free.add(slot);
		}
	}

	private List<VectorSearchResponse> search(List<VectorSearchRequest> queries, int shards, Slot slot) {
		VectorSearchRequest query = queries.get(0);
		int pass = slot.begin();
		VectorSearchResponse failed = slot.abandoned
				? failure(this.client.callAll(List.of(VectorSearchRequest.abandon(query.incarnation(), pass)))) : null;
		failed = (failed != null) ? failed : failure(this.client.callAll(prepare(queries, shards, pass)));
		failed = (failed != null) ? failed : failure(this.client.callAll(scans(query, shards, pass)));
		return (failed != null) ? Collections.nCopies(queries.size(), failed)
				: this.client.callAll(IntStream.range(0, queries.size())
					.mapToObj((vector) -> VectorSearchRequest.nearest(query.incarnation(), pass, vector))
					.toList());
	}

	private static List<VectorSearchRequest> prepare(List<VectorSearchRequest> queries, int shards, int pass) {
		VectorSearchRequest query = queries.get(0);
		int dimensions = query.vectors().length;
		int perRequest = Math.min(VECTORS_PER_REQUEST, VectorSearchRequest.MAX_FLOATS / dimensions);
		return IntStream.iterate(0, (first) -> first < queries.size(), (first) -> first + perRequest)
			.mapToObj((first) -> {
				int count = Math.min(perRequest, queries.size() - first);
				float[] vectors = new float[count * dimensions];
				for (int i = 0; i < count; i++) {
					System.arraycopy(queries.get(first + i).vectors(), 0, vectors, i * dimensions, dimensions);
				}
				return VectorSearchRequest.prepare(query.incarnation(), pass, first, queries.size(),
						kept(query.limit()), query.limit(), shards, vectors);
			})
			.toList();
	}

	/** The workers of a device find each other. */
	private List<VectorSearchRequest> scans(VectorSearchRequest query, int shards, int pass) {
		return this.isOnDevice.getAsBoolean() ? List.of(query.scan(pass, 0, shards))
				: IntStream.range(0, shards).mapToObj((shard) -> query.scan(pass, shard, 1)).toList();
	}

	private static @Nullable VectorSearchResponse failure(List<VectorSearchResponse> answers) {
		return answers.stream().filter((answer) -> answer.outcome() != SearchOutcome.DONE).findFirst().orElse(null);
	}

	/** Where a pass lies on the device. Used by one thread at a time. */
	private static final class Slot {

		private int pass;

		/** Whether requests of the last pass may still be under way. */
		private boolean abandoned;

		Slot(int index) {
			this.pass = index;
		}

		/** Numbers a pass, so that late requests of the one before are known. */
		int begin() {
			this.pass += DeviceRows.PASSES;
			return this.pass;
		}

	}

}
