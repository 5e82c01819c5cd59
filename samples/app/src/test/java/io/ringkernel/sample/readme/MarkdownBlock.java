package io.ringkernel.sample.readme;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A fenced block of a page.
 *
 * @param section the heading of second level above it
 * @param mark the comment in the line before it, or an empty string
 * @param reason the comment in the line before it that says why continuous integration
 * does not run it, or an empty string
 * @param language what is written behind the fence
 * @param text what is fenced
 */
record MarkdownBlock(String section, String mark, String reason, String language, String text) {

	private static final Pattern SECTION_OR_BLOCK = Pattern.compile(
			"^## (?<section>[^\\n]+)$|(?:^<!-- (?<mark>[\\w./-]+) -->\\n)?(?:^<!-- not run: (?<reason>[^\\n]+) -->\\n)?^```(?<language>\\w*)\\n(?<text>.*?)^```$",
			Pattern.MULTILINE | Pattern.DOTALL);

	private static final Set<String> COMMAND_LANGUAGES = Set.of("bash", "sh", "shell", "console");

	static List<MarkdownBlock> of(Path page) throws IOException {
		List<MarkdownBlock> blocks = new ArrayList<>();
		String section = "";
		Matcher matcher = SECTION_OR_BLOCK.matcher(Files.readString(page));
		while (matcher.find()) {
			if (matcher.group("section") != null) {
				section = matcher.group("section");
			}
			else {
				blocks.add(new MarkdownBlock(section, Objects.requireNonNullElse(matcher.group("mark"), ""),
						Objects.requireNonNullElse(matcher.group("reason"), ""), matcher.group("language"),
						matcher.group("text").strip()));
			}
		}
		return blocks;
	}

	boolean isCommand() {
		return COMMAND_LANGUAGES.contains(this.language);
	}

	boolean isCurl() {
		return this.language.equals("bash") && this.text.startsWith("curl ");
	}

	boolean isMaven() {
		return this.language.equals("bash") && this.text.startsWith("./mvnw ");
	}

}
