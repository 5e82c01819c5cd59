package io.ringkernel.sample.readme;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A fenced block of a page.
 *
 * @param section the heading of second level above it
 * @param mark the comment in the line before it, or an empty string
 * @param language what is written behind the fence
 * @param text what is fenced
 */
record MarkdownBlock(String section, String mark, String language, String text) {

	private static final Pattern SECTION_OR_BLOCK = Pattern.compile(
			"^## (?<section>[^\\n]+)$|(?:^<!-- (?<mark>[\\w./-]+) -->\\n)?^```(?<language>\\w*)\\n(?<text>.*?)^```$",
			Pattern.MULTILINE | Pattern.DOTALL);

	static List<MarkdownBlock> of(Path page) throws IOException {
		List<MarkdownBlock> blocks = new ArrayList<>();
		String section = "";
		Matcher matcher = SECTION_OR_BLOCK.matcher(Files.readString(page));
		while (matcher.find()) {
			if (matcher.group("section") != null) {
				section = matcher.group("section");
			}
			else {
				String mark = (matcher.group("mark") != null) ? matcher.group("mark") : "";
				blocks.add(new MarkdownBlock(section, mark, matcher.group("language"), matcher.group("text").strip()));
			}
		}
		return blocks;
	}

	boolean isCurl() {
		return this.language.equals("bash") && this.text.startsWith("curl ");
	}

	boolean isMaven() {
		return this.language.equals("bash") && this.text.startsWith("./mvnw ");
	}

}
