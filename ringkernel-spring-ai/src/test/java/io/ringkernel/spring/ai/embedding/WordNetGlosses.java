package io.ringkernel.spring.ai.embedding;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.springframework.core.io.ClassPathResource;

/**
 * What WordNet says of its words: sentences in English.
 */
public final class WordNetGlosses {

	private static final String FILE = "net/sf/extjwnl/data/wordnet/wn31/data.";

	private static final long SEED = 42;

	private WordNetGlosses() {
	}

	/**
	 * Each nth of those of nouns.
	 */
	public static List<String> each(int nth, int limit) {
		List<String> nouns = glosses("noun").toList();
		return IntStream.range(0, nouns.size() / nth).mapToObj((i) -> nouns.get(i * nth)).limit(limit).toList();
	}

	/**
	 * Those of nouns, verbs, adjectives and adverbs, in an order of chance that is always
	 * the same.
	 * @param count how many; there are 117,791
	 */
	public static List<String> ofAllWords(int count) {
		List<String> all = new ArrayList<>();
		Stream.of("noun", "verb", "adj", "adv").flatMap(WordNetGlosses::glosses).forEach(all::add);
		Collections.shuffle(all, new Random(SEED));
		return all.subList(0, count);
	}

	private static Stream<String> glosses(String kind) {
		try {
			return new ClassPathResource(FILE + kind).getContentAsString(StandardCharsets.UTF_8)
				.lines()
				.filter((line) -> line.contains("| "))
				.map((line) -> line.substring(line.indexOf("| ") + 2).strip());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
