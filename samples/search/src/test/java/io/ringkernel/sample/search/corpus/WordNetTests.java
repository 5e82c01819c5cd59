package io.ringkernel.sample.search.corpus;

import java.util.List;

import org.junit.jupiter.api.Test;

import org.springframework.ai.document.MetadataMode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link WordNet}.
 */
class WordNetTests {

	private static final int ALL = 82_192;

	private static final List<Passage> NOUNS = new WordNet().nouns(Integer.MAX_VALUE);

	private static Passage noun(String word) {
		return NOUNS.stream().filter((noun) -> noun.words().get(0).equals(word)).findFirst().orElseThrow();
	}

	@Test
	void hasAllNounsOfWordNetOnce() {
		assertThat(NOUNS).hasSize(ALL).extracting(Passage::id).doesNotHaveDuplicates();
	}

	@Test
	void beginsWithTheNounsThatAreUsedMost() {
		assertThat(new WordNet().nouns(200)).hasSize(200)
			.extracting((noun) -> noun.words().get(0))
			.contains("person", "year", "house")
			.doesNotContain("umbrella");
	}

	@Test
	void readsWordsCategoryAndDefinition() {
		assertThat(noun("umbrella")).isEqualTo(new Passage(noun("umbrella").id(), List.of("umbrella"),
				Category.ARTIFACT, "a lightweight handheld collapsible canopy"));
		assertThat(noun("giraffe").words()).containsExactly("giraffe", "camelopard", "Giraffa camelopardalis");
		assertThat(noun("giraffe").category()).isEqualTo(Category.ANIMAL);
	}

	@Test
	void leavesExamplesOut() {
		assertThat(NOUNS).extracting(Passage::definition).noneMatch((definition) -> definition.contains("; \""));
		assertThat(NOUNS).extracting(Passage::definition).noneMatch(String::isBlank);
	}

	@Test
	void embedsTheWordsWithTheirDefinition() {
		assertThat(noun("umbrella").toDocument().getFormattedContent(MetadataMode.EMBED))
			.isEqualTo("umbrella: a lightweight handheld collapsible canopy");
	}

}
