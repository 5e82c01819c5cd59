package io.ringkernel.compiler;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.ringkernel.compiler.corpus.Corpus;
import io.ringkernel.compiler.corpus.Sample;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Every handler of the corpus is compiled, and what it becomes is accepted by the
 * assembler of CUDA for each architecture.
 */
@Tag("every-platform")
class CorpusTests {

	private static final List<String> ARCHITECTURES = List.of("sm_75", "sm_90", "sm_120");

	@TempDir
	private Path directory;

	static Stream<Sample<?, ?>> corpus() {
		return Corpus.all().stream();
	}

	@ParameterizedTest
	@MethodSource("corpus")
	void theTextIsAHandlerAlone(Sample<?, ?> sample) {
		String ptx = sample.compile().ptx();
		assertThat(ptx).startsWith(".version 8.4\n.target sm_75\n")
			.containsOnlyOnce(" ringkernel_handle(")
			.containsOnlyOnce("ringkernel_handler_info[80]")
			.doesNotContain(".entry");
	}

	@ParameterizedTest
	@MethodSource("corpus")
	void theAssemblerAcceptsIt(Sample<?, ?> sample) throws Exception {
		assumeTrue(hasAssembler(), "ptxas is not on the PATH");
		Path text = Files.writeString(this.directory.resolve(sample.id() + ".ptx"), sample.compile().ptx());
		List<Process> assemblers = new ArrayList<>();
		for (String architecture : ARCHITECTURES) {
			assemblers.add(assemble(text, architecture));
		}
		for (Process assembler : assemblers) {
			String output = new String(assembler.getInputStream().readAllBytes());
			assertThat(assembler.waitFor(60, TimeUnit.SECONDS)).isTrue();
			assertThat(assembler.exitValue()).as(output).isZero();
		}
	}

	/** One beside the others: this module has no other test that lasts. */
	private static Process assemble(Path text, String architecture) throws IOException {
		return new ProcessBuilder("ptxas", "-c", "-arch=" + architecture, text.toString(), "-o", "/dev/null")
			.redirectErrorStream(true)
			.start();
	}

	private static boolean hasAssembler() throws InterruptedException {
		try {
			return new ProcessBuilder("ptxas", "--version").redirectOutput(ProcessBuilder.Redirect.DISCARD)
				.start()
				.waitFor(60, TimeUnit.SECONDS);
		}
		catch (IOException ex) {
			return false;
		}
	}

}
