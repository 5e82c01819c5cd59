package io.ringkernel.runtime;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A kernel survives that its callers run out of memory and of stack. For how long they do
 * is set by {@code -Dringkernel.exhaustion.seconds}.
 */
@Tag("every-platform")
class ExhaustionTests {

	private static final String SECONDS = System.getProperty("ringkernel.exhaustion.seconds", "5");

	@Test
	@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
	void aKernelSurvivesCallersThatRunOutOfMemoryAndOfStack(@TempDir Path directory)
			throws IOException, InterruptedException {
		Path output = directory.resolve("output");
		Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-Xmx24m", "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"),
				ExhaustionProcess.class.getName(), SECONDS)
			.redirectErrorStream(true)
			.redirectOutput(output.toFile())
			.start();
		try {
			assertThat(process.waitFor(200, TimeUnit.SECONDS)).isTrue();
		}
		finally {
			process.destroyForcibly();
		}
		assertThat(process.exitValue()).as(() -> tail(output)).isZero();
	}

	/**
	 * The JVM remembers that a call site could not be linked, even where the cause was
	 * that memory was short: a message that has to be put together would fail for ever.
	 */
	@Test
	void noConcatenationIsLinkedAtRunTime() throws IOException {
		assertThat(linksConcatenations("target/test-classes")).as("the search finds what it looks for").isNotEmpty();
		assertThat(linksConcatenations("target/classes")).isEmpty();
	}

	private static List<Path> linksConcatenations(String directory) throws IOException {
		List<Path> linking = new ArrayList<>();
		try (Stream<Path> files = Files.walk(Path.of(directory))) {
			for (Path file : files.filter((path) -> path.toString().endsWith(".class")).toList()) {
				if (Files.readString(file, StandardCharsets.ISO_8859_1).contains("StringConcatFactory")) {
					linking.add(file);
				}
			}
		}
		return linking;
	}

	private static String tail(Path output) {
		try {
			String text = Files.readString(output);
			return text.substring(Math.max(0, text.length() - 20_000));
		}
		catch (IOException ex) {
			return ex.toString();
		}
	}

}
