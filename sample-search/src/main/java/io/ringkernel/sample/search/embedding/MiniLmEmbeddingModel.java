package io.ringkernel.sample.search.embedding;

import java.util.List;
import java.util.stream.IntStream;

import dev.langchain4j.data.segment.TextSegment;
import dev.langchain4j.model.embedding.onnx.allminilml6v2q.AllMiniLmL6V2QuantizedEmbeddingModel;

import org.springframework.ai.document.Document;
import org.springframework.ai.document.MetadataMode;
import org.springframework.ai.embedding.Embedding;
import org.springframework.ai.embedding.EmbeddingModel;
import org.springframework.ai.embedding.EmbeddingRequest;
import org.springframework.ai.embedding.EmbeddingResponse;
import org.springframework.stereotype.Component;

/**
 * all-MiniLM-L6-v2 with weights of 8 bits, as Spring AI calls it: vectors of 384 elements
 * and of length 1. Model, tokenizer and runtime come out of jars. They are loaded at the
 * first use.
 */
@Component
public class MiniLmEmbeddingModel implements EmbeddingModel {

	private static final int DIMENSIONS = 384;

	/** Which of its libraries the tokenizer takes: others are downloaded. */
	private static final String TOKENIZER_LIBRARY = "RUST_FLAVOR";

	@Override
	public int dimensions() {
		return DIMENSIONS;
	}

	@Override
	public String getEmbeddingContent(Document document) {
		return document.getFormattedContent(MetadataMode.EMBED);
	}

	@Override
	public float[] embed(Document document) {
		return embed(getEmbeddingContent(document));
	}

	/**
	 * Embeds texts.
	 * @param request the texts; none of them blank
	 * @return their vectors
	 * @throws EmbeddingModelException if the model does not run on this machine
	 */
	@Override
	public EmbeddingResponse call(EmbeddingRequest request) {
		List<TextSegment> texts = request.getInstructions().stream().map(TextSegment::from).toList();
		try {
			List<dev.langchain4j.data.embedding.Embedding> vectors = Loaded.MODEL.embedAll(texts).content();
			return new EmbeddingResponse(IntStream.range(0, vectors.size())
				.mapToObj((i) -> new Embedding(vectors.get(i).vector(), i))
				.toList());
		}
		catch (LinkageError ex) {
			throw new EmbeddingModelException(
					"The embedding model does not run on %s, %s. Run the application on Linux or Windows on x86-64, or on Linux or macOS on ARM."
						.formatted(System.getProperty("os.name"), System.getProperty("os.arch")),
					ex);
		}
	}

	private static final class Loaded {

		/**
		 * The runtime spreads each text over the processors: more threads add nothing.
		 */
		static final AllMiniLmL6V2QuantizedEmbeddingModel MODEL = load();

		private static AllMiniLmL6V2QuantizedEmbeddingModel load() {
			System.setProperty(TOKENIZER_LIBRARY, "cpu");
			return new AllMiniLmL6V2QuantizedEmbeddingModel(Runnable::run);
		}

	}

}
