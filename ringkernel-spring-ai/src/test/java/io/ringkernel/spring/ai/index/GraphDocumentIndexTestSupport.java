package io.ringkernel.spring.ai.index;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

import io.ringkernel.platform.BackendKind;
import io.ringkernel.spring.ai.RunningKernel;
import io.ringkernel.spring.ai.graph.IndexKind;
import io.ringkernel.spring.ai.graph.RowGraph;
import io.ringkernel.spring.ai.search.ElementType;
import io.ringkernel.spring.ai.search.SimilarityMetric;
import io.ringkernel.spring.ai.storage.DocumentStorage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

import org.springframework.ai.document.Document;
import org.springframework.ai.vectorstore.filter.Filter;
import org.springframework.ai.vectorstore.filter.FilterExpressionTextParser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A {@link DocumentIndex} with a graph beside the kernel, and documents about some
 * topics.
 */
abstract class GraphDocumentIndexTestSupport {

	static final int DIMENSIONS = 32;

	static final int TOPICS = 50;

	static final int TOP_K = 10;

	/** One thread connects points, and on a busy host it waits for a processor. */
	static final Duration PATIENCE = Duration.ofMinutes(5);

	static final double ANY_SCORE = Double.NEGATIVE_INFINITY;

	final Random random = new Random(3);

	private final float[][] topics = IntStream.range(0, TOPICS)
		.mapToObj((i) -> around(new float[DIMENSIONS], 1, this.random))
		.toArray(float[][]::new);

	final List<AutoCloseable> opened = new ArrayList<>();

	@AfterEach
	void close() throws Exception {
		for (int i = this.opened.size() - 1; i >= 0; i--) {
			this.opened.get(i).close();
		}
	}

	static float[] around(float[] center, double deviation, Random random) {
		float[] vector = center.clone();
		for (int i = 0; i < vector.length; i++) {
			vector[i] += (float) (random.nextGaussian() * deviation);
		}
		return vector;
	}

	final float[] vector(Random by) {
		return around(this.topics[by.nextInt(TOPICS)], 0.7, by);
	}

	final DocumentIndex open(DocumentStorage storage, RunningKernel running, ElementType elementType, IndexKind kind) {
		return new DocumentIndex(storage, running.kernel(), SimilarityMetric.COSINE, elementType, DIMENSIONS, 0,
				RowGraph.of(kind, SimilarityMetric.COSINE, DIMENSIONS));
	}

	final DocumentIndex index(ElementType elementType, IndexKind kind) {
		RunningKernel running = new RunningKernel(BackendKind.CPU, elementType);
		this.opened.add(running);
		DocumentIndex index = open(DocumentStorage.temporary(DIMENSIONS), running, elementType, kind);
		this.opened.add(index);
		return index;
	}

	final DocumentIndex index(IndexKind kind) {
		return index(ElementType.FLOAT32, kind);
	}

	final List<IndexedDocument> documents(int from, int to) {
		return IntStream.range(from, to)
			.mapToObj((i) -> new IndexedDocument("id" + i, "text " + i,
					Map.of("number", i, "half", i % 2, "tenth", i % 10, "hundredth", i % 100), vector(this.random)))
			.toList();
	}

	static Filter.@Nullable Expression filter(@Nullable String expression) {
		return (expression != null) ? new FilterExpressionTextParser().parse(expression) : null;
	}

	static void awaitConnected(DocumentIndex index) {
		await().atMost(PATIENCE).until(() -> index.graph().waiting() == 0);
	}

	/** What both find has the same scores, and lies in the same order. */
	final double recall(DocumentIndex index, DocumentIndex exact, @Nullable String filter, double minScore) {
		int wanted = 0;
		int found = 0;
		for (int query = 0; query < 100; query++) {
			float[] vector = vector(this.random);
			List<Document> right = exact.search(vector, TOP_K, minScore, filter(filter));
			List<Document> matches = index.search(vector, TOP_K, minScore, filter(filter));
			assertThat(matches).hasSameSizeAs(right);
			List<Document> both = right.stream().filter(matches::contains).toList();
			assertThat(matches.stream().filter(right::contains)).isEqualTo(both);
			wanted += right.size();
			found += both.size();
		}
		return (wanted > 0) ? found / (double) wanted : 1;
	}

}
