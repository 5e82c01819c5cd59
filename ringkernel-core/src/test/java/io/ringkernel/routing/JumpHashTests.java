package io.ringkernel.routing;

import java.util.SplittableRandom;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class JumpHashTests {

	private static final int KEYS = 100_000;

	private final SplittableRandom random = new SplittableRandom(7);

	@ParameterizedTest
	@CsvSource({ "1, 1, 0", "42, 57, 43", "3735883980, 1, 0", "3735883980, 666, 361", "256, 1024, 520" })
	void shardsAreThoseOfOtherImplementations(long key, int shards, int shard) {
		assertThat(JumpHash.shard(key, shards)).isEqualTo(shard);
	}

	@Test
	void aShardMoreTakesKeysAndMovesNoneBetweenOthers() {
		for (int i = 0; i < KEYS; i++) {
			long key = this.random.nextLong();
			int shards = this.random.nextInt(1, 1024);
			assertThat(JumpHash.shard(key, shards + 1)).isIn(JumpHash.shard(key, shards), shards);
		}
	}

	@Test
	void everyKeyHasAShard() {
		for (int i = 0; i < KEYS; i++) {
			int shards = this.random.nextInt(1, 1025);
			assertThat(JumpHash.shard(this.random.nextLong(), shards)).isBetween(0, shards - 1);
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 2, 3, 8, 100 })
	void shardsGetEqualSharesOfKeysInARow(int shards) {
		KeyRouter<Key> router = new KeyRouter<>("keyed", shards, Key::value);
		int[] counts = new int[shards];
		IntStream.range(0, KEYS).forEach((key) -> counts[router.replicaFor(new Key(key))]++);
		double fair = KEYS / (double) shards;
		double tolerance = 6 * Math.sqrt(fair);
		assertThat(IntStream.of(counts).boxed())
			.allSatisfy((count) -> assertThat((double) count).isBetween(fair - tolerance, fair + tolerance));
	}

	record Key(long value) {
	}

}
