package io.ringkernel.test.ptx.text;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The words, numbers and signs of a text, in their order. */
final class Tokens {

	private static final Pattern TOKEN = Pattern.compile("(?<skip>\\s+|//[^\n]*|/\\*.*?\\*/|\\.(?:loc|file)\\s[^\n]*)"
			+ "|(?<token>\"[^\"]*\"|0[fFdD][0-9a-fA-F]+|0[xX][0-9a-fA-F]+U?|\\d+(?:\\.\\d+)?(?:[eE][-+]?\\d+)?U?"
			+ "|[A-Za-z_$%.][\\w$%.]*|[-{}()\\[\\],;:+@!<>=|])", Pattern.DOTALL);

	private final List<String> texts = new ArrayList<>();

	private final List<Integer> lines = new ArrayList<>();

	private int next;

	Tokens(String text) {
		Matcher matcher = TOKEN.matcher(text);
		int line = 1;
		int at = 0;
		while (at < text.length()) {
			if (!matcher.find() || matcher.start() != at) {
				throw new PtxSyntaxException(line, "'%s' begins no word".formatted(text.charAt(at)));
			}
			if (matcher.group("token") != null) {
				this.texts.add(matcher.group());
				this.lines.add(line);
			}
			line += (int) matcher.group().chars().filter((sign) -> sign == '\n').count();
			at = matcher.end();
		}
	}

	boolean hasNext() {
		return this.next < this.texts.size();
	}

	/** The line of the token before, which is that of a statement that begins with it. */
	int line() {
		return this.lines.isEmpty() ? 1 : this.lines.get(Math.max(0, this.next - 1));
	}

	String peek() {
		return hasNext() ? this.texts.get(this.next) : "";
	}

	String take() {
		if (!hasNext()) {
			throw new PtxSyntaxException(line(), "the text ends too early");
		}
		return this.texts.get(this.next++);
	}

	boolean takeIf(String token) {
		if (peek().equals(token)) {
			this.next++;
			return true;
		}
		return false;
	}

	void expect(String token) {
		String found = take();
		if (!found.equals(token)) {
			throw new PtxSyntaxException(line(), "'%s' stands where '%s' is expected".formatted(found, token));
		}
	}

	/** Passes over everything to a sign, and over that. */
	void skipPast(String token) {
		while (!take().equals(token)) {
			// What a directive says is of no use here.
		}
	}

}
