package io.ringkernel.sample.neighbours;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

class VectorStoreTests {

	@ParameterizedTest
	@CsvSource({ "1, 1", "2, 5", "3, 100", "7, 10", "8, 10", "128, 100" })
	void agreesWithBruteForceThroughAnySequenceOfChanges(int dimensions, int k) {
		Random random = new Random(dimensions);
		VectorStore store = new VectorStore(dimensions);
		BruteForce oracle = new BruteForce();
		for (int step = 0; step < 3000; step++) {
			int id = random.nextInt(600) - 300;
			if (random.nextInt(3) == 0) {
				assertThat(store.remove(id)).isEqualTo(oracle.vectors().remove(id) != null);
			}
			else {
				float[] vector = BruteForce.vector(random, dimensions);
				boolean fits = oracle.vectors().size() < 500 || oracle.vectors().containsKey(id);
				assertThat(store.addAll(new int[] { id }, vector, 500)).isEqualTo(fits);
				if (fits) {
					oracle.vectors().put(id, vector);
				}
			}
			if (step % 20 == 0) {
				float[] query = BruteForce.vector(random, dimensions);
				assertThat(search(store, query, k)).isEqualTo(oracle.query(query, k));
				int shards = 1 + random.nextInt(700);
				assertThat(searchInShards(store, query, k, shards)).isEqualTo(oracle.query(query, k));
			}
			assertThat(store.size()).isEqualTo(oracle.vectors().size());
		}
	}

	@Test
	void isAsExactAsFloatsAre() {
		Random random = new Random(1);
		VectorStore store = new VectorStore(128);
		float[] stored = new float[128];
		float[] query = new float[128];
		for (int i = 0; i < 128; i++) {
			stored[i] = (float) random.nextGaussian();
			query[i] = (float) random.nextGaussian();
		}
		store.addAll(new int[] { 1 }, stored, 1);
		double exact = BruteForce.squaredDistance(stored, query);
		assertThat((double) search(store, query, 1).get(0).distance()).isEqualTo(exact, within(exact * 1e-6));
	}

	@Test
	void takesAllVectorsOfAMessageOrNone() {
		VectorStore store = new VectorStore(1);
		assertThat(store.addAll(new int[] { 1, 2 }, new float[] { 1, 2 }, 3)).isTrue();
		assertThat(store.addAll(new int[] { 3, 4 }, new float[] { 3, 4 }, 3)).isFalse();
		assertThat(store.size()).isEqualTo(2);
		assertThat(store.addAll(new int[] { 2, 3 }, new float[] { 20, 30 }, 3)).isTrue();
		assertThat(search(store, new float[] { 20 }, 1)).containsExactly(new Neighbour(2, 0));
	}

	@Test
	void keepsTheLastOfTwoVectorsWithOneId() {
		VectorStore store = new VectorStore(1);
		assertThat(store.addAll(new int[] { 1, 1 }, new float[] { 5, 6 }, 1)).isTrue();
		assertThat(search(store, new float[] { 6 }, 2)).containsExactly(new Neighbour(1, 0));
	}

	@Test
	void startsAnewOnceCleared() {
		VectorStore store = new VectorStore(1);
		store.addAll(new int[] { 1, 2 }, new float[] { 1, 2 }, 2);
		store.clear();
		assertThat(store.size()).isZero();
		assertThat(search(store, new float[] { 1 }, 2)).isEmpty();
		assertThat(store.addAll(new int[] { 3, 4 }, new float[] { 3, 4 }, 2)).isTrue();
		assertThat(search(store, new float[] { 4 }, 2)).containsExactly(new Neighbour(4, 0), new Neighbour(3, 1));
	}

	@Test
	void refusesVectorsOfAnotherLength() {
		VectorStore store = new VectorStore(2);
		assertThatIllegalArgumentException().isThrownBy(() -> store.addAll(new int[] { 1 }, new float[3], 2));
		assertThatIllegalArgumentException().isThrownBy(() -> search(store, new float[1], 1));
	}

	@Test
	void countsItsChanges() {
		VectorStore store = new VectorStore(1);
		store.addAll(new int[] { 1, 2 }, new float[] { 1, 2 }, 2);
		assertThat(store.version()).isEqualTo(1);
		store.addAll(new int[] { 1 }, new float[] { 3 }, 2);
		assertThat(store.version()).isEqualTo(2);
		store.remove(1);
		assertThat(store.version()).isEqualTo(3);
		store.clear();
		assertThat(store.version()).isEqualTo(4);
	}

	@Test
	void whatChangesNothingIsNotCounted() {
		VectorStore store = new VectorStore(1);
		store.addAll(new int[] { 1, 2 }, new float[] { 1, 2 }, 1);
		store.remove(7);
		search(store, new float[] { 1 }, 1);
		assertThat(store.version()).isZero();
	}

	@Test
	void refusesAShardThatThereIsNot() {
		VectorStore store = new VectorStore(1);
		NearestHeap nearest = new NearestHeap(1);
		assertThatIllegalArgumentException().isThrownBy(() -> store.search(new float[1], 2, 2, nearest));
		assertThatIllegalArgumentException().isThrownBy(() -> store.search(new float[1], -1, 2, nearest));
		assertThatIllegalArgumentException().isThrownBy(() -> store.search(new float[1], 0, 0, nearest))
			.withMessage("There is no shard 0 of 0");
	}

	private static List<Neighbour> search(VectorStore store, float[] query, int k) {
		return searchInShards(store, query, k, 1);
	}

	private static List<Neighbour> searchInShards(VectorStore store, float[] query, int k, int shards) {
		NearestHeap nearest = new NearestHeap(k);
		for (int shard = 0; shard < shards; shard++) {
			store.search(query, shard, shards, nearest);
		}
		return nearest.drain((ids, distances) -> {
			List<Neighbour> neighbours = new ArrayList<>();
			for (int i = 0; i < ids.length; i++) {
				neighbours.add(new Neighbour(ids[i], distances[i]));
			}
			return neighbours;
		});
	}

}
