package io.ringkernel.maven;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import io.ringkernel.cuda.image.ModuleImage;
import org.apache.maven.plugin.MojoFailureException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * A project with one kernel in CUDA C++. What needs nvcc is skipped without it.
 */
class CompileMojoTests {

	private static final String HALVING = """
			#include <ringkernel/ring_kernel.cuh>
			#include "halving_messages.cuh"

			RING_KERNEL(halving, Request, Response)
			(Context ctx, const Request& in, Response& out) {
			  auto values = out.values.resize(ctx, in.values.size());
			  for (uint32_t i = ctx.lane(); i < values.size(); i += ctx.lanes()) values[i] = in.values[i] / 2;
			}
			""";

	@TempDir
	private Path project;

	private Path headers;

	private Path kept;

	@BeforeEach
	void writeProject() throws Exception {
		this.headers = this.project.resolve("include");
		this.kept = this.project.resolve("resources/halving.ptx");
		Files.createDirectories(this.project.resolve("cuda"));
		Files.writeString(this.project.resolve("cuda/halving.cu"), HALVING);
		writeHeaders();
	}

	private void writeHeaders() throws Exception {
		HeadersMojo headers = new HeadersMojo();
		headers.classes = new File("target/test-classes");
		headers.classPath = List.of("target/test-classes");
		headers.headers = this.headers.toFile();
		headers.execute();
	}

	private CompileMojo compile(String nvcc) {
		CompileMojo compile = new CompileMojo();
		compile.sources = this.project.resolve("cuda").toFile();
		compile.headers = this.headers.toFile();
		compile.images = this.kept.getParent().toFile();
		compile.output = this.project.resolve("classes").toFile();
		compile.compiled = this.project.resolve("compiled").toFile();
		compile.machineCode = List.of("sm_80", "sm_1");
		compile.nvcc = nvcc;
		return compile;
	}

	private static void assumeNvcc() throws Exception {
		assumeTrue(new Nvcc("nvcc").devices().isPresent(), "no nvcc on the path");
	}

	private List<String> packaged() throws IOException {
		try (Stream<Path> files = Files.list(this.project.resolve("classes"))) {
			return files.map((file) -> file.getFileName().toString()).sorted().toList();
		}
	}

	@Test
	void headersAreWrittenAgainWithEachBuild() throws Exception {
		Path header = this.headers.resolve("ringkernel/ring_kernel.cuh");
		String content = Files.readString(header);
		Files.writeString(header, "of an older version");
		writeHeaders();
		assertThat(header).content().isEqualTo(content);
	}

	@Test
	void headersAreThoseOfTheLibraryAndOfTheRecordsOfEachImage() throws Exception {
		assertThat(this.headers.resolve("ringkernel/ring_kernel.cuh")).exists();
		assertThat(this.headers.resolve("halving_messages.cuh")).content()
			.contains("struct Request {", "struct Response {");
		try (Stream<Path> files = Files.list(this.headers)) {
			assertThat(files).hasSize(2);
		}
	}

	@Test
	void anImageIsKeptAndPackagedWithItsMachineCode() throws Exception {
		assumeNvcc();
		compile("nvcc").execute();
		assertThat(this.kept).content()
			.startsWith(".version 8.4\n.target sm_75\n")
			.contains(" ringkernel_handle(")
			.doesNotContain(".entry")
			.doesNotContain("\n//");
		assertThat(packaged()).containsExactly(new PtxImage(Files.readString(this.kept)).machineCodeName("halving"),
				"halving.ptx");
	}

	@Test
	void theMachineCodeIsThatOfTheHandlerWithItsWorker() throws Exception {
		assumeNvcc();
		compile("nvcc").execute();
		ModuleImage image = ModuleImage.read(this.project.resolve("classes/halving.ptx").toString(),
				(location) -> Files.newInputStream(Path.of(location)));
		assertThat(image).isNotNull();
		assertThat(image.compiled()).isEqualTo(Files.readAllBytes(machineCode()));
		assertThat(new String(new PtxImage(Files.readString(this.kept)).whole(), StandardCharsets.US_ASCII))
			.contains(".visible .entry ringkernel_worker(");
	}

	@Test
	void aSourceMayHaveAWorkerOfItsOwn() throws Exception {
		assumeNvcc();
		Files.writeString(this.project.resolve("cuda/halving.cu"), "#undef RINGKERNEL_HANDLER\n" + HALVING);
		compile("nvcc").execute();
		assertThat(this.kept).content().contains(".visible .entry halving(");
		assertThat(packaged()).hasSize(2);
	}

	@Test
	void workersThatAssistLookForCallsAtTheBeginningOfTheState() throws Exception {
		assumeNvcc();
		Files.writeString(this.project.resolve("cuda/halving.cu"), assisted("unsigned long long calls; int other;"));
		compile("nvcc").execute();
		assertThat(this.kept).content().doesNotContain(".entry").contains("ringkernel_handle");
		Files.writeString(this.project.resolve("cuda/halving.cu"), assisted("int other; unsigned long long calls;"));
		assertThatExceptionOfType(MojoFailureException.class).isThrownBy(() -> compile("nvcc").execute())
			.withMessageContaining("the state of RING_KERNEL_ASSISTED begins with calls");
	}

	private static String assisted(String state) {
		return HALVING.replace("RING_KERNEL(halving, Request, Response)",
				"struct State { %s };\nRING_KERNEL_ASSISTED(halving, Request, Response, State)".formatted(state));
	}

	@Test
	void machineCodeOfAnEarlierImageIsRemoved() throws Exception {
		assumeNvcc();
		compile("nvcc").execute();
		Files.writeString(this.project.resolve("cuda/halving.cu"), HALVING.replace("/ 2", "/ 2.0f + 0.0f"));
		compile("nvcc").execute();
		assertThat(packaged()).hasSize(2)
			.contains(new PtxImage(Files.readString(this.kept)).machineCodeName("halving"));
	}

	@Test
	void whatHasNotChangedIsNotCompiledAgain() throws Exception {
		assumeNvcc();
		compile("nvcc").execute();
		Files.writeString(machineCode(), "untouched");
		compile("nvcc").execute();
		assertThat(machineCode()).hasContent("untouched");
	}

	@Test
	void aHeaderThatHasChangedHasItsKernelsCompiled() throws Exception {
		assumeNvcc();
		Path header = Files.writeString(this.project.resolve("cuda/factor.cuh"), "#define FACTOR 2\n");
		Files.writeString(this.project.resolve("cuda/halving.cu"),
				"#include \"factor.cuh\"\n" + HALVING.replace("/ 2", "/ FACTOR"));
		compile("nvcc").execute();
		String first = Files.readString(this.kept);
		Files.writeString(header, "#define FACTOR 3\n");
		compile("nvcc").execute();
		assertThat(this.kept).content().isNotEqualTo(first);
	}

	@Test
	void anImageThatIsGoneIsCompiledAgain() throws Exception {
		assumeNvcc();
		compile("nvcc").execute();
		Files.delete(this.project.resolve("classes/halving.ptx"));
		compile("nvcc").execute();
		assertThat(packaged()).hasSize(2);
	}

	private Path machineCode() throws IOException {
		return this.project.resolve("classes")
			.resolve(new PtxImage(Files.readString(this.kept)).machineCodeName("halving"));
	}

	@Test
	void whatNvccRefusesFailsTheBuildInItsWords() throws Exception {
		assumeNvcc();
		Files.writeString(this.project.resolve("cuda/halving.cu"), HALVING.replace("in.values[i] / 2", "in.value"));
		assertThatExceptionOfType(MojoFailureException.class).isThrownBy(() -> compile("nvcc").execute())
			.withMessageContaining("halving.cu(7)")
			.withMessageContaining("has no member \"value\"");
		assertThat(this.kept).doesNotExist();
	}

	@Test
	void withoutNvccTheKeptImageWillDo() throws Exception {
		Files.createDirectories(this.kept.getParent());
		Files.writeString(this.kept, "kept");
		RecordingLog log = new RecordingLog();
		CompileMojo compile = compile("no-nvcc");
		compile.setLog(log);
		compile.execute();
		assertThat(log.messages).singleElement().asString().startsWith("There is no no-nvcc");
		assertThat(this.kept).hasContent("kept");
		assertThat(this.project.resolve("classes/halving.ptx")).hasContent("kept");
	}

	@Test
	@DisabledOnOs(OS.WINDOWS)
	void nvccMayBeAFileByARelativePath() throws Exception {
		Path file = Files.createDirectories(Path.of("target/tools")).resolve("nvcc");
		Files.writeString(file, "#!/bin/sh\necho sm_80\n");
		assertThat(file.toFile().setExecutable(true)).isTrue();
		assertThat(new Nvcc("target/tools/nvcc").devices()).contains(List.of("sm_80"));
	}

	@Test
	void withoutNvccAndImageTheBuildFails() {
		assertThatExceptionOfType(MojoFailureException.class).isThrownBy(() -> compile("no-nvcc").execute())
			.withMessageContaining("There is no no-nvcc, and no image is kept at")
			.withMessageContaining("Install the CUDA toolkit");
	}

}
