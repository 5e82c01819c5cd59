package io.ringkernel.sample.neighbours;

import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.ringkernel.Capacity;

/**
 * One response of the nearest-neighbour kernel.
 *
 * @param outcome how the operation ended
 * @param size how many vectors are stored after it
 * @param version how many changes there were; two answers of one version tell of the same
 * vectors
 * @param ids the ids of the neighbours that were found, the nearest first
 * @param distances the squared Euclidean distance of each of them
 */
public record NeighbourResponse(Outcome outcome, int size, long version, @Capacity(NeighbourRequest.MAX_K) int[] ids,
		@Capacity(NeighbourRequest.MAX_K) float[] distances) {

	Stream<Neighbour> neighbours() {
		return IntStream.range(0, this.ids.length).mapToObj((i) -> new Neighbour(this.ids[i], this.distances[i]));
	}

}
