package io.ringkernel.spring.ai.embedding;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

import io.ringkernel.backend.KernelOptions;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.ring.WaitStrategy;
import io.ringkernel.spring.ai.embedding.kernel.EncoderHandler;
import io.ringkernel.spring.ai.embedding.kernel.EncoderRequest;
import io.ringkernel.spring.ai.embedding.model.EncoderWeights;

/**
 * Measures a model as large as all-MiniLM-L6-v2: texts of one caller, and of 64. Before
 * anything is measured, vectors are compared with those of the CPU. Prints a table.
 * <p>
 * The system properties {@code ringkernel.bench.seconds} (2),
 * {@code ringkernel.bench.backends} ({@code cuda,cpu}) and
 * {@code ringkernel.bench.workers} ({@code 32,64,128}) say for how long and by what.
 */
public final class EncoderBenchmark {

	private static final int MAX_TOKENS = 256;

	private static final int CALLERS = 64;

	private static final double CLOSE = 0.999;

	private static final long SECONDS = Long.getLong("ringkernel.bench.seconds", 2);

	private static final EncoderWeights WEIGHTS = RandomWeights.of(RandomWeights.MINILM);

	private static final Random RANDOM = new Random(11);

	private EncoderBenchmark() {
	}

	public static void main(String[] args) throws InterruptedException {
		System.out.println("| Where | Callers | Tokens | p50 us | p99 us | Texts a second |");
		System.out.println("|---|---|---|---|---|---|");
		EncoderHandler handler = new EncoderHandler(WEIGHTS);
		for (String backend : System.getProperty("ringkernel.bench.backends", "cuda,cpu").split(",")) {
			BackendKind kind = BackendKind.valueOf(backend.toUpperCase(Locale.ROOT));
			String workers = (kind == BackendKind.CPU) ? "32"
					: System.getProperty("ringkernel.bench.workers", "32,64,128");
			for (String count : workers.split(",")) {
				measure(kind, Integer.parseInt(count), handler);
			}
		}
	}

	private static void measure(BackendKind backend, int workers, EncoderHandler handler) throws InterruptedException {
		KernelOptions options = KernelOptions.builder().workers(workers).waitStrategy(WaitStrategy.BACK_OFF).build();
		try (RunningEncoder running = new RunningEncoder(backend, WEIGHTS, MAX_TOKENS, options)) {
			String where = "%s, %d workers".formatted((backend == BackendKind.CPU) ? "CPU" : "device", workers);
			for (int tokens : new int[] { 4, 16, 17, 100, MAX_TOKENS }) {
				verify(running.encoder(), handler, text(tokens));
			}
			for (int tokens : new int[] { 4, 16, 32, 64, 128, MAX_TOKENS }) {
				List<int[]> texts = List.of(text(tokens));
				run(running.encoder(), texts);
				report(where, 1, tokens, run(running.encoder(), texts));
			}
			for (int tokens : new int[] { 4, 16, 32, 128 }) {
				callers(running.encoder(), where, tokens);
			}
		}
	}

	private static int[] text(int tokens) {
		return RANDOM.ints(tokens, 0, WEIGHTS.shape().vocabulary()).toArray();
	}

	private static void verify(EncoderKernel encoder, EncoderHandler handler, int[] text) {
		float[] vector = encoder.encode(List.of(text)).get(0);
		float[] expected = handler.handle(EncoderRequest.encode(0, text)).vector();
		double cosine = 0;
		for (int i = 0; i < vector.length; i++) {
			cosine += vector[i] * expected[i];
		}
		System.err.printf("%d tokens: cosine %.7f to the CPU%n", text.length, cosine);
		if (!(cosine > CLOSE)) {
			throw new IllegalStateException("The vector of %d tokens is not that of the CPU".formatted(text.length));
		}
	}

	private static List<Long> run(EncoderKernel encoder, List<int[]> texts) {
		List<Long> nanos = new ArrayList<>();
		long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
		for (long before = System.nanoTime(), after; before < end; before = after) {
			encoder.encode(texts);
			after = System.nanoTime();
			nanos.add(after - before);
		}
		return nanos;
	}

	private static void callers(EncoderKernel encoder, String where, int tokens) throws InterruptedException {
		List<int[]> texts = List.of(text(tokens));
		CountDownLatch begun = new CountDownLatch(CALLERS);
		List<Long> nanos = Collections.synchronizedList(new ArrayList<>());
		LongAdder failures = new LongAdder();
		List<Thread> threads = Stream.generate(() -> new Thread(() -> {
			try {
				begun.countDown();
				begun.await();
				nanos.addAll(run(encoder, texts));
			}
			catch (InterruptedException | RuntimeException ex) {
				failures.increment();
				ex.printStackTrace();
			}
		})).limit(CALLERS).toList();
		threads.forEach(Thread::start);
		for (Thread thread : threads) {
			thread.join();
		}
		if (failures.sum() > 0) {
			throw new IllegalStateException(failures + " callers failed");
		}
		report(where, CALLERS, tokens, nanos);
	}

	private static void report(String where, int callers, int tokens, List<Long> nanos) {
		long total = nanos.stream().mapToLong(Long::longValue).sum();
		List<Long> sorted = nanos.stream().sorted().toList();
		System.out.printf(Locale.ROOT, "| %s | %d | %d | %.1f | %.1f | %,.0f |%n", where, callers, tokens,
				sorted.get(sorted.size() / 2) / 1e3, sorted.get((int) (sorted.size() * 0.99)) / 1e3,
				(double) nanos.size() * callers / total * 1e9);
	}

}
