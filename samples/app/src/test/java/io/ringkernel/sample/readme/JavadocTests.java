package io.ringkernel.sample.readme;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the Javadoc of the modules that are published.
 */
class JavadocTests {

	private static final Pattern PUBLIC_TYPE = Pattern.compile(
			"^public (?:(?:abstract|final|sealed|non-sealed) )*(?:class|interface|enum|record|@interface) ",
			Pattern.MULTILINE);

	private static final Pattern SINCE = Pattern.compile("^ \\* @since \\d+\\.\\d+\\.\\d+$", Pattern.MULTILINE);

	@Test
	void everyPublicTypeSaysSinceWhenItIsThere() throws IOException {
		List<Path> types = publicTypes();
		assertThat(types).hasSizeGreaterThan(100);
		assertThat(types)
			.allSatisfy((type) -> assertThat(SINCE.matcher(head(type)).find()).as(type.toString()).isTrue());
	}

	private static List<Path> publicTypes() throws IOException {
		try (Stream<Path> modules = Files.list(Path.of("..", ".."))) {
			return modules.map((module) -> module.resolve("src/main/java/io/ringkernel"))
				.filter((sources) -> sources.startsWith("../..")
						&& sources.getName(2).toString().startsWith("ringkernel-"))
				.filter((sources) -> !sources.startsWith("../../ringkernel-benchmarks") && Files.isDirectory(sources))
				.flatMap(JavadocTests::files)
				.filter((file) -> PUBLIC_TYPE.matcher(text(file)).find())
				.toList();
		}
	}

	private static Stream<Path> files(Path sources) {
		try (Stream<Path> files = Files.walk(sources)) {
			return files.filter((file) -> file.toString().endsWith(".java")).toList().stream();
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** What stands before the declaration of the type. */
	private static String head(Path file) {
		String text = text(file);
		Matcher type = PUBLIC_TYPE.matcher(text);
		assertThat(type.find()).isTrue();
		return text.substring(0, type.start());
	}

	private static String text(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
