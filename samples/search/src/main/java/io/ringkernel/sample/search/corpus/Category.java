package io.ringkernel.sample.search.corpus;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * What a noun of WordNet denotes, in the order of WordNet's lexicographer files.
 */
public enum Category {

	TOPS, ACT, ANIMAL, ARTIFACT, ATTRIBUTE, BODY, COGNITION, COMMUNICATION, EVENT, FEELING, FOOD, GROUP, LOCATION,
	MOTIVE, OBJECT, PERSON, PHENOMENON, PLANT, POSSESSION, PROCESS, QUANTITY, RELATION, SHAPE, STATE, SUBSTANCE, TIME;

	/** The number of the file {@code noun.Tops}. */
	private static final int FIRST_FILE = 3;

	static Category ofFile(int number) {
		return values()[number - FIRST_FILE];
	}

	/**
	 * Finds a category.
	 * @param key its {@link #key()}
	 * @return the category, if there is one
	 */
	public static Optional<Category> of(String key) {
		return Arrays.stream(values()).filter((category) -> category.key().equals(key)).findFirst();
	}

	/**
	 * {@return the name in metadata and in the API, in lower case}
	 */
	public String key() {
		return name().toLowerCase(Locale.ROOT);
	}

}
