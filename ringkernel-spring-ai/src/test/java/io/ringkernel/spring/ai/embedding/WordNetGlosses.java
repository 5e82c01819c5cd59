package io.ringkernel.spring.ai.embedding;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;

import org.springframework.core.io.ClassPathResource;

/**
 * What WordNet says of its nouns: sentences in English.
 */
public final class WordNetGlosses {

	private static final String NOUNS = "net/sf/extjwnl/data/wordnet/wn31/data.noun";

	private WordNetGlosses() {
	}

	/**
	 * Each nth of them.
	 */
	public static List<String> each(int nth, int limit) {
		try {
			List<String> lines = new ClassPathResource(NOUNS).getContentAsString(StandardCharsets.UTF_8)
				.lines()
				.filter((line) -> line.contains("| "))
				.toList();
			return IntStream.range(0, lines.size() / nth)
				.mapToObj((i) -> lines.get(i * nth))
				.map((line) -> line.substring(line.indexOf("| ") + 2).strip())
				.limit(limit)
				.toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
