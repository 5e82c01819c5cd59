package io.ringkernel.spring.ai.embedding;

import io.ringkernel.spring.ai.embedding.model.EncoderFiles;
import io.ringkernel.spring.ai.embedding.model.EncoderWeights;
import io.ringkernel.spring.ai.embedding.tokenizer.TokenizerFiles;
import io.ringkernel.spring.ai.embedding.tokenizer.WordPieceTokenizer;

import org.springframework.core.io.ClassPathResource;

/**
 * all-MiniLM-L6-v2 with weights of 8 bits, out of the jar of langchain4j.
 */
public final class MiniLm {

	public static final String MODEL = "all-minilm-l6-v2-q.onnx";

	public static final String TOKENIZER = "all-minilm-l6-v2-q-tokenizer.json";

	private MiniLm() {
	}

	public static EncoderWeights weights() {
		return EncoderFiles.read(new ClassPathResource(MODEL));
	}

	public static WordPieceTokenizer tokenizer() {
		return TokenizerFiles.read(new ClassPathResource(TOKENIZER));
	}

}
