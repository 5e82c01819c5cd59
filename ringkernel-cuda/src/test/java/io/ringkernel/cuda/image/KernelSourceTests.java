package io.ringkernel.cuda.image;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.ringkernel.conformance.TestKernels.VectorAddRequest;
import io.ringkernel.conformance.TestKernels.VectorAddResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which headers a source is compiled with.
 */
class KernelSourceTests {

	private static final List<Class<? extends Record>> MESSAGES = List.of(VectorAddRequest.class,
			VectorAddResponse.class);

	@TempDir
	private Path directory;

	@Test
	void theHeadersOfTheLibraryAreThoseOfTheJar() throws IOException {
		KernelSource source = read("#include <ringkernel/ring_kernel.cuh>\n");
		assertThat(source.name()).isEqualTo("adding.cu");
		assertThat(source.headers()).containsKeys("ringkernel/ring_kernel.cuh", "ringkernel/worker.cuh", "cstdint",
				"cstddef", "type_traits");
	}

	@Test
	void theHeaderOfItsMessagesIsMadeOfTheRecords() throws IOException {
		KernelSource source = read("#include \"adding_messages.cuh\"\n");
		assertThat(source.headers().get("adding_messages.cuh")).contains("struct VectorAddRequest");
	}

	@Test
	void aHeaderBesideTheSourceIsTaken() throws IOException {
		Files.createDirectory(this.directory.resolve("parts"));
		Files.writeString(this.directory.resolve("parts/own.cuh"), "# include \"deeper.cuh\"\n");
		Files.writeString(this.directory.resolve("parts/deeper.cuh"), "// deeper\n");
		Files.writeString(this.directory.resolve("adding_messages.cuh"), "// by hand\n");
		KernelSource source = read("  #include \"parts/own.cuh\"\n#include \"adding_messages.cuh\"\n");
		assertThat(source.headers()).containsEntry("deeper.cuh", "// deeper\n")
			.containsEntry("adding_messages.cuh", "// by hand\n");
	}

	@Test
	void aHeaderThatIsNotFoundIsLeftToTheCompiler() throws IOException {
		assertThat(read("#include <cuda_fp16.h>\n").headers()).isEmpty();
	}

	@Test
	void aSourceThatIsNotThereIsNone() throws IOException {
		assertThat(KernelSource.read("classpath:sources/none.cu", MESSAGES, (location) -> null)).isNull();
	}

	@Test
	void headersLieBesideASourceOnTheClassPath() throws IOException {
		KernelSource source = KernelSource.read("classpath:sources/vector_add.cu", MESSAGES, (location) -> getClass()
			.getResourceAsStream("/" + location.substring("classpath:".length()).replaceFirst("^/", "")));
		assertThat(source).isNotNull();
		assertThat(source.headers()).containsKeys("parts/addition.cuh", "vector_add_messages.cuh");
	}

	private KernelSource read(String text) throws IOException {
		Path file = Files.writeString(this.directory.resolve("adding.cu"), text);
		KernelSource source = KernelSource.read(file.toString(), MESSAGES,
				(location) -> Files.newInputStream(Path.of(location)));
		assertThat(source).isNotNull();
		return source;
	}

}
