package io.ringkernel.spring.ai.embedding;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import io.micrometer.observation.ObservationRegistry;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.spring.ai.embedding.model.EncoderWeights;

import org.springframework.ai.document.Document;
import org.springframework.ai.embedding.EmbeddingOptions;

/**
 * The vectors that all-MiniLM-L6-v2 makes of the glosses of WordNet: embedded on the CPU,
 * some hundred a second, and kept in a file for the next time.
 */
public final class GlossVectors {

	private static final int TEXTS_AT_ONCE = 256;

	private GlossVectors() {
	}

	/**
	 * Reads vectors, after having embedded those that the file does not have.
	 * @param file floats in little endian, one vector after another
	 * @param count how many glosses
	 * @return the vector of each
	 */
	public static float[][] of(Path file, int count) throws IOException {
		List<String> texts = WordNetGlosses.ofAllWords(count);
		EncoderWeights weights = MiniLm.weights();
		int dimensions = weights.shape().hidden();
		long bytes = (long) count * dimensions * Float.BYTES;
		if (!Files.exists(file) || Files.size(file) < bytes) {
			embed(texts, weights, file);
		}
		try (FileChannel channel = FileChannel.open(file)) {
			FloatBuffer all = channel.map(FileChannel.MapMode.READ_ONLY, 0, bytes)
				.order(ByteOrder.LITTLE_ENDIAN)
				.asFloatBuffer();
			return IntStream.range(0, count).mapToObj((i) -> {
				float[] vector = new float[dimensions];
				all.get(i * dimensions, vector);
				return vector;
			}).toArray(float[][]::new);
		}
	}

	private static void embed(List<String> texts, EncoderWeights weights, Path file) throws IOException {
		int dimensions = weights.shape().hidden();
		int vectorBytes = dimensions * Float.BYTES;
		KernelOptions options = KernelOptions.builder()
			.workers(Runtime.getRuntime().availableProcessors())
			.requestTimeout(Duration.ofMinutes(1))
			.build();
		try (RunningEncoder running = new RunningEncoder(BackendKind.CPU, weights, 256, options);
				RandomAccessFile out = new RandomAccessFile(file.toFile(), "rw")) {
			RingKernelEmbeddingModel model = new RingKernelEmbeddingModel(running.kernel(), weights, MiniLm.tokenizer(),
					256, MiniLm.MODEL, ObservationRegistry.NOOP);
			for (int from = (int) (out.length() / vectorBytes); from < texts.size(); from += TEXTS_AT_ONCE) {
				int to = Math.min(texts.size(), from + TEXTS_AT_ONCE);
				List<Document> some = texts.subList(from, to).stream().map(Document::new).toList();
				List<float[]> vectors = model.embed(some, EmbeddingOptions.builder().build(),
						(documents) -> List.of(documents));
				FloatBuffer written = out.getChannel()
					.map(FileChannel.MapMode.READ_WRITE, (long) from * vectorBytes, (long) vectors.size() * vectorBytes)
					.order(ByteOrder.LITTLE_ENDIAN)
					.asFloatBuffer();
				vectors.forEach(written::put);
				System.out.printf("%,d of %,d glosses embedded%n", to, texts.size());
			}
		}
	}

}
