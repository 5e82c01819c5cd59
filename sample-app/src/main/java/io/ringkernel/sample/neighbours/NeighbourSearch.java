package io.ringkernel.sample.neighbours;

import java.util.ArrayList;
import java.util.List;

import io.ringkernel.RingKernelClient;
import io.ringkernel.sample.web.CapacityExceededException;
import io.ringkernel.sample.web.UnknownResourceException;

import org.springframework.stereotype.Service;

/**
 * Turns operations on any number of vectors into messages of a bounded size.
 */
@Service
class NeighbourSearch {

	private final RingKernelClient<NeighbourRequest, NeighbourResponse> kernel;

	private final int dimensions;

	private final int capacity;

	NeighbourSearch(RingKernelClient<NeighbourRequest, NeighbourResponse> kernel,
			NearestNeighboursProperties properties) {
		this.kernel = kernel;
		this.dimensions = properties.dimensions();
		this.capacity = properties.capacity();
	}

	/**
	 * Stores vectors, pipelined in batches. The batches may be handled in any order, so
	 * ids must be distinct.
	 * @return how many vectors are stored now
	 * @throws CapacityExceededException if there was no room for some of them; others may
	 * be stored
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
		for (NeighbourResponse response : this.kernel.callAll(batches)) {
			size = Math.max(size, response.size());
			full |= response.outcome() == Outcome.FULL;
		}
		if (full) {
			throw new CapacityExceededException(this.capacity,
					("%d of %d vectors are stored, and not all of the %d sent have room. Remove some, "
							+ "or raise sample.nearest-neighbours.capacity.")
						.formatted(size, this.capacity, vectors.size()));
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
	 * @throws UnknownResourceException if there is none with that id
	 */
	void remove(int id) {
		if (this.kernel.call(NeighbourRequest.remove(id)).outcome() == Outcome.UNKNOWN_ID) {
			throw new UnknownResourceException("There is no vector with id %d.".formatted(id));
		}
	}

	void clear() {
		this.kernel.call(NeighbourRequest.clear());
	}

	int size() {
		return this.kernel.call(NeighbourRequest.size()).size();
	}

	/**
	 * Finds the k nearest vectors, or all if there are fewer.
	 * @return the nearest first; of two at the same distance, the smaller id
	 */
	List<Neighbour> query(float[] vector, int k) {
		NeighbourResponse response = this.kernel.call(NeighbourRequest.query(vector, k));
		List<Neighbour> neighbours = new ArrayList<>(response.ids().length);
		for (int i = 0; i < response.ids().length; i++) {
			neighbours.add(new Neighbour(response.ids()[i], response.distances()[i]));
		}
		return neighbours;
	}

}
