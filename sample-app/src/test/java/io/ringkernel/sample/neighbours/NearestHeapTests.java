package io.ringkernel.sample.neighbours;

import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class NearestHeapTests {

	@Test
	void keepsTheNearest() {
		assertThat(ids(new NearestHeap(3), 5, 1, 4, 2, 3)).containsExactly(1, 3, 4);
	}

	@Test
	void takesTheSmallerIdOfTwoAtTheSameDistance() {
		assertThat(ids(new NearestHeap(2), 7, 7, 7, 7)).containsExactly(0, 1);
		NearestHeap heap = new NearestHeap(2);
		IntStream.of(3, 2, 1, 0).forEach((id) -> heap.offer(id, 7));
		assertThat(heap.<int[]>drain((ids, distances) -> ids)).containsExactly(0, 1);
	}

	@Test
	void holdsFewerThanItCould() {
		assertThat(ids(new NearestHeap(10), 2, 1)).containsExactly(1, 0);
	}

	@Test
	void keepsNothingOfNone() {
		assertThat(ids(new NearestHeap(0), 1, 2)).isEmpty();
	}

	@Test
	void isEmptyOnceDrained() {
		NearestHeap heap = new NearestHeap(2);
		ids(heap, 1, 2);
		assertThat(ids(heap)).isEmpty();
	}

	private static int[] ids(NearestHeap heap, float... distances) {
		for (int id = 0; id < distances.length; id++) {
			heap.offer(id, distances[id]);
		}
		return heap.drain((ids, sorted) -> ids);
	}

}
