package io.ringkernel.sample.search.corpus;

import java.util.List;
import java.util.Map;

import org.springframework.ai.document.Document;

/**
 * A noun and what it means.
 *
 * @param id the place of the noun in WordNet's file of nouns
 * @param words the words that have this meaning, the usual one first
 * @param category what the noun denotes
 * @param definition what it means, without examples
 */
public record Passage(String id, List<String> words, Category category, String definition) {

	/** The key of the words, a list, in the metadata of a document. */
	public static final String WORDS = "words";

	/** The key of the category in the metadata of a document, for filters. */
	public static final String CATEGORY = "category";

	/**
	 * Makes the document that is stored. Words and definition are embedded together, so
	 * that a word finds itself.
	 * @return the document, whose text is the definition
	 */
	public Document toDocument() {
		Document document = new Document(this.id, this.definition,
				Map.of(WORDS, this.words, CATEGORY, this.category.key()));
		document.setContentFormatter((formatted, mode) -> String.join(", ", this.words) + ": " + formatted.getText());
		return document;
	}

}
