package io.ringkernel.cuda.driver;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import jcuda.nvptxcompiler.JNvPTXCompiler;
import jcuda.nvptxcompiler.nvPTXCompilerHandle;
import org.junit.jupiter.api.Assumptions;

/**
 * Assembles PTX without a GPU.
 */
interface PtxAssembler {

	/**
	 * Whether an image assembles is seen without what takes the assembler most of its
	 * time. {@code native/build.sh --assemble} optimizes as the driver does.
	 */
	String UNOPTIMIZED = "-O0";

	/**
	 * Assembles an image.
	 * @return what is wrong with it; empty if nothing is
	 */
	String assemble(Path image, String architecture) throws Exception;

	/**
	 * The toolkit's, if it is on the path.
	 */
	static Optional<PtxAssembler> ofToolkit() {
		return Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
			.flatMap((directory) -> Arrays.stream(new String[] { directory, "/usr/local/cuda/bin" }))
			.map((directory) -> Path.of(directory, "ptxas"))
			.filter(Files::isExecutable)
			.findFirst()
			.map((ptxas) -> (image, architecture) -> run(ptxas, image, architecture));
	}

	private static String run(Path ptxas, Path image, String architecture) throws IOException, InterruptedException {
		Process process = new ProcessBuilder(ptxas.toString(), UNOPTIMIZED, "-arch=" + architecture, image.toString(),
				"-o", "/dev/null")
			.redirectErrorStream(true)
			.start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		return (process.waitFor(60, TimeUnit.SECONDS) && process.exitValue() == 0) ? "" : output + "failed";
	}

	/**
	 * JCuda's, if its native library can be loaded.
	 */
	static Optional<PtxAssembler> ofJCuda() {
		try {
			NativeDirectory.unpackInto(() -> JNvPTXCompiler.setLogLevel(jcuda.LogLevel.LOG_QUIET));
			return Optional.of(PtxAssembler::compile);
		}
		catch (LinkageError ex) {
			return Optional.empty();
		}
	}

	private static String compile(Path image, String architecture) throws IOException {
		byte[] text = Files.readAllBytes(image);
		nvPTXCompilerHandle compiler = new nvPTXCompilerHandle();
		JNvPTXCompiler.nvPTXCompilerCreate(compiler, text.length, text);
		int code = JNvPTXCompiler.nvPTXCompilerCompile(compiler, 2,
				new String[] { UNOPTIMIZED, "--gpu-name=" + architecture });
		long[] size = new long[1];
		JNvPTXCompiler.nvPTXCompilerGetErrorLogSize(compiler, size);
		byte[] log = new byte[(int) size[0] + 1];
		if (size[0] > 0) {
			JNvPTXCompiler.nvPTXCompilerGetErrorLog(compiler, log);
		}
		JNvPTXCompiler.nvPTXCompilerDestroy(compiler);
		String problem = new String(log, 0, (int) size[0], StandardCharsets.US_ASCII);
		Assumptions.assumeFalse(problem.contains("Unsupported .version"), problem);
		return (code == 0) ? "" : problem + "failed with " + code;
	}

}
