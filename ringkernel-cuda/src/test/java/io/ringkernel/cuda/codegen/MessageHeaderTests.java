package io.ringkernel.cuda.codegen;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

import io.ringkernel.Capacity;
import io.ringkernel.Length;
import io.ringkernel.conformance.TestKernels;
import io.ringkernel.message.MessageLayout;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

class MessageHeaderTests {

	private static final Path INCLUDE = Path.of("../cuda-src/include");

	@TempDir
	private Path directory;

	enum Colour {

		RED, GREEN, unsigned

	}

	record Point(int x, double y) {
	}

	record Name(@Capacity(12) String text, boolean known) {
	}

	record Everything(byte b, short s, char c, int i, long l, float f, double d, boolean z, Colour colour,
			@Length(3) int[] three, @Length(2) Point[] points, @Capacity(5) Point[] morePoints,
			@Capacity(7) String text, Name name, @Nullable Name other, OptionalLong maybe, Optional<Colour> perhaps,
			@Nullable Boolean flag, @Capacity(4) float @Nullable [] vector, @Length(2) int @Nullable [] pair,
			int delete, @Capacity(9) boolean[] flags) {
	}

	record Pair(Point left, Point right) {
	}

	@Test
	void aMessageIsAStructWithItsFingerprintAndSizes() {
		MessageLayout<?> layout = MessageLayout.of(TestKernels.VectorAddRequest.class);
		assertThat(MessageHeader.of(List.of(TestKernels.VectorAddRequest.class))).contains("""
				struct VectorAddRequest {
				  static constexpr uint64_t FINGERPRINT = 0x%016x;
				  static constexpr uint32_t MAX_BYTES = 32784;
				  static constexpr char LAYOUT[] = R"(%s)";

				  ringkernel::Array<float, 4096, 0> a;
				  ringkernel::Array<float, 4096, 8> b;

				  __device__ bool valid(ringkernel::Received message) const {
				    return message.holds(a) &
				           message.holds(b);
				  }
				};

				static_assert(sizeof(VectorAddRequest) == 16);
				static_assert(offsetof(VectorAddRequest, a) == 0);
				static_assert(offsetof(VectorAddRequest, b) == 8);
				""".formatted(layout.fingerprint(), layout.describe()));
	}

	@Test
	void whatTheSuitesImagesStateOfTheirLayoutsIsSo() throws Exception {
		String header = Files.readString(Path.of("../cuda-src/kernels/test/test_messages.cuh"));
		for (Class<? extends Record> message : List.of(TestKernels.Echo.class, TestKernels.Blob.class,
				TestKernels.BlobReply.class, TestKernels.Failing.class, TestKernels.Counted.class)) {
			assertThat(header).contains("LAYOUT[] = R\"(" + MessageLayout.of(message).describe() + ")\"");
		}
	}

	@Test
	void aRecordWithArraysThatIsAComponentIsATemplateOfItsPlace() {
		String header = MessageHeader.of(List.of(Everything.class));
		assertThat(header).contains("template <uint32_t AT>\nstruct NameAt {")
			.contains("ringkernel::String<12, AT + 0> text;")
			.containsPattern("NameAt<\\d+> name;")
			.containsPattern("ringkernel::Optional<NameAt<\\d+>> other;");
	}

	@Test
	void namesThatCppReservesGetAnUnderscore() {
		String header = MessageHeader.of(List.of(Everything.class));
		assertThat(header).contains("int32_t delete_;")
			.contains("enum class Colour : int32_t { RED, GREEN, unsigned_ };");
	}

	@Test
	void aRecordThatIsBothMessageAndComponentIsOneStruct() {
		assertThat(MessageHeader.of(List.of(Pair.class, Point.class))).containsOnlyOnce("struct Point {")
			.containsSubsequence("struct Point {", "FINGERPRINT", "struct Pair {", "Point left;");
	}

	@Test
	void twoRecordsOfOneNameAreRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> MessageHeader.of(List.of(Pair.class, Other.Pair.class)))
			.withMessageContaining("are both Pair in C++");
	}

	@Test
	void theCompilerLaysEverythingOutAsJavaDoes() throws Exception {
		compiles(MessageHeader.of(List.of(Everything.class, Pair.class, Point.class)));
	}

	@Test
	void theKernelsOfTheSuiteCompile() throws Exception {
		compiles(MessageHeader
			.of(List.of(TestKernels.Echo.class, TestKernels.VectorAddRequest.class, TestKernels.VectorAddResponse.class,
					TestKernels.Blob.class, TestKernels.BlobReply.class, TestKernels.Slow.class,
					TestKernels.Failing.class, TestKernels.Counter.class, TestKernels.Counted.class)));
	}

	@Test
	void aWrongLayoutWouldBeNoticed() throws Exception {
		Optional<List<String>> compiler = compiler();
		assumeTrue(compiler.isPresent(), "neither nvcc nor g++ on the path");
		String header = MessageHeader.of(List.of(Pair.class)).replace("double y;", "float y;");
		assertThat(run(compiler.get(), header)).contains("static");
	}

	@Test
	void theCommandLeavesAFileThatIsUpToDateAlone() throws Exception {
		Path file = this.directory.resolve("deep/messages.cuh");
		HeaderGenerator.main(file.toString(), TestKernels.Echo.class.getName());
		assertThat(file).hasContent(MessageHeader.of(List.of(TestKernels.Echo.class)));
		var written = Files.getLastModifiedTime(file);
		HeaderGenerator.main(file.toString(), TestKernels.Echo.class.getName());
		assertThat(Files.getLastModifiedTime(file)).isEqualTo(written);
		assertThatIllegalArgumentException().isThrownBy(() -> HeaderGenerator.main(file.toString()));
	}

	private void compiles(String header) throws Exception {
		Optional<List<String>> compiler = compiler();
		assumeTrue(compiler.isPresent(), "neither nvcc nor g++ on the path");
		assertThat(run(compiler.get(), header)).isEmpty();
	}

	/**
	 * The command of nvcc, or of g++ with what it does not know defined away.
	 */
	private static Optional<List<String>> compiler() throws InterruptedException {
		if (answers("nvcc")) {
			return Optional.of(List.of("nvcc", "-std=c++17", "-cuda", "-x", "cu", "-o", "/dev/null"));
		}
		return answers("g++") ? Optional
			.of(List.of("g++", "-std=c++17", "-fsyntax-only", "-D__device__=", "-D__forceinline__=inline", "-x", "c++"))
				: Optional.empty();
	}

	private static boolean answers(String compiler) throws InterruptedException {
		try {
			return new ProcessBuilder(compiler, "--version").redirectErrorStream(true)
				.redirectOutput(ProcessBuilder.Redirect.DISCARD)
				.start()
				.waitFor() == 0;
		}
		catch (IOException ex) {
			return false;
		}
	}

	private String run(List<String> compiler, String header) throws IOException, InterruptedException {
		Path file = Files.writeString(this.directory.resolve("messages.cu"), header);
		List<String> command = new ArrayList<>(compiler);
		command.addAll(List.of("-I", INCLUDE.toString(), file.toString()));
		Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
		return (process.exitValue() == 0) ? "" : output;
	}

	/**
	 * Holds a record with the name of another.
	 */
	static final class Other {

		record Pair(int a) {
		}

	}

}
