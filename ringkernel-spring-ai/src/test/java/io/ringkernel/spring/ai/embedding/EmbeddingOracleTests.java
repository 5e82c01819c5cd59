package io.ringkernel.spring.ai.embedding;

import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.stream.IntStream;

import dev.langchain4j.data.segment.TextSegment;
import dev.langchain4j.model.embedding.onnx.allminilml6v2q.AllMiniLmL6V2QuantizedEmbeddingModel;
import io.ringkernel.spring.ai.embedding.kernel.EncoderHandler;
import io.ringkernel.spring.ai.embedding.kernel.EncoderRequest;
import io.ringkernel.spring.ai.embedding.tokenizer.WordPieceTokenizer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The encoder beside ONNX Runtime, with the same file. That rounds states to eight bits
 * at each multiplication, and this does not: hence the distance.
 */
@Tag("every-platform")
class EmbeddingOracleTests {

	@Test
	void encodesAsOnnxRuntimeDoes() {
		System.setProperty("RUST_FLAVOR", "cpu");
		List<String> texts = WordNetGlosses.each(797, 100);
		List<float[]> expected = new AllMiniLmL6V2QuantizedEmbeddingModel(Runnable::run)
			.embedAll(texts.stream().map(TextSegment::from).toList())
			.content()
			.stream()
			.map((embedding) -> embedding.vector())
			.toList();
		WordPieceTokenizer tokenizer = MiniLm.tokenizer();
		EncoderHandler handler = new EncoderHandler(MiniLm.weights());
		DoubleSummaryStatistics cosines = IntStream.range(0, texts.size()).mapToDouble((i) -> {
			int[] tokens = tokenizer.tokenize(texts.get(i), 256).tokens();
			return cosine(handler.handle(EncoderRequest.encode(0, tokens)).vector(), expected.get(i));
		}).summaryStatistics();
		assertThat(cosines.getAverage()).isGreaterThan(0.98);
		assertThat(cosines.getMin()).isGreaterThan(0.93);
		assertThat(cosine(expected.get(0), expected.get(1))).as("of two texts").isLessThan(0.9);
	}

	private static double cosine(float[] one, float[] other) {
		double product = IntStream.range(0, one.length).mapToDouble((i) -> (double) one[i] * other[i]).sum();
		return product / length(one) / length(other);
	}

	private static double length(float[] vector) {
		return Math.sqrt(IntStream.range(0, vector.length).mapToDouble((i) -> (double) vector[i] * vector[i]).sum());
	}

}
