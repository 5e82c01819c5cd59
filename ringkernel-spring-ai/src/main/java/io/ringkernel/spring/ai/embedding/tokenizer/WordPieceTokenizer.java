package io.ringkernel.spring.ai.embedding.tokenizer;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Makes tokens of a text: words and punctuation, each in the longest pieces that are in
 * the vocabulary, between a token that begins a text and one that ends it. Wu et al.,
 * Google's Neural Machine Translation System, arXiv 1609.08144. The tokens are those of
 * Hugging Face's {@code BertNormalizer}, {@code BertPreTokenizer} and {@code WordPiece}.
 * Names of special tokens within a text are text.
 *
 * @since 0.2.0
 */
public final class WordPieceTokenizer {

	/** What is in front of a piece that continues a word. */
	static final String CONTINUATION = "##";

	/** A longer word is unknown. */
	static final int MAX_WORD_LENGTH = 100;

	/** What a word becomes that is not made of pieces. */
	static final String UNKNOWN = "[UNK]";

	private final Map<String, Integer> vocabulary;

	private final BertNormalizer normalizer;

	private final int unknown;

	private final int begin;

	private final int end;

	WordPieceTokenizer(Map<String, Integer> vocabulary, BertNormalizer normalizer) {
		this.vocabulary = vocabulary;
		this.normalizer = normalizer;
		this.unknown = special(UNKNOWN);
		this.begin = special("[CLS]");
		this.end = special("[SEP]");
	}

	private int special(String token) {
		Integer id = this.vocabulary.get(token);
		if (id == null) {
			throw new IllegalArgumentException(
					"The vocabulary has no %s. Take the tokenizer of a BERT model.".formatted(token));
		}
		return id;
	}

	/**
	 * How many tokens there are.
	 * @return one more than the greatest token
	 */
	public int vocabularySize() {
		return 1 + this.vocabulary.values().stream().mapToInt(Integer::intValue).max().orElse(-1);
	}

	/**
	 * Makes tokens of a text.
	 * @param text any text
	 * @param maxTokens the most tokens, 2 or more
	 * @return the tokens; if they are too many, the first ones and the one that ends a
	 * text
	 */
	public TokenizedText tokenize(String text, int maxTokens) {
		List<Integer> tokens = new ArrayList<>();
		tokens.add(this.begin);
		StringBuilder word = new StringBuilder();
		for (int character : this.normalizer.normalize(text)) {
			if (BertNormalizer.isWhitespace(character)) {
				endWord(word, tokens);
			}
			else if (BertNormalizer.isPunctuation(character)) {
				endWord(word, tokens);
				endWord(word.appendCodePoint(character), tokens);
			}
			else {
				word.appendCodePoint(character);
			}
			if (tokens.size() > maxTokens) {
				break;
			}
		}
		endWord(word, tokens);
		boolean isTruncated = tokens.size() > maxTokens - 1;
		if (isTruncated) {
			tokens.subList(maxTokens - 1, tokens.size()).clear();
		}
		tokens.add(this.end);
		return new TokenizedText(tokens.stream().mapToInt(Integer::intValue).toArray(), isTruncated);
	}

	private void endWord(StringBuilder word, List<Integer> tokens) {
		if (!word.isEmpty()) {
			addPieces(word.toString(), tokens);
			word.setLength(0);
		}
	}

	private void addPieces(String word, List<Integer> tokens) {
		if (word.codePointCount(0, word.length()) > MAX_WORD_LENGTH) {
			tokens.add(this.unknown);
			return;
		}
		int before = tokens.size();
		for (int from = 0; from < word.length();) {
			int to = word.length();
			Integer piece = piece(word, from, to);
			while (piece == null && to > from) {
				to = word.offsetByCodePoints(to, -1);
				piece = (to > from) ? piece(word, from, to) : null;
			}
			if (piece == null) {
				tokens.subList(before, tokens.size()).clear();
				tokens.add(this.unknown);
				return;
			}
			tokens.add(piece);
			from = to;
		}
	}

	private @Nullable Integer piece(String word, int from, int to) {
		String piece = word.substring(from, to);
		return this.vocabulary.get((from == 0) ? piece : CONTINUATION + piece);
	}

}
