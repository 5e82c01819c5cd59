package io.ringkernel.spring.ai.embedding.tokenizer;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import ai.djl.huggingface.tokenizers.HuggingFaceTokenizer;
import io.ringkernel.spring.ai.embedding.MiniLm;
import io.ringkernel.spring.ai.embedding.WordNetGlosses;
import io.ringkernel.spring.ai.embedding.model.InvalidEncoderException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.ClassPathResource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link WordPieceTokenizer}: its tokens are those of Hugging Face's tokenizer.
 */
class WordPieceTokenizerTests {

	private static final int MAX_TOKENS = 512;

	private static final WordPieceTokenizer TOKENIZER = MiniLm.tokenizer();

	private static HuggingFaceTokenizer reference;

	private final Random random = new Random(19);

	@BeforeAll
	static void load() throws IOException {
		// Which of its libraries it takes: others are downloaded.
		System.setProperty("RUST_FLAVOR", "cpu");
		reference = HuggingFaceTokenizer.newInstance(new ClassPathResource(MiniLm.TOKENIZER).getInputStream(),
				Map.of("padding", "false", "truncation", "true", "maxLength", Integer.toString(MAX_TOKENS)));
	}

	private static void agree(String text) {
		int[] expected = LongStream.of(reference.encode(text).getIds()).mapToInt(Math::toIntExact).toArray();
		assertThat(TOKENIZER.tokenize(text, MAX_TOKENS).tokens()).as(text).isEqualTo(expected);
	}

	@Test
	void hasTheTokensOfSentences() {
		WordNetGlosses.each(41, 2000).forEach(WordPieceTokenizerTests::agree);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "Café Ångström naïve", "ΟΔΟΣ Σ", "İstanbul", "東京都 2024年", "don't stop-me_now!",
			"a\u0000b\u200bc\ufffdd", "emoji \ud83d\ude00\ud83d\udc69\u200d\ud83d\ude80", "a\u000bb\u000cc\u0085d",
			"a\u0378b \ud83e\udee9", "tab\tline\r\nend\u00a0\u2003x", "$100 + 5% = \u20ac105 \u00a9",
			"\u0e2a\u0e27\u0e31\u0e2a\u0e14\u0e35", "\u0915\u094d\u0937", "Stra\u00dfe \ufb01n", "\ud840\udc00\uf900" })
	void hasTheTokensOfUnusualTexts(String text) {
		agree(text);
	}

	@Test
	void hasTheTokensOfRandomTexts() {
		int[][] ranges = { { 0x20, 0x7f }, { 0xa0, 0x250 }, { 0x300, 0x370 }, { 0x370, 0x530 }, { 0x2000, 0x2070 },
				{ 0x3000, 0x3100 }, { 0x4e00, 0x4f00 }, { 0xac00, 0xad00 }, { 0x1f300, 0x1f600 } };
		for (int i = 0; i < 2000; i++) {
			StringBuilder text = new StringBuilder();
			for (int length = this.random.nextInt(40); length > 0; length--) {
				int[] range = ranges[this.random.nextInt(ranges.length)];
				int character = this.random.nextInt(range[0], range[1]);
				if (Character.isDefined(character)) {
					text.appendCodePoint(character);
				}
			}
			agree(text.toString());
		}
	}

	@Test
	void cutsOffWhatIsTooLong() {
		TokenizedText text = TOKENIZER.tokenize("word ".repeat(20_000), 8);
		assertThat(text.isTruncated()).isTrue();
		assertThat(text.tokens()).hasSize(8).startsWith(101).endsWith(102);
		assertThat(TOKENIZER.tokenize("word ".repeat(6), 8).isTruncated()).isFalse();
		agree("word ".repeat(1000));
		agree("x".repeat(101) + " " + "y".repeat(100));
	}

	@Test
	void readsAVocabularyAlone() {
		WordPieceTokenizer tokenizer = TokenizerFiles.read(text("[UNK]\n[CLS]\n[SEP]\nice\n##berg\n"));
		assertThat(tokenizer.vocabularySize()).isEqualTo(5);
		assertThat(tokenizer.tokenize("Iceberg ices", 9).tokens()).containsExactly(1, 3, 4, 0, 2);
	}

	@Test
	void refusesOtherFiles() {
		List<String> files = List.of("[UNK]\n[CLS]\nice\n", "[UNK]\n[CLS]\n[SEP]\nice\nice\n",
				"{\"model\":{\"type\":\"BPE\"}}", "{\"model\":", "{}");
		Stream
			.of("[SEP]", "twice", "model.type is 'BPE'. Take a tokenizer where it is WordPiece", "nexpected end",
					"model.type is ''")
			.forEach((message) -> assertThat(files)
				.anySatisfy((file) -> assertThatExceptionOfType(InvalidEncoderException.class)
					.isThrownBy(() -> TokenizerFiles.read(text(file)))
					.withMessageContaining(message)));
		assertThatExceptionOfType(InvalidEncoderException.class)
			.isThrownBy(() -> TokenizerFiles.read(new ClassPathResource("no-such-file.json")))
			.withMessageContaining("no-such-file.json");
	}

	private static final String JSON = """
			{"normalizer": {"type": "BertNormalizer"}, "pre_tokenizer": {"type": "BertPreTokenizer"},
			"model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
			"max_input_chars_per_word": 100, "vocab": {"[UNK]": 0, "[CLS]": 1, "[SEP]": 2, "ice": 3, "##s": 4}}}
			""";

	@Test
	void readsAFileWithTheDefaults() {
		assertThat(TokenizerFiles.read(text(JSON)).tokenize("ices", 9).tokens()).containsExactly(1, 3, 4, 2);
		String shorter = JSON.replaceAll("\"(unk|cont|max)[^,]*,", "");
		assertThat(shorter).doesNotContain("unk_token", "continuing", "max_input");
		assertThat(TokenizerFiles.read(text(shorter)).tokenize("ices", 9).tokens()).containsExactly(1, 3, 4, 2);
	}

	@ParameterizedTest
	@CsvSource(delimiter = ';', quoteCharacter = '~',
			value = { "\"unk_token\": \"[UNK]\"; \"unk_token\": \"<unk>\"; model.unk_token is '<unk>'",
					"##\"; @@\"; model.continuing_subword_prefix is '@@'",
					"100; 64; model.max_input_chars_per_word is '64'",
					"\"ice\": 3; \"ice\": -3; model.vocab has -3 for 'ice'",
					"\"ice\": 3; \"ice\": 2147483647; model.vocab has 2147483647 for 'ice'",
					"\"ice\": 3; \"ice\": 3.5; model.vocab has 3.5 for 'ice'",
					"BertPreTokenizer; ByteLevel; pre_tokenizer.type is 'ByteLevel'" })
	void refusesWhatItDoesNotDo(String part, String other, String message) {
		assertThat(JSON).contains(part);
		assertThatExceptionOfType(InvalidEncoderException.class)
			.isThrownBy(() -> TokenizerFiles.read(text(JSON.replace(part, other))))
			.withMessageContaining(message)
			.withMessageContaining("Take a tokenizer where it is ");
	}

	private static ByteArrayResource text(String content) {
		return new ByteArrayResource(content.getBytes(StandardCharsets.UTF_8));
	}

}
