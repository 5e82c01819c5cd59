package io.ringkernel.spring.ai.embedding.tokenizer;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.ringkernel.spring.ai.embedding.model.InvalidEncoderException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.core.io.Resource;

/**
 * Reads the files of tokenizers.
 *
 * @since 0.2.0
 */
public final class TokenizerFiles {

	private TokenizerFiles() {
	}

	/**
	 * Reads a tokenizer: {@code tokenizer.json} of Hugging Face, or the vocabulary alone,
	 * a token a line, of a model that has small letters.
	 * @param file the file
	 * @return the tokenizer
	 * @throws InvalidEncoderException if it cannot be read, or is not one of BERT
	 */
	public static WordPieceTokenizer read(Resource file) {
		try {
			String content = file.getContentAsString(StandardCharsets.UTF_8);
			return content.startsWith("{") ? ofJson(JsonMapper.shared().readTree(content)) : ofVocabulary(content);
		}
		catch (IOException | JacksonException | IllegalArgumentException ex) {
			throw new InvalidEncoderException("%s: %s".formatted(file.getDescription(), ex.getMessage()), ex);
		}
	}

	private static WordPieceTokenizer ofVocabulary(String content) {
		Map<String, Integer> vocabulary = new HashMap<>();
		List<String> lines = content.lines().toList();
		for (String line : lines) {
			vocabulary.put(line, vocabulary.size());
		}
		if (vocabulary.size() < lines.size()) {
			throw new IllegalArgumentException("A token is there twice. Take the vocabulary of a BERT model.");
		}
		return new WordPieceTokenizer(vocabulary, BertNormalizer.UNCASED);
	}

	private static WordPieceTokenizer ofJson(JsonNode root) {
		require(root, "model.type", "WordPiece", "");
		require(root, "model.unk_token", WordPieceTokenizer.UNKNOWN, WordPieceTokenizer.UNKNOWN);
		require(root, "model.continuing_subword_prefix", WordPieceTokenizer.CONTINUATION,
				WordPieceTokenizer.CONTINUATION);
		String longest = Integer.toString(WordPieceTokenizer.MAX_WORD_LENGTH);
		require(root, "model.max_input_chars_per_word", longest, longest);
		require(root, "normalizer.type", "BertNormalizer", "");
		require(root, "pre_tokenizer.type", "BertPreTokenizer", "");
		Map<String, Integer> vocabulary = new HashMap<>();
		root.path("model")
			.path("vocab")
			.properties()
			.forEach((entry) -> vocabulary.put(entry.getKey(), id(entry.getKey(), entry.getValue())));
		JsonNode normalizer = root.path("normalizer");
		boolean lowersCase = normalizer.path("lowercase").asBoolean(true);
		return new WordPieceTokenizer(vocabulary, new BertNormalizer(normalizer.path("clean_text").asBoolean(true),
				normalizer.path("handle_chinese_chars").asBoolean(true), normalizer.path("strip_accents").isNull()
						? lowersCase : normalizer.path("strip_accents").asBoolean(lowersCase),
				lowersCase));
	}

	private static int id(String token, JsonNode value) {
		if (!value.isInt() || value.intValue() < 0 || value.intValue() == Integer.MAX_VALUE) {
			throw new IllegalArgumentException("model.vocab has %s for '%s'. Take a tokenizer where it is 0 to %d."
				.formatted(value, token, Integer.MAX_VALUE - 1));
		}
		return value.intValue();
	}

	private static void require(JsonNode root, String field, String taken, String absent) {
		JsonNode node = root.at("/" + field.replace('.', '/'));
		String value = node.isMissingNode() ? absent : node.asString("");
		if (!value.equals(taken)) {
			throw new IllegalArgumentException(
					"%s is '%s'. Take a tokenizer where it is %s.".formatted(field, value, taken));
		}
	}

}
