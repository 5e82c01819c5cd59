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
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.cuda.codegen.example.Order;
import io.ringkernel.cuda.codegen.example.Total;
import io.ringkernel.cuda.image.ImageCheck;
import io.ringkernel.cuda.image.KernelImage;
import io.ringkernel.message.MessageLayout;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

@Tag("every-platform")
class MessageHeaderTests {

	private static final Path INCLUDE = Path.of("../native/include");

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

	record Sale(Kind kind, Line line, @Nullable Line next) {

		enum Kind {

			BUY, SELL

		}

		record Line(@Capacity(8) String text, Unit unit) {

			enum Unit {

				PIECE, BOX

			}

		}

		record Bid(int price) {
		}

	}

	record Refund(Kind kind, Sale.Kind of, Plain plain) {

		enum Kind {

			WHOLE, PART

		}

	}

	record Plain(int value) {

		record Doubled(Plain one, Plain other) {
		}

	}

	record Uses(Plain.Doubled doubled, Sale.Bid bid) {
	}

	record Reply(@Capacity(200) String message) {
	}

	record Flagged(boolean message) {
	}

	record Named(@Capacity(4) int[] message, @Capacity(4) String AT) {
	}

	record Wrapped(@Nullable Flagged message, Named named, int LAYOUT) {
	}

	enum Value {

		NULL, NAN, INFINITY

	}

	record Macros(Value value, double NAN, int LAYOUT, int AT) {
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
		String header = Files.readString(Path.of("../native/kernels/test/test_messages.cuh"));
		for (Class<? extends Record> message : List.of(TestKernels.Echo.class, TestKernels.Blob.class,
				TestKernels.BlobReply.class, TestKernels.Failing.class, TestKernels.Counted.class,
				TestKernels.VectorAddRequest.class, TestKernels.VectorAddResponse.class, TestKernels.Ticks.class,
				TestKernels.Quotes.class)) {
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
	void aComponentIsCalledAsTheParameterOfTheCheck() throws Exception {
		compiles(MessageHeader.of(List.of(Reply.class, Wrapped.class)));
	}

	@Test
	void componentsAndConstantsAreCalledAsWhatTheHeaderDefines() throws Exception {
		compiles(MessageHeader.of(List.of(Macros.class)));
	}

	@Test
	void aRecordThatIsBothMessageAndComponentIsOneStruct() {
		assertThat(MessageHeader.of(List.of(Pair.class, Point.class))).containsOnlyOnce("struct Point {")
			.containsSubsequence("struct Point {", "FINGERPRINT", "struct Pair {", "Point left;");
	}

	@Test
	void typesOfTwoRecordsThatShareASimpleNameAreNestedInThem() throws Exception {
		String header = MessageHeader.of(List.of(Sale.class, Refund.class));
		assertThat(header).contains("enum class Sale_Kind : int32_t { BUY, SELL };")
			.contains("enum class Refund_Kind : int32_t { WHOLE, PART };")
			.contains("struct Sale {\n  using Kind = Sale_Kind;\n")
			.contains("struct Refund {\n  using Kind = Refund_Kind;\n")
			.contains("  Refund_Kind kind;\n  Sale_Kind of;\n");
		compiles(header + """
				static_assert(static_cast<int>(Sale::Kind::SELL) == 1 && static_cast<int>(Refund::Kind::PART) == 1);
				static_assert(static_cast<int>(Sale::Line::Unit::BOX) == 1);
				static_assert(sizeof(Sale::LineAt<0>) == sizeof(decltype(Sale::line)));
				""");
	}

	@Test
	void aRecordThatIsNoMessageNamesTheTypesThatItDeclares() throws Exception {
		compiles(MessageHeader.of(List.of(Refund.class)) + "static_assert(static_cast<int>(Sale::Kind::SELL) == 1);\n");
	}

	@Test
	void aTypeMayHoldTheRecordThatDeclaresIt() throws Exception {
		String uses = "static_assert(sizeof(Plain::Doubled) == 8 && sizeof(Sale::Bid) == 4);\n";
		compiles(MessageHeader.of(List.of(Uses.class, Plain.class)) + uses);
		compiles(MessageHeader.of(List.of(Plain.class, Uses.class)) + uses);
		compiles(MessageHeader.of(List.of(Uses.class)) + uses);
	}

	@Test
	void aKernelNamesNestedTypesAsJavaDoes() throws Exception {
		assumeTrue(answers("nvcc"), "no nvcc on the path");
		Files.writeString(this.directory.resolve("order_messages.cuh"),
				MessageHeader.of(List.of(Order.class, Total.class)));
		Process nvcc = new ProcessBuilder("nvcc", "-std=c++17", "-arch=compute_75", "-rdc=true", "-ptx", "-I",
				INCLUDE.toString(), "-I", this.directory.toString(), "src/test/cuda/order_total.cu", "-o",
				this.directory.resolve("order_total.ptx").toString())
			.redirectErrorStream(true)
			.start();
		String output = new String(nvcc.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(nvcc.waitFor(120, TimeUnit.SECONDS)).isTrue();
		assertThat(output).isEmpty();
		MessageLayout<Order> requests = MessageLayout.of(Order.class);
		MessageLayout<Total> responses = MessageLayout.of(Total.class);
		String image = this.directory.resolve("order_total.ptx").toString();
		KernelSpec<Order, Total> kernel = new KernelSpec<>("order-total", requests, responses, (order) -> new Total(0),
				image, KernelOptions.DEFAULTS);
		new ImageCheck(kernel, KernelImage.of(kernel)).check();
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
