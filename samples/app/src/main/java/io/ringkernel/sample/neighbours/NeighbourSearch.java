package io.ringkernel.sample.neighbours;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

import io.ringkernel.RequestStream;
import io.ringkernel.RingKernelClient;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.observe.KernelStatus;

import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.stereotype.Service;
import org.springframework.web.ErrorResponseException;
import org.springframework.web.server.ResponseStatusException;

/**
 * Turns operations on any number of vectors into messages of a bounded size, and a query
 * of many vectors into one message for each worker.
 */
@Service
class NeighbourSearch {

	/** A smaller shard, of 128 KiB, is searched sooner than a message is sent. */
	static final int MIN_ELEMENTS_PER_SHARD = 1 << 15;

	/** After so many, changes are more frequent than queries are quick. */
	private static final int MAX_SHARDED_ATTEMPTS = 3;

	/** How long a query waits for others; then one worker searches for it. */
	private static final int PATIENCE_SECONDS = 1;

	private final RingKernelClient<NeighbourRequest, NeighbourResponse> client;

	private final Kernel<NeighbourRequest, NeighbourResponse> kernel;

	private final int dimensions;

	private final int capacity;

	private final ReentrantLock turn = new ReentrantLock(true);

	/** How many vectors a response last reported: a hint for the number of shards. */
	private volatile int lastSize;

	NeighbourSearch(RingKernelClient<NeighbourRequest, NeighbourResponse> client,
			Kernel<NeighbourRequest, NeighbourResponse> kernel, NearestNeighboursProperties properties) {
		this.client = client;
		this.kernel = kernel;
		this.dimensions = properties.dimensions();
		this.capacity = properties.capacity();
	}

	/**
	 * Stores vectors, pipelined in batches. The batches may be handled in any order, so
	 * ids must be distinct.
	 * @return how many vectors are stored now
	 * @throws ErrorResponseException 409 if there was no room for some of them; others
	 * may be stored
	 */
	int add(List<IndexedVector> vectors) {
		if (vectors.isEmpty()) {
			return size();
		}
		List<NeighbourRequest> batches = new ArrayList<>();
		int batchSize = Math.min(NeighbourRequest.MAX_IDS, NeighbourRequest.MAX_FLOATS / this.dimensions);
		for (int from = 0; from < vectors.size(); from += batchSize) {
			batches.add(batch(vectors.subList(from, Math.min(from + batchSize, vectors.size()))));
		}
		int size = 0;
		boolean full = false;
		for (NeighbourResponse response : this.client.callAll(batches)) {
			size = Math.max(size, response.size());
			full |= response.outcome() == Outcome.FULL;
		}
		this.lastSize = size;
		if (full) {
			ProblemDetail problem = ProblemDetail.forStatusAndDetail(HttpStatus.CONFLICT,
					("%d of %d vectors are stored, and not all of the %d sent have room. Remove some, "
							+ "or raise sample.nearest-neighbours.capacity.")
						.formatted(size, this.capacity, vectors.size()));
			problem.setProperty("limit", this.capacity);
			throw new ErrorResponseException(HttpStatus.CONFLICT, problem, null);
		}
		return size;
	}

	private NeighbourRequest batch(List<IndexedVector> vectors) {
		int[] ids = new int[vectors.size()];
		float[] elements = new float[vectors.size() * this.dimensions];
		for (int i = 0; i < ids.length; i++) {
			ids[i] = vectors.get(i).id();
			System.arraycopy(vectors.get(i).vector(), 0, elements, i * this.dimensions, this.dimensions);
		}
		return NeighbourRequest.add(ids, elements);
	}

	/**
	 * Removes a vector.
	 * @throws ResponseStatusException 404 if there is none with that id
	 */
	void remove(int id) {
		if (this.client.call(NeighbourRequest.remove(id)).outcome() == Outcome.UNKNOWN_ID) {
			throw new ResponseStatusException(HttpStatus.NOT_FOUND, "There is no vector with id %d.".formatted(id));
		}
	}

	void clear() {
		this.client.call(NeighbourRequest.clear());
	}

	int size() {
		this.lastSize = this.client.call(NeighbourRequest.size()).size();
		return this.lastSize;
	}

	/**
	 * Finds the k nearest vectors, or all if there are fewer, of those that were stored
	 * at one moment of the call.
	 * @return the nearest first; of two at the same distance, the smaller id
	 */
	List<Neighbour> query(float[] vector, int k) {
		int shards = shards();
		List<NeighbourResponse> responses = (shards > 1 && awaitTurn()) ? searchInTurn(vector, k, shards) : List.of();
		if (responses.isEmpty()) {
			// A single worker excludes changes while it searches.
			responses = List.of(this.client.call(NeighbourRequest.query(vector, k, 0, 1)));
		}
		this.lastSize = responses.get(0).size();
		return merge(responses, k);
	}

	private int shards() {
		KernelStatus status = this.kernel.status();
		long elements = (long) this.lastSize * this.dimensions;
		long most = Math.min(Math.min(status.workers(), status.slots() / 2), elements / MIN_ELEMENTS_PER_SHARD);
		return (int) Math.max(1, most);
	}

	/**
	 * Queries that take all workers go one after another. Besides, several that have sent
	 * a part of their requests would fill the ring and wait for each other.
	 */
	private boolean awaitTurn() {
		try {
			return this.turn.tryLock(PATIENCE_SECONDS, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

	private List<NeighbourResponse> searchInTurn(float[] vector, int k, int shards) {
		try (var stream = this.client.openStream()) {
			for (int attempt = 0; attempt < MAX_SHARDED_ATTEMPTS; attempt++) {
				List<NeighbourResponse> responses = search(stream, vector, k, shards);
				if (areOfOneVersion(responses)) {
					return responses;
				}
			}
			return List.of();
		}
		finally {
			this.turn.unlock();
		}
	}

	private static List<NeighbourResponse> search(RequestStream<NeighbourRequest, NeighbourResponse> stream,
			float[] vector, int k, int shards) {
		for (int shard = 0; shard < shards; shard++) {
			stream.send(NeighbourRequest.query(vector, k, shard, shards));
		}
		List<NeighbourResponse> responses = new ArrayList<>(shards);
		for (int shard = 0; shard < shards; shard++) {
			responses.add(stream.receive());
		}
		return responses;
	}

	/**
	 * A change moves vectors from one shard to another: answers of different versions may
	 * miss one that was there all the time, or have it twice.
	 */
	private static boolean areOfOneVersion(List<NeighbourResponse> responses) {
		long version = responses.get(0).version();
		return responses.stream().allMatch((response) -> response.version() == version);
	}

	private static List<Neighbour> merge(List<NeighbourResponse> responses, int k) {
		return responses.stream().flatMap(NeighbourResponse::neighbours).sorted().limit(k).toList();
	}

}
