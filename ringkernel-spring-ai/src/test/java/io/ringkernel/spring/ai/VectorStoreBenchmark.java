package io.ringkernel.spring.ai;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

import org.springframework.ai.document.Document;
import org.springframework.ai.embedding.EmbeddingModel;
import org.springframework.ai.vectorstore.SearchRequest;
import org.springframework.ai.vectorstore.SimpleVectorStore;
import org.springframework.ai.vectorstore.VectorStore;

/**
 * Searches this store and {@link SimpleVectorStore} side by side. Its arguments are the
 * number of documents and the dimensions of their vectors; 100,000 and 384 if there are
 * none.
 */
public final class VectorStoreBenchmark {

	private static final int QUERIES = 40;

	private static final int DOCUMENTS_PER_ADD = 10_000;

	private VectorStoreBenchmark() {
	}

	public static void main(String[] arguments) {
		int documents = (arguments.length > 0) ? Integer.parseInt(arguments[0]) : 100_000;
		int dimensions = (arguments.length > 1) ? Integer.parseInt(arguments[1]) : 384;
		try (RunningKernel running = new RunningKernel()) {
			EmbeddingModel model = new NoiseEmbeddingModel(dimensions);
			RingKernelVectorStore own = RingKernelVectorStore.builder(model, running.kernel()).build();
			SimpleVectorStore simple = SimpleVectorStore.builder(model).build();
			long started = System.nanoTime();
			add(own, documents);
			double seconds = (System.nanoTime() - started) / 1e9;
			System.out.printf(Locale.ROOT, "%d x %d: added in %.1f s%n", documents, dimensions, seconds);
			add(simple, documents);
			for (String filter : new String[] { null, "part == 3" }) {
				double[] ownTimes = times(own, filter);
				double[] simpleTimes = times(simple, filter);
				System.out.printf(Locale.ROOT,
						"filter %s: p50 %.1f ms, p95 %.1f ms; SimpleVectorStore p50 %.1f ms: %.1f times faster%n",
						filter, ownTimes[QUERIES / 2], ownTimes[QUERIES * 95 / 100], simpleTimes[QUERIES / 2],
						simpleTimes[QUERIES / 2] / ownTimes[QUERIES / 2]);
			}
			own.destroy();
		}
	}

	private static void add(VectorStore store, int documents) {
		for (int from = 0; from < documents; from += DOCUMENTS_PER_ADD) {
			List<Document> some = new ArrayList<>();
			for (int i = from; i < Math.min(documents, from + DOCUMENTS_PER_ADD); i++) {
				some.add(new Document("id" + i, "document " + i, Map.of("part", i % 10)));
			}
			store.add(some);
		}
	}

	/**
	 * Measures searches after as many to warm up.
	 * @return milliseconds, ascending
	 */
	private static double[] times(VectorStore store, String filter) {
		double[] times = new double[QUERIES];
		for (int i = -QUERIES; i < QUERIES; i++) {
			SearchRequest request = SearchRequest.builder()
				.query("query " + i)
				.topK(10)
				.similarityThresholdAll()
				.filterExpression(filter)
				.build();
			long started = System.nanoTime();
			store.similaritySearch(request);
			times[Math.max(i, 0)] = (System.nanoTime() - started) / 1e6;
		}
		Arrays.sort(times);
		return times;
	}

	/** One random vector a text, made quickly. */
	private static final class NoiseEmbeddingModel extends HashEmbeddingModel {

		private final int dimensions;

		private NoiseEmbeddingModel(int dimensions) {
			super(dimensions);
			this.dimensions = dimensions;
		}

		@Override
		protected float[] vector(String text) {
			Random random = new Random(text.hashCode());
			float[] vector = new float[this.dimensions];
			for (int i = 0; i < vector.length; i++) {
				vector[i] = random.nextFloat() - 0.5f;
			}
			return vector;
		}

	}

}
