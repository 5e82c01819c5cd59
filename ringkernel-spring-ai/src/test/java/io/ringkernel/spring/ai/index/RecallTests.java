package io.ringkernel.spring.ai.index;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;

import io.ringkernel.platform.BackendKind;
import io.ringkernel.spring.ai.RunningKernel;
import io.ringkernel.spring.ai.graph.RowGraph;
import io.ringkernel.spring.ai.search.ElementType;
import io.ringkernel.spring.ai.search.SimilarityMetric;
import io.ringkernel.spring.ai.storage.DocumentStorage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.ai.document.Document;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How many of the nearest documents are found by rounded vectors: texts are near to some
 * others, as those of one topic are.
 */
@Tag("every-platform")
class RecallTests {

	private static final int DIMENSIONS = 128;

	private static final int DOCUMENTS = 20_000;

	private static final int TOPICS = 200;

	private static final int QUERIES = 300;

	private static final int TOP_K = 10;

	private final Random random = new Random(17);

	private final float[][] topics = IntStream.range(0, TOPICS)
		.mapToObj((i) -> around(new float[DIMENSIONS], 1))
		.toArray(float[][]::new);

	private float[] around(float[] center, double deviation) {
		float[] vector = new float[DIMENSIONS];
		for (int i = 0; i < vector.length; i++) {
			vector[i] = (float) (center[i] + deviation * this.random.nextGaussian());
		}
		return vector;
	}

	@ParameterizedTest
	@CsvSource({ "FLOAT16, 0.9999", "INT8, 0.999" })
	void nearlyAllAreFound(ElementType type, double least) {
		List<IndexedDocument> documents = IntStream.range(0, DOCUMENTS)
			.mapToObj((i) -> new IndexedDocument("id" + i, "", Map.of(), around(this.topics[i % TOPICS], 0.5)))
			.toList();
		List<float[]> queries = IntStream.range(0, QUERIES)
			.mapToObj((i) -> around(this.topics[i % TOPICS], 0.5))
			.toList();
		List<List<Document>> exact = found(documents, queries, ElementType.FLOAT32);
		List<List<Document>> rounded = found(documents, queries, type);
		int same = 0;
		for (int i = 0; i < QUERIES; i++) {
			Set<Document> common = new HashSet<>(exact.get(i));
			common.retainAll(rounded.get(i));
			same += common.size();
		}
		assertThat((double) same / (QUERIES * TOP_K)).isGreaterThanOrEqualTo(least);
	}

	private static List<List<Document>> found(List<IndexedDocument> documents, List<float[]> queries,
			ElementType type) {
		try (RunningKernel running = new RunningKernel(BackendKind.CPU, type);
				DocumentIndex index = new DocumentIndex(DocumentStorage.temporary(DIMENSIONS), running.kernel(),
						SimilarityMetric.COSINE, type, DIMENSIONS, 0, RowGraph.NONE)) {
			index.add(documents);
			return queries.stream().map((query) -> index.search(query, TOP_K, Double.NEGATIVE_INFINITY, null)).toList();
		}
	}

}
