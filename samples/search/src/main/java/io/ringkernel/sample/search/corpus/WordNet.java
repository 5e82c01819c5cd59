package io.ringkernel.sample.search.corpus;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.springframework.core.io.ClassPathResource;
import org.springframework.stereotype.Component;

/**
 * The nouns of WordNet 3.1, a lexical database of English. It may be used, copied and
 * distributed under the WordNet License. Its files are described in the manual pages
 * {@code wndb} and {@code senseidx}.
 */
@Component
public class WordNet {

	private static final String DIRECTORY = "net/sf/extjwnl/data/wordnet/wn31/";

	private static final String NOUN_SENSE = "%1:";

	/** The license, which is at the top of the file, is indented. */
	private static final String LICENSE_INDENT = "  ";

	private static final String GLOSS = " | ";

	private static final String EXAMPLE = "; \"";

	private static final int HEXADECIMAL = 16;

	/**
	 * Reads the nouns that are used most.
	 * @param limit the most nouns to return
	 * @return the nouns, the one that is used most in tagged text first
	 */
	public List<Passage> nouns(int limit) {
		Map<String, Integer> uses = uses();
		Comparator<Passage> byUse = Comparator.comparingInt((passage) -> -uses.getOrDefault(passage.id(), 0));
		try (Stream<String> lines = lines("data.noun")) {
			return lines.filter((line) -> !line.startsWith(LICENSE_INDENT))
				.map(WordNet::passage)
				.sorted(byUse)
				.limit(limit)
				.toList();
		}
	}

	/** A line of the index is a sense of a word: key, place, number, uses. */
	private static Map<String, Integer> uses() {
		Map<String, Integer> uses = new HashMap<>();
		try (Stream<String> lines = lines("index.sense")) {
			lines.filter((line) -> line.contains(NOUN_SENSE)).map((line) -> line.split(" ", -1)).forEach((sense) -> {
				int count = Integer.parseInt(sense[3]);
				if (count > 0) {
					uses.merge(sense[1], count, Integer::sum);
				}
			});
		}
		return uses;
	}

	/**
	 * Place, file, type, the number of words in hexadecimal, each word with a number,
	 * relations, and after a bar the gloss.
	 */
	private static Passage passage(String line) {
		int gloss = line.indexOf(GLOSS);
		String[] fields = line.substring(0, gloss).split(" ", -1);
		int count = Integer.parseInt(fields[3], HEXADECIMAL);
		List<String> words = IntStream.range(0, count)
			.mapToObj((word) -> fields[4 + 2 * word].replace('_', ' '))
			.toList();
		return new Passage(fields[0], words, Category.ofFile(Integer.parseInt(fields[1])),
				definition(line.substring(gloss + GLOSS.length())));
	}

	private static String definition(String gloss) {
		int example = gloss.indexOf(EXAMPLE);
		return ((example > 0) ? gloss.substring(0, example) : gloss).strip();
	}

	private static Stream<String> lines(String file) {
		try {
			BufferedReader reader = new BufferedReader(new InputStreamReader(
					new ClassPathResource(DIRECTORY + file).getInputStream(), StandardCharsets.UTF_8));
			return reader.lines().onClose(() -> close(reader));
		}
		catch (IOException ex) {
			throw new UncheckedIOException("WordNet's file %s is not on the class path".formatted(file), ex);
		}
	}

	private static void close(BufferedReader reader) {
		try {
			reader.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException("A file of WordNet could not be closed", ex);
		}
	}

}
