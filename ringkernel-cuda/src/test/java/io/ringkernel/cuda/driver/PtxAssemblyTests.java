package io.ringkernel.cuda.driver;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import io.ringkernel.cuda.image.LinkedHandler;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Every image of the repository assembles for every architecture that is supported: with
 * the toolkit's assembler where it is on the path, else with JCuda's, which is of CUDA
 * 12.0 and takes PTX up to version 8.0 only. No JDK has a part in it, so one run is
 * enough. A handler without an entry does so as the part that is linked with machine code
 * of the worker, and once with its worker, which takes ten times as long:
 * {@code native/build.sh --assemble} does that for each architecture.
 */
@Tag("every-platform")
class PtxAssemblyTests {

	private static final List<String> ARCHITECTURES = List.of("sm_75", "sm_80", "sm_86", "sm_89", "sm_90");

	private static final List<String> DIRECTORIES = List.of("src/main/resources", "src/test/resources");

	@TempDir
	private Path directory;

	static Stream<Arguments> imagesAndArchitectures() throws IOException {
		Stream.Builder<Arguments> arguments = Stream.builder();
		for (String directory : DIRECTORIES) {
			if (Files.isDirectory(Path.of(directory))) {
				try (Stream<Path> files = Files.walk(Path.of(directory))) {
					// The worker is whole with a handler only.
					files.filter((file) -> file.toString().endsWith(".ptx") && !file.toString().endsWith("worker.ptx"))
						.sorted()
						.forEach((file) -> ARCHITECTURES
							.forEach((architecture) -> arguments.add(Arguments.of(file, architecture))));
				}
			}
		}
		return arguments.build();
	}

	@ParameterizedTest(name = "{0} for {1}")
	@MethodSource("imagesAndArchitectures")
	void assembles(Path image, String architecture) throws Exception {
		byte[] read = Files.readAllBytes(image);
		assertThat(problem(read, architecture)).isEmpty();
		byte[] whole = LinkedHandler.complete(read);
		if (!Arrays.equals(whole, read) && architecture.equals(ARCHITECTURES.get(0))) {
			assertThat(problem(whole, architecture)).isEmpty();
		}
	}

	private String problem(byte[] text, String architecture) throws Exception {
		Path file = Files.write(this.directory.resolve("text.ptx"), text);
		return PtxAssembler.ofToolkit().orElseGet(PtxAssemblyTests::ofJCuda).assemble(file, architecture);
	}

	private static PtxAssembler ofJCuda() {
		Optional<PtxAssembler> assembler = PtxAssembler.ofJCuda();
		assumeTrue(assembler.isPresent(), "no ptxas on the path, and JCuda's PTX compiler cannot be loaded");
		return assembler.get();
	}

}
