package io.ringkernel.spring.ai.graph;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

import io.ringkernel.spring.ai.search.RankedRow;
import io.ringkernel.spring.ai.search.SimilarityMetric;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link RowGraph}.
 */
class RowGraphTests {

	private static final int DIMENSIONS = 32;

	private static final int TOPICS = 40;

	private static final int QUERIES = 100;

	private static final int TOP_K = 10;

	/** One thread connects points, and on a busy host it waits for a processor. */
	private static final Duration PATIENCE = Duration.ofMinutes(5);

	private static final IntPredicate ALL = (row) -> true;

	private final Random random = new Random(5);

	private final float[][] topics = IntStream.range(0, TOPICS)
		.mapToObj((i) -> around(new float[DIMENSIONS], 1))
		.toArray(float[][]::new);

	private double deviation = 0.7;

	private final List<float[]> vectors = new ArrayList<>();

	private RowGraph graph = RowGraph.of(IndexKind.GRAPH, SimilarityMetric.COSINE, DIMENSIONS);

	@AfterEach
	void close() {
		this.graph.close();
	}

	private float[] around(float[] center, double deviation) {
		float[] vector = center.clone();
		for (int i = 0; i < vector.length; i++) {
			vector[i] += (float) (this.random.nextGaussian() * deviation);
		}
		return vector;
	}

	private float[] vector() {
		return around(this.topics[this.random.nextInt(TOPICS)], this.deviation);
	}

	/** Rows in order, visible from version 1 on. */
	private void add(int count) {
		for (int i = 0; i < count; i++) {
			this.vectors.add(vector());
			this.graph.add(this.vectors.size() - 1, this.vectors.get(this.vectors.size() - 1), 0, 1);
		}
	}

	private void awaitConnected() {
		await().atMost(PATIENCE).until(() -> this.graph.waiting() == 0);
	}

	private static List<RankedRow> sorted(SimilarityMetric metric, List<float[]> vectors, Set<Integer> removed,
			float[] prepared) {
		return IntStream.range(0, vectors.size())
			.filter((row) -> !removed.contains(row))
			.mapToObj((row) -> new RankedRow(row, metric.similarity(metric.prepare(vectors.get(row)), 0, prepared)))
			.sorted()
			.limit(TOP_K)
			.toList();
	}

	/** The nearest of the candidates, by the vectors that were added. */
	private @Nullable List<RankedRow> nearest(SimilarityMetric metric, float[] prepared, int count, long version,
			IntPredicate filter) {
		int[] candidates = this.graph.candidates(prepared, count, version, filter);
		return (candidates == null) ? null : IntStream.of(candidates)
			.mapToObj(
					(row) -> new RankedRow(row, metric.similarity(metric.prepare(this.vectors.get(row)), 0, prepared)))
			.sorted()
			.limit(count)
			.toList();
	}

	private double recall(SimilarityMetric metric, Set<Integer> removed, long version) {
		int found = 0;
		for (int query = 0; query < QUERIES; query++) {
			float[] prepared = metric.prepare(vector());
			List<RankedRow> right = sorted(metric, this.vectors, removed, prepared);
			List<RankedRow> nearest = nearest(metric, prepared, TOP_K, version, ALL);
			assertThat(nearest).hasSize(right.size());
			assertThat(nearest).extracting(RankedRow::row).noneMatch(removed::contains);
			found += (int) nearest.stream().filter(right::contains).count();
		}
		return found / (double) (QUERIES * TOP_K);
	}

	@ParameterizedTest
	@EnumSource
	void findsTheNearestWhateverTheMetric(SimilarityMetric metric) {
		this.graph.close();
		this.graph = RowGraph.of(IndexKind.GRAPH, metric, DIMENSIONS);
		add(3000);
		awaitConnected();
		assertThat(recall(metric, Set.of(), 1)).isGreaterThanOrEqualTo(0.99);
		assertThat(this.graph.size()).isEqualTo(3000);
	}

	@Test
	void findsNothingWithoutRows() {
		assertThat(this.graph.candidates(vector(), 5, 1, ALL)).isEmpty();
	}

	@Test
	void findsRowsBeforeTheyAreConnected() {
		add(1000);
		awaitConnected();
		for (int i = 0; i < 200; i++) {
			add(1);
			int row = this.vectors.size() - 1;
			// If the threads that connect rows get no processor, too many of them wait.
			assertThat(nearest(SimilarityMetric.COSINE.prepare(this.vectors.get(row)), 1)).first().isEqualTo(row);
		}
	}

	@Test
	void tellsNothingWhileManyRowsAreNotConnected() {
		add(20_000);
		assertThat(this.graph.candidates(vector(), 5, 1, ALL)).isNull();
	}

	@Test
	void findsTheRowsOfAVersion() {
		add(500);
		float[] query = SimilarityMetric.COSINE.prepare(this.vectors.get(7));
		this.graph.retire(List.of(7), 2);
		assertThat(nearest(query, 0)).isEmpty();
		assertThat(nearest(query, 1)).first().isEqualTo(7);
		assertThat(nearest(query, 2)).isNotEmpty().doesNotContain(7);
		this.graph.release(7);
		this.graph.add(7, this.vectors.get(7), 0, 3);
		assertThat(nearest(query, 2)).isNotEmpty().doesNotContain(7);
		assertThat(nearest(query, 3)).first().isEqualTo(7);
	}

	private List<Integer> nearest(float[] query, long version) {
		await().atMost(PATIENCE).until(() -> this.graph.candidates(query, TOP_K, version, ALL) != null);
		return nearest(SimilarityMetric.COSINE, query, TOP_K, version, ALL).stream().map(RankedRow::row).toList();
	}

	@Test
	void takesARowOnceUntilItIsReleased() {
		add(2);
		this.graph.add(0, this.vectors.get(1), 0, 1);
		assertThat(this.graph.size()).isEqualTo(2);
		float[] query = SimilarityMetric.COSINE.prepare(this.vectors.get(0));
		assertThat(nearest(query, 1)).containsExactly(0, 1);
	}

	@Test
	void findsRowsOfEqualVectorsInTheirOrderAndThoseBesideThem() {
		add(1000);
		float[] copied = this.vectors.get(0);
		for (int i = 0; i < 500; i++) {
			this.vectors.add(copied);
			this.graph.add(1000 + i, copied, 0, 1);
		}
		add(1000);
		awaitConnected();
		assertThat(nearest(SimilarityMetric.COSINE.prepare(copied), 1)).containsExactly(0, 1000, 1001, 1002, 1003, 1004,
				1005, 1006, 1007, 1008);
		assertThat(recall(SimilarityMetric.COSINE, Set.of(), 1)).isGreaterThanOrEqualTo(0.99);
	}

	@Test
	@Tag("every-platform")
	void findsAsMuchAfterManyRowsWereReplaced() {
		add(4000);
		awaitConnected();
		Set<Integer> removed = new HashSet<>();
		for (int round = 0; round < 6; round++) {
			for (int i = 0; i < 500; i++) {
				removed.add(round * 500 + i);
				this.graph.retire(List.of(round * 500 + i), 2);
				this.graph.release(round * 500 + i);
			}
			add(500);
			awaitConnected();
		}
		assertThat(this.graph.size()).isEqualTo(4000);
		assertThat(recall(SimilarityMetric.COSINE, removed, 2)).isGreaterThanOrEqualTo(0.99);
	}

	@Test
	void beginsAnewIfMostRowsAreRemoved() {
		add(3000);
		awaitConnected();
		Set<Integer> removed = new HashSet<>(IntStream.range(0, 2500).boxed().toList());
		this.graph.retire(removed, 2);
		removed.forEach(this.graph::release);
		await().atMost(PATIENCE).until(() -> this.graph.candidates(vector(), TOP_K, 2, ALL) != null);
		awaitConnected();
		// The graph begins anew once more if rows were released while it did.
		await().atMost(PATIENCE)
			.untilAsserted(() -> assertThat(recall(SimilarityMetric.COSINE, removed, 2)).isGreaterThanOrEqualTo(0.99));
		IntStream.range(2500, 3000).forEach((row) -> {
			this.graph.retire(List.of(row), 3);
			this.graph.release(row);
		});
		assertThat(this.graph.size()).isZero();
		// What is left waits once more if the graph begins anew between two of them.
		await().atMost(PATIENCE)
			.untilAsserted(() -> assertThat(this.graph.candidates(vector(), TOP_K, 3, ALL)).isEmpty());
	}

	/** Vectors differ by less than what they are rounded by. */
	@Test
	void findsTheOneThatIsNearestOfManyThatAreAlike() {
		this.deviation = 0.01;
		add(3000);
		awaitConnected();
		int found = 0;
		for (int query = 0; query < QUERIES; query++) {
			float[] prepared = SimilarityMetric.COSINE.prepare(vector());
			List<RankedRow> right = sorted(SimilarityMetric.COSINE, this.vectors, Set.of(), prepared);
			List<RankedRow> nearest = nearest(SimilarityMetric.COSINE, prepared, 1, 1, ALL);
			assertThat(nearest).hasSize(1);
			found += nearest.get(0).equals(right.get(0)) ? 1 : 0;
		}
		assertThat(found).isGreaterThanOrEqualTo(99);
	}

	/** What the graph before had, and what it had not, is removed from the next one. */
	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void beginsAnewAgainAndAgain(CapturedOutput output) {
		add(3000);
		awaitConnected();
		for (int from = 0; from < 3000; from += 600) {
			for (int row = from; row < from + 600; row++) {
				this.graph.retire(List.of(row), 2);
				this.graph.release(row);
			}
		}
		add(500);
		await().atMost(PATIENCE).untilAsserted(() -> assertThat(this.graph.waiting()).isZero());
		assertThat(recall(SimilarityMetric.COSINE, new HashSet<>(IntStream.range(0, 3000).boxed().toList()), 2))
			.isGreaterThanOrEqualTo(0.99);
		assertThat(output).doesNotContain("ERROR");
	}

	/** Elements of any magnitude have places in an order. */
	@ParameterizedTest
	@CsvSource({ "DOT_PRODUCT, 1e-6", "DOT_PRODUCT, 1e6", "EUCLIDEAN, 1e-6", "EUCLIDEAN, 1e6" })
	void findsTheNearestWhateverTheirMagnitude(SimilarityMetric metric, float factor) {
		this.graph.close();
		this.graph = RowGraph.of(IndexKind.GRAPH, metric, DIMENSIONS);
		for (float[] topic : this.topics) {
			scale(topic, factor);
		}
		this.deviation = 0.7 * factor;
		add(3000);
		awaitConnected();
		assertThat(recall(metric, Set.of(), 1)).isGreaterThanOrEqualTo(0.99);
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "COSINE")
	void findsTheNearestIfTheFirstVectorIsFarLongerThanOthers(SimilarityMetric metric) {
		this.graph.close();
		this.graph = RowGraph.of(IndexKind.GRAPH, metric, DIMENSIONS);
		scale(this.topics[0], 1e5f);
		this.vectors.add(this.topics[0]);
		this.graph.add(0, this.topics[0], 0, 1);
		this.topics[0] = this.topics[1];
		add(3000);
		awaitConnected();
		assertThat(recall(metric, Set.of(), 1)).isGreaterThanOrEqualTo(0.8);
	}

	private static void scale(float[] vector, float factor) {
		for (int i = 0; i < vector.length; i++) {
			vector[i] *= factor;
		}
	}

	@Test
	void takesNoMoreAfterItWasClosed() {
		this.graph.close();
		add(1);
		assertThat(this.graph.waiting()).isEqualTo(1);
	}

}
