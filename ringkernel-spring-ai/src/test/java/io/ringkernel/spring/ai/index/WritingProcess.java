package io.ringkernel.spring.ai.index;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

import io.ringkernel.spring.ai.RunningKernel;
import io.ringkernel.spring.ai.graph.RowGraph;
import io.ringkernel.spring.ai.search.ElementType;
import io.ringkernel.spring.ai.search.SimilarityMetric;
import io.ringkernel.spring.ai.storage.DocumentStorage;

import org.springframework.ai.vectorstore.filter.FilterExpressionTextParser;

/**
 * Adds batch after batch to the storage in a directory, and prints the number of each
 * when it is stored, until it is killed. Each batch replaces the document "latest" and is
 * followed by the removal of the batch some batches before.
 */
public final class WritingProcess {

	static final int DIMENSIONS = 100;

	/** How many batches are there at a time. */
	static final int KEPT_BATCHES = 5;

	static final String LATEST = "latest";

	private WritingProcess() {
	}

	public static void main(String[] arguments) {
		int batch = Integer.parseInt(arguments[1]);
		try (RunningKernel running = new RunningKernel();
				DocumentIndex index = new DocumentIndex(DocumentStorage.open(Path.of(arguments[0]), DIMENSIONS, ""),
						running.kernel(), SimilarityMetric.COSINE, ElementType.FLOAT32, DIMENSIONS, 0, RowGraph.NONE)) {
			while (true) {
				index.add(documents(batch));
				System.out.println(batch);
				index.remove(new FilterExpressionTextParser().parse("batch == " + (batch - KEPT_BATCHES)));
				batch++;
			}
		}
	}

	private static List<IndexedDocument> documents(int batch) {
		List<IndexedDocument> documents = new ArrayList<>();
		for (int i = 0; i < size(batch); i++) {
			String id = batch + "-" + i;
			documents.add(new IndexedDocument(id, "text", Map.of("batch", batch), vector(id)));
		}
		documents.add(new IndexedDocument(LATEST, String.valueOf(batch), Map.of("batch", -1), vector(LATEST + batch)));
		return documents;
	}

	/** Some batches take one write, others many. */
	static int size(int batch) {
		return 1 + new Random(batch).nextInt(400);
	}

	static float[] vector(String seed) {
		Random random = new Random(seed.hashCode());
		float[] vector = new float[DIMENSIONS];
		for (int i = 0; i < vector.length; i++) {
			vector[i] = random.nextFloat();
		}
		return vector;
	}

}
