package io.ringkernel.spring.ai.embedding;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.micrometer.observation.ObservationRegistry;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.message.MessageLayout;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import io.ringkernel.spring.ai.RingKernelVectorStore;
import io.ringkernel.spring.ai.embedding.kernel.EncoderHandler;
import io.ringkernel.spring.ai.embedding.kernel.EncoderRequest;
import io.ringkernel.spring.ai.embedding.kernel.EncoderResponse;
import io.ringkernel.spring.ai.embedding.model.EncoderWeights;
import io.ringkernel.spring.ai.embedding.tokenizer.TokenizerFiles;
import io.ringkernel.spring.ai.search.ElementType;
import io.ringkernel.spring.ai.search.VectorSearchHandler;
import io.ringkernel.spring.ai.search.VectorSearchRequest;
import io.ringkernel.spring.ai.search.VectorSearchResponse;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

import org.springframework.ai.document.Document;
import org.springframework.ai.vectorstore.SearchRequest;
import org.springframework.core.io.ByteArrayResource;

/**
 * Measures what a user of a vector store waits for: from a text of 16 tokens to the ten
 * nearest documents, with the encoder and the search on one device. Then 64 threads
 * search, while the memory of the process and of the device is looked at.
 * <p>
 * The arguments are how many documents there are, with random vectors, and for how many
 * seconds the threads search. The system property {@code ringkernel.bench.backend}
 * ({@code cuda}) says where, {@code ringkernel.bench.mode} (chosen) how,
 * {@code ringkernel.bench.workers} (96) by how many workers it is searched, and
 * {@code ringkernel.bench.encoders} (those of the kernel) by how many texts are encoded.
 */
public final class TextSearchBenchmark {

	private static final int MAX_TOKENS = 256;

	/** With those that begin and end a text, 16 tokens. */
	private static final int WORDS = 14;

	private static final int VOCABULARY = 5000;

	private static final int DOCUMENTS_PER_ADD = 10_000;

	private static final int THREADS = 64;

	private static final int LOOKS = 10;

	private static final long NANOS = TimeUnit.SECONDS.toNanos(3);

	private static final BackendKind BACKEND = BackendKind
		.valueOf(System.getProperty("ringkernel.bench.backend", "cuda").toUpperCase(Locale.ROOT));

	private static final @Nullable ExecutionMode MODE = Optional.ofNullable(System.getProperty("ringkernel.bench.mode"))
		.map((mode) -> ExecutionMode.valueOf(mode.toUpperCase(Locale.ROOT).replace('-', '_')))
		.orElse(null);

	private final RingKernelEmbeddingModel model;

	private final RingKernelVectorStore store;

	private TextSearchBenchmark(RingKernelEmbeddingModel model, RingKernelVectorStore store) {
		this.model = model;
		this.store = store;
	}

	public static void main(String[] arguments) throws IOException, InterruptedException, ExecutionException {
		EncoderWeights weights = RandomWeights.of(RandomWeights.MINILM);
		try (RingKernelRuntime runtime = RingKernelRuntime.open(new PlanRequest(BACKEND, MODE, null))) {
			Kernel<EncoderRequest, EncoderResponse> encoder = started(
					runtime.define(new KernelSpec<>("encoder", MessageLayout.of(EncoderRequest.class),
							MessageLayout.of(EncoderResponse.class), new EncoderHandler(weights), EncoderHandler.IMAGE,
							RingKernelEmbeddingModel.options(KernelOptions.builder()
								.workers(Integer.getInteger("ringkernel.bench.encoders", EncoderHandler.WORKERS))
								.build(), weights, MAX_TOKENS))));
			Kernel<VectorSearchRequest, VectorSearchResponse> search = started(runtime.define(new KernelSpec<>("search",
					MessageLayout.of(VectorSearchRequest.class), MessageLayout.of(VectorSearchResponse.class),
					new VectorSearchHandler(), VectorSearchHandler.IMAGE,
					KernelOptions.builder()
						.workers(Integer.getInteger("ringkernel.bench.workers", 96))
						.threadsPerWorker(512)
						.build())));
			RingKernelEmbeddingModel model = new RingKernelEmbeddingModel(encoder, weights,
					TokenizerFiles.read(vocabulary()), MAX_TOKENS, "random", ObservationRegistry.NOOP);
			RingKernelVectorStore store = RingKernelVectorStore.builder(model, search)
				.elementType(ElementType.INT8)
				.build();
			store.start();
			new TextSearchBenchmark(model, store).run(Integer.parseInt(arguments[0]), Long.parseLong(arguments[1]));
			store.stop();
		}
	}

	private static <I extends Record, O extends Record> Kernel<I, O> started(Kernel<I, O> kernel) {
		kernel.launch();
		kernel.activate();
		System.out.printf("%s: %s%n", kernel.id(), kernel.plan());
		return kernel;
	}

	private static ByteArrayResource vocabulary() {
		String words = IntStream.range(0, VOCABULARY).mapToObj((i) -> "w" + i).collect(Collectors.joining("\n"));
		return new ByteArrayResource(("[PAD]\n[UNK]\n[CLS]\n[SEP]\n" + words + "\n").getBytes(StandardCharsets.UTF_8));
	}

	private static String text(SplittableRandom random) {
		return random.ints(WORDS, 0, VOCABULARY).mapToObj((i) -> "w" + i).collect(Collectors.joining(" "));
	}

	private void run(int documents, long seconds) throws IOException, InterruptedException, ExecutionException {
		long begin = System.nanoTime();
		SplittableRandom random = new SplittableRandom(1);
		for (int from = 0; from < documents; from += DOCUMENTS_PER_ADD) {
			List<Document> added = IntStream.range(from, Math.min(documents, from + DOCUMENTS_PER_ADD))
				.mapToObj((i) -> new Document("id" + i, "text", Map.of()))
				.toList();
			this.store.add(added, added.stream().map((document) -> vector(random)).toList());
		}
		System.out.printf(Locale.ROOT, "%,d documents stored in %.1f s%n", this.store.size(),
				(System.nanoTime() - begin) / 1e9);
		measure("embed a text", this.model::embed);
		measure("a text to its ten nearest", this::search);
		searchByThreads(seconds);
	}

	private float[] vector(SplittableRandom random) {
		float[] vector = new float[this.model.dimensions()];
		for (int i = 0; i < vector.length; i++) {
			vector[i] = (float) random.nextDouble() - 0.5f;
		}
		return vector;
	}

	private void search(String text) {
		List<Document> found = this.store.similaritySearch(SearchRequest.builder().query(text).topK(10).build());
		if (found.size() != 10) {
			throw new IllegalStateException("%d documents were found".formatted(found.size()));
		}
	}

	private static void measure(String what, Consumer<String> action) {
		searches(action, new SplittableRandom(2), NANOS);
		Histogram nanos = searches(action, new SplittableRandom(3), NANOS);
		System.out.printf(Locale.ROOT, "%-26s p50 %6.1f us, p99 %6.1f us%n", what, nanos.getValueAtPercentile(50) / 1e3,
				nanos.getValueAtPercentile(99) / 1e3);
	}

	private static Histogram searches(Consumer<String> action, SplittableRandom random, long duration) {
		Histogram nanos = new Histogram(3);
		long begin = System.nanoTime();
		while (System.nanoTime() - begin < duration) {
			String text = text(random);
			long from = System.nanoTime();
			action.accept(text);
			nanos.recordValue(System.nanoTime() - from);
		}
		return nanos;
	}

	/** The memory is that after a collection, so that it shows what is kept. */
	private void searchByThreads(long seconds) throws IOException, InterruptedException, ExecutionException {
		ExecutorService threads = Executors.newFixedThreadPool(THREADS);
		long part = TimeUnit.SECONDS.toNanos(seconds) / LOOKS;
		for (int look = 0; look < LOOKS; look++) {
			int turn = look;
			List<Future<Histogram>> searching = new ArrayList<>();
			for (int thread = 0; thread < THREADS; thread++) {
				int seed = THREADS * turn + thread;
				searching.add(threads.submit(() -> searches(this::search, new SplittableRandom(seed), part)));
			}
			Histogram nanos = new Histogram(3);
			for (Future<Histogram> histogram : searching) {
				nanos.add(histogram.get());
			}
			System.gc();
			System.out.printf(Locale.ROOT, "%d threads: %,.0f searches/s, p50 %.1f ms, p99 %.1f ms; heap %d MB, %s%n",
					THREADS, nanos.getTotalCount() / (part / 1e9), nanos.getValueAtPercentile(50) / 1e6,
					nanos.getValueAtPercentile(99) / 1e6,
					(Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory()) >> 20, memory());
		}
		threads.shutdown();
	}

	private static String memory() throws IOException, InterruptedException {
		String resident = Files.readAllLines(Path.of("/proc/self/status"))
			.stream()
			.filter((line) -> line.startsWith("VmRSS"))
			.collect(Collectors.joining());
		if (BACKEND == BackendKind.CPU) {
			return resident;
		}
		Process device = new ProcessBuilder("nvidia-smi", "--query-gpu=memory.used", "--format=csv,noheader").start();
		String used = new String(device.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
		device.waitFor(10, TimeUnit.SECONDS);
		return "%s, device %s".formatted(resident.replaceAll("\\s+", " "), used);
	}

}
