package io.ringkernel.spring.ai.embedding.tokenizer;

import java.text.Normalizer;
import java.util.stream.IntStream;

/**
 * Makes the characters of a text comparable: none that controls, white space as spaces,
 * Chinese characters as words of their own, and, as the model asks for it, small letters
 * without accents.
 */
record BertNormalizer(boolean cleansText, boolean splitsChinese, boolean stripsAccents, boolean lowersCase) {

	/** Of models whose vocabulary has small letters alone. */
	static final BertNormalizer UNCASED = new BertNormalizer(true, true, true, true);

	private static final int REPLACEMENT = 0xfffd;

	int[] normalize(String text) {
		StringBuilder characters = new StringBuilder(text.length() + 16);
		text.codePoints().forEach((character) -> {
			if (!this.cleansText) {
				append(character, characters);
			}
			else if (character == '\t' || character == '\n' || character == '\r') {
				characters.append(' ');
			}
			else if (character != 0 && character != REPLACEMENT && !isControl(character)) {
				append(isWhitespace(character) ? ' ' : character, characters);
			}
		});
		CharSequence normalized = this.stripsAccents ? withoutAccents(characters) : characters;
		return normalized.codePoints()
			// One by one: as a text, a sigma at the end of a word would become another
			// letter.
			.flatMap((character) -> this.lowersCase ? lower(character) : IntStream.of(character))
			.toArray();
	}

	private void append(int character, StringBuilder characters) {
		if (this.splitsChinese && isChinese(character)) {
			characters.append(' ').appendCodePoint(character).append(' ');
		}
		else {
			characters.appendCodePoint(character);
		}
	}

	private static CharSequence withoutAccents(CharSequence characters) {
		StringBuilder result = new StringBuilder(characters.length());
		Normalizer.normalize(characters, Normalizer.Form.NFD)
			.codePoints()
			.filter((character) -> Character.getType(character) != Character.NON_SPACING_MARK)
			.forEach(result::appendCodePoint);
		return result;
	}

	private static IntStream lower(int character) {
		int lower = Character.toLowerCase(character);
		// The only letter that becomes two.
		return (character == 0x130) ? IntStream.of('i', 0x307) : IntStream.of(lower);
	}

	/** The property White_Space of Unicode. */
	static boolean isWhitespace(int character) {
		return Character.isSpaceChar(character) || (character >= '\t' && character <= '\r') || character == 0x85;
	}

	private static boolean isControl(int character) {
		return switch (Character.getType(character)) {
			case Character.CONTROL, Character.FORMAT, Character.PRIVATE_USE, Character.SURROGATE -> true;
			default -> false;
		};
	}

	static boolean isPunctuation(int character) {
		if (character < 0x80) {
			return character > ' ' && character < 0x7f && !Character.isLetterOrDigit(character);
		}
		return switch (Character.getType(character)) {
			case Character.CONNECTOR_PUNCTUATION, Character.DASH_PUNCTUATION, Character.START_PUNCTUATION,
					Character.END_PUNCTUATION, Character.INITIAL_QUOTE_PUNCTUATION, Character.FINAL_QUOTE_PUNCTUATION,
					Character.OTHER_PUNCTUATION ->
				true;
			default -> false;
		};
	}

	/** As the reference has the blocks of CJK ideographs. */
	private static boolean isChinese(int character) {
		return (character >= 0x4e00 && character <= 0x9fff) || (character >= 0x3400 && character <= 0x4dbf)
				|| (character >= 0x20000 && character <= 0x2a6df) || (character >= 0x2a700 && character <= 0x2b73f)
				|| (character >= 0x2b740 && character <= 0x2b81f) || (character >= 0x2b920 && character <= 0x2ceaf)
				|| (character >= 0xf900 && character <= 0xfaff) || (character >= 0x2f800 && character <= 0x2fa1f);
	}

}
