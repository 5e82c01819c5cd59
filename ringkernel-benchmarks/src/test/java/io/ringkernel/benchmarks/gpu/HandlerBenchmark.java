package io.ringkernel.benchmarks.gpu;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

import io.ringkernel.compiler.CompiledHandler;
import io.ringkernel.compiler.corpus.Corpus;
import io.ringkernel.compiler.corpus.Sample;
import io.ringkernel.cuda.driver.CudaContext;
import io.ringkernel.cuda.driver.CudaDriver;
import io.ringkernel.cuda.driver.CudaFunction;
import io.ringkernel.cuda.driver.CudaModule;
import io.ringkernel.cuda.driver.CudaStream;
import io.ringkernel.cuda.driver.Deadline;
import io.ringkernel.cuda.driver.DevicePointer;
import io.ringkernel.cuda.driver.LaunchShape;
import io.ringkernel.message.MessageLayout;
import io.ringkernel.message.buffer.MessageBuffer;
import io.ringkernel.ring.RingLayout;

/**
 * What handlers of the compiler's corpus take on the device, in Java and written by hand
 * in CUDA C++, without a ring around them. Both answer the largest request of their
 * sample, and have to give the same bytes.
 */
final class HandlerBenchmark implements AutoCloseable {

	private static final String COMPILED = "handler_bench";

	private static final String BY_HAND = "handlers_by_hand";

	/** Straight-line ranges, which the compiler takes four indices at a time of. */
	private static final List<String> STRAIGHT = List.of("VectorAdd", "Saxpy");

	/** Reductions, inner loops, branches and atomic operations. */
	private static final List<String> OTHERS = List.of("DotProduct", "Distances", "Blur", "Collatz", "Histogram");

	private static final double STRAIGHT_BAR = 0.8;

	private static final double BAR = 1.2;

	private static final int[] THREADS = { 32, 256 };

	/** How often the two are measured by turns, and how many calls each time. */
	private static final int TURNS = 5;

	private static final int ROUNDS = 200;

	private static final int PARAMETER_BYTES = 40;

	private static final Duration LIMIT = Duration.ofSeconds(20);

	private final CudaContext context;

	private final CudaStream stream;

	private final BenchmarkResults results;

	private final int turns;

	private final int rounds;

	private final Map<String, String> table = new LinkedHashMap<>();

	private HandlerBenchmark(CudaContext context, BenchmarkResults results, int turns, int rounds) {
		this.context = context;
		this.stream = context.createStream();
		this.results = results;
		this.turns = turns;
		this.rounds = rounds;
	}

	/**
	 * Runs the measurements, and prints a table last.
	 * @param arguments the file for the results
	 */
	public static void main(String... arguments) throws Exception {
		BenchmarkDevice.require();
		CudaDriver driver = CudaDriver.bounded(CudaDriver.system());
		driver.initialize();
		try (BenchmarkResults results = new BenchmarkResults(Path.of(arguments[0]))) {
			run(driver, results, TURNS, ROUNDS);
		}
		System.exit(0);
	}

	/**
	 * Measures all handlers.
	 * @param turns how often each is measured
	 * @param rounds how often it is called each time
	 */
	static void run(CudaDriver driver, BenchmarkResults results, int turns, int rounds) throws InterruptedException {
		try (HandlerBenchmark benchmark = new HandlerBenchmark(driver.open(0), results, turns, rounds)) {
			for (Sample<?, ?> sample : Corpus.all()) {
				if (STRAIGHT.contains(sample.id())) {
					benchmark.measure(sample, STRAIGHT_BAR);
				}
				else if (OTHERS.contains(sample.id())) {
					benchmark.measure(sample, BAR);
				}
			}
			System.out.println("handler      threads   Java cycles   C++ cycles   ratio   bar");
			benchmark.table.values().forEach(System.out::println);
		}
	}

	private <I extends Record, O extends Record> void measure(Sample<I, O> sample, double bar)
			throws InterruptedException {
		MessageLayout<I> requests = MessageLayout.of(sample.requestType());
		MessageLayout<O> responses = MessageLayout.of(sample.responseType());
		I request = sample.requests().stream().max(Comparator.comparingInt(requests::measure)).orElseThrow();
		MessageBuffer in = MessageBuffer.allocate(requests.measure(request));
		requests.write(request, in, 0);
		CompiledHandler compiled = sample.compile();
		CudaModule java = this.context.load(terminated(text(COMPILED) + body(compiled.ptx())));
		CudaModule byHand = this.context.load(terminated(text(BY_HAND)));
		for (int threads : THREADS) {
			Call ofJava = new Call(this.context.function(java, COMPILED), threads, in.bytes(), responses.maxSize(),
					compiled);
			Call ofHand = new Call(this.context.function(byHand, sample.id()), threads, in.bytes(), responses.maxSize(),
					compiled);
			compare(sample.id(), threads, bar, ofJava, ofHand);
		}
		this.context.unload(java);
		this.context.unload(byHand);
	}

	private void compare(String id, int threads, double bar, Call java, Call byHand) throws InterruptedException {
		long[] javaCycles = new long[this.turns];
		long[] handCycles = new long[this.turns];
		for (int turn = 0; turn < this.turns; turn++) {
			Answer ofJava = call(java);
			Answer ofHand = call(byHand);
			if (!ofJava.response().equals(ofHand.response())) {
				throw new IllegalStateException(
						"%s on %d threads answers otherwise in Java and in C++".formatted(id, threads));
			}
			javaCycles[turn] = ofJava.cycles();
			handCycles[turn] = ofHand.cycles();
		}
		Arrays.sort(javaCycles);
		Arrays.sort(handCycles);
		long ofJava = javaCycles[this.turns / 2];
		long ofHand = handCycles[this.turns / 2];
		double ratio = (double) ofJava / ofHand;
		this.results.add("handler", "id", id, "threads", threads, "java-cycles", ofJava, "by-hand-cycles", ofHand,
				"ratio", ratio, "bar", bar);
		this.table.put(id + threads, String.format(Locale.ROOT, "%-12s %7d %13d %12d %7.2f  <= %.1f %s", id, threads,
				ofJava, ofHand, ratio, bar, (ratio <= bar) ? "ok" : "MISSED"));
	}

	/** Calls a handler in a launch of its own, with the state that it begins with. */
	private Answer call(Call call) throws InterruptedException {
		ByteBuffer response = direct(call.maxBytes());
		ByteBuffer cycles = direct(Long.BYTES);
		DevicePointer in = this.context.allocate(call.request().capacity());
		DevicePointer out = this.context.allocate(call.responseBytes());
		DevicePointer state = this.context.allocate(Math.max(1, call.handler().stateBytes()));
		DevicePointer clock = this.context.allocate(Long.BYTES);
		try {
			this.context.zero(out, call.maxBytes(), this.stream);
			this.context.zero(state, Math.max(1, call.handler().stateBytes()), this.stream);
			ByteBuffer request = direct(call.request().capacity()).put(0, call.request(), 0, call.request().capacity());
			this.context.upload(in, request, this.stream);
			ByteBuffer initial = call.handler().initialState();
			if (initial.hasRemaining()) {
				this.context.upload(state, initial, this.stream);
			}
			ByteBuffer parameter = direct(PARAMETER_BYTES).putLong(0, in.address())
				.putLong(8, out.address())
				.putLong(16, state.address())
				.putLong(24, clock.address())
				.putInt(32, call.request().capacity())
				.putInt(36, this.rounds);
			this.context.launch(call.function(), new LaunchShape(1, call.threads(), 0), parameter, this.stream);
			this.context.download(response, out, this.stream);
			this.context.download(cycles, clock, this.stream);
			await();
			return new Answer(response, cycles.getLong(0));
		}
		finally {
			List.of(in, out, state, clock).forEach(this.context::free);
		}
	}

	private void await() throws InterruptedException {
		if (!Deadline.in(LIMIT).await(() -> this.context.isDone(this.stream))) {
			throw new IllegalStateException("The handler has not ended within " + LIMIT);
		}
	}

	private static ByteBuffer direct(int bytes) {
		return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
	}

	private static byte[] terminated(String text) {
		byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
		return Arrays.copyOf(bytes, bytes.length + 1);
	}

	private static String text(String image) {
		try (InputStream in = HandlerBenchmark.class.getResourceAsStream("/kernels/" + image + ".ptx")) {
			return new String(Objects.requireNonNull(in, image).readAllBytes(), StandardCharsets.US_ASCII);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Without the directives that a text begins with. */
	private static String body(String text) {
		return text.lines()
			.filter((line) -> !line.matches("\\.(version|target|address_size).*"))
			.collect(Collectors.joining("\n", "", "\n"));
	}

	@Override
	public void close() {
		this.context.destroy(this.stream);
	}

	private record Call(CudaFunction function, int threads, ByteBuffer request, int maxBytes, CompiledHandler handler) {

		/** The largest response, and behind it what the handler has for one request. */
		long responseBytes() {
			int line = RingLayout.LINE_BYTES;
			return (this.maxBytes + line - 1) / line * line + (long) this.handler.scratchBytes();
		}

	}

	private record Answer(ByteBuffer response, long cycles) {
	}

}
