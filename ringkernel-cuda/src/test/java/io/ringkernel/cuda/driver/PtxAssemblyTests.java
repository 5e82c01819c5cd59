package io.ringkernel.cuda.driver;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import jcuda.nvptxcompiler.JNvPTXCompiler;
import jcuda.nvptxcompiler.nvPTXCompilerHandle;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Every image of the repository assembles for every architecture that is supported.
 */
class PtxAssemblyTests {

	private static final List<String> ARCHITECTURES = List.of("sm_75", "sm_80", "sm_86", "sm_89", "sm_90");

	private static final List<String> DIRECTORIES = List.of("src/main/resources", "src/test/resources",
			"../sample-app/src/main/resources", "../ringkernel-benchmarks/src/main/resources");

	@BeforeAll
	static void loadTheCompiler() {
		boolean loaded = false;
		try {
			NativeDirectory.unpackInto(() -> JNvPTXCompiler.setLogLevel(jcuda.LogLevel.LOG_QUIET));
			loaded = true;
		}
		catch (LinkageError ex) {
			// Told by the assumption.
		}
		assumeTrue(loaded, "JCuda's PTX compiler cannot be loaded here");
	}

	static Stream<Arguments> imagesAndArchitectures() throws IOException {
		Stream.Builder<Arguments> arguments = Stream.builder();
		for (String directory : DIRECTORIES) {
			if (Files.isDirectory(Path.of(directory))) {
				try (Stream<Path> files = Files.walk(Path.of(directory))) {
					files.filter((file) -> file.toString().endsWith(".ptx"))
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
	void assembles(Path image, String architecture) throws IOException {
		byte[] text = Files.readAllBytes(image);
		nvPTXCompilerHandle compiler = new nvPTXCompilerHandle();
		assertThat(JNvPTXCompiler.nvPTXCompilerCreate(compiler, text.length, text)).isZero();
		int code = JNvPTXCompiler.nvPTXCompilerCompile(compiler, 1, new String[] { "--gpu-name=" + architecture });
		long[] size = new long[1];
		JNvPTXCompiler.nvPTXCompilerGetErrorLogSize(compiler, size);
		byte[] log = new byte[(int) size[0] + 1];
		if (size[0] > 0) {
			JNvPTXCompiler.nvPTXCompilerGetErrorLog(compiler, log);
		}
		JNvPTXCompiler.nvPTXCompilerDestroy(compiler);
		assertThat(code).as(new String(log, StandardCharsets.US_ASCII)).isZero();
	}

}
