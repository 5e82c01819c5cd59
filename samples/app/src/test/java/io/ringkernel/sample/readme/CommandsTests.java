package io.ringkernel.sample.readme;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each command of a page is run by these tests or by continuous integration, or a comment
 * before it says why not: {@code <!-- not run: REASON -->}.
 */
class CommandsTests {

	private static final Path ROOT = Path.of("..", "..");

	/**
	 * A page and the name of a command of it, in the scripts of continuous integration.
	 */
	private static final Pattern CALL = Pattern.compile("\\b([\\w./-]+\\.md) ([a-z][a-z-]*)\\b");

	static List<String> pages() throws IOException {
		try (Stream<Path> files = Stream.concat(
				Stream.of("README.md", "CONTRIBUTING.md", "samples/search/README.md").map(ROOT::resolve),
				Files.walk(ROOT.resolve("docs"))
					.filter((file) -> file.toString().endsWith(".md") && !file.toString().contains("/target/")))) {
			return files.map((file) -> ROOT.relativize(file).toString().replace('\\', '/')).sorted().toList();
		}
	}

	@ParameterizedTest
	@MethodSource("pages")
	void everyCommandIsRunOrSaysWhyNot(String page) throws IOException {
		Set<String> run = calls().stream().map(Call::command).collect(Collectors.toSet());
		assertThat(commands(page)).allSatisfy((command) -> assertThat(
				run.contains(command.text()) || isAsked(page, command) || !command.reason().isEmpty())
			.as("%s: neither run, nor preceded by <!-- not run: REASON -->: %s", page, command.text())
			.isTrue());
	}

	@ParameterizedTest
	@MethodSource("pages")
	void noCommandThatIsRunSaysWhyNot(String page) throws IOException {
		Set<String> run = calls().stream().map(Call::command).collect(Collectors.toSet());
		assertThat(commands(page)).filteredOn((command) -> !command.reason().isEmpty())
			.noneMatch((command) -> run.contains(command.text()) || isAsked(page, command));
	}

	@Test
	void everyCommandThatIsCalledIsOnItsPage() throws IOException {
		assertThat(calls()).hasSizeGreaterThan(10)
			.allSatisfy((call) -> assertThat(call.command()).as(call.toString()).isNotEmpty());
	}

	/** {@link ReadmeTests} and {@link DocsTests} run it, and compare the answer. */
	private static boolean isAsked(String page, MarkdownBlock command) {
		return command.isCurl() && page.matches("README\\.md|docs/[^/]+\\.md");
	}

	private static List<MarkdownBlock> commands(String page) {
		try {
			return MarkdownBlock.of(ROOT.resolve(page)).stream().filter(MarkdownBlock::isCommand).toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static List<Call> calls() throws IOException {
		String scripts = Stream
			.concat(Files.readAllLines(ROOT.resolve(".ci/run")).stream(),
					Files.readAllLines(ROOT.resolve(".ci/pages")).stream())
			.filter((line) -> !line.strip().startsWith("#"))
			.collect(Collectors.joining("\n"));
		return CALL.matcher(scripts).results().map((call) -> new Call(call.group(1), call.group(2))).toList();
	}

	/** A call of a command in a script. */
	private record Call(String page, String name) {

		/** What it runs; empty if the page has no command of that name. */
		String command() {
			return commands(this.page).stream()
				.filter((command) -> command.mark().equals(this.name))
				.map(MarkdownBlock::text)
				.findFirst()
				.orElse("");
		}

	}

}
