package io.ringkernel.sample.neighbours;

import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Writers, each with ids of its own, and readers at once; several workers serve them.
 */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.NONE,
		properties = { "sample.validation.enabled=false", "sample.nearest-neighbours.dimensions=64",
				"ringkernel.kernels.nearest-neighbours.workers=4", "ringkernel.backend=cpu" })
class NearestNeighboursConcurrencyTests {

	private static final int DIMENSIONS = 64;

	private static final int WRITERS = 3;

	private static final int READERS = 3;

	/** Of 8,000, the share that tests by force take. */
	private static final int STEPS = (int) (8000 * Double.parseDouble(System.getProperty("test.share", "0.25")));

	@Autowired
	private NeighbourSearch search;

	@Test
	void keepsEveryVectorOfEveryWriter() {
		ExecutorService callers = Executors.newFixedThreadPool(WRITERS + READERS);
		try {
			List<CompletableFuture<BruteForce>> writers = IntStream.range(0, WRITERS)
				.mapToObj((writer) -> CompletableFuture.supplyAsync(() -> write(writer), callers))
				.toList();
			List<CompletableFuture<Void>> readers = IntStream.range(0, READERS)
				.mapToObj((reader) -> CompletableFuture.runAsync(() -> read(reader), callers))
				.toList();
			Stream.of(writers, readers).flatMap(List::stream).forEach(CompletableFuture::join);
			BruteForce all = new BruteForce();
			writers.forEach((writer) -> all.vectors().putAll(writer.join().vectors()));
			assertThat(this.search.size()).isEqualTo(all.vectors().size());
			float[] query = BruteForce.vector(new Random(99), DIMENSIONS);
			assertThat(this.search.query(query, 100)).isEqualTo(all.query(query, 100));
		}
		finally {
			callers.shutdownNow();
		}
	}

	private BruteForce write(int writer) {
		Random random = new Random(writer);
		BruteForce own = new BruteForce();
		for (int step = 0; step < STEPS; step++) {
			int id = writer * 1000 + random.nextInt(500);
			if (own.vectors().remove(id) != null) {
				this.search.remove(id);
			}
			else {
				float[] vector = BruteForce.vector(random, DIMENSIONS);
				this.search.add(List.of(new IndexedVector(id, vector)));
				own.vectors().put(id, vector);
			}
		}
		return own;
	}

	private void read(int reader) {
		Random random = new Random(-reader - 1L);
		for (int step = 0; step < STEPS; step++) {
			List<Neighbour> found = this.search.query(BruteForce.vector(random, DIMENSIONS), 50);
			assertThat(found).isSorted();
			assertThat(found).extracting(Neighbour::id).doesNotHaveDuplicates();
		}
	}

}
