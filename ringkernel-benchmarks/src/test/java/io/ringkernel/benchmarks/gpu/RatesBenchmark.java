package io.ringkernel.benchmarks.gpu;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

import io.ringkernel.RingKernelClient;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.benchmarks.gpu.BenchmarkMessages.Payload;
import io.ringkernel.benchmarks.gpu.BenchmarkMessages.PayloadFrame;
import io.ringkernel.cuda.CudaBackendProvider;
import io.ringkernel.message.MessageLayout;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.ring.WaitStrategy;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;

/**
 * Measures how many messages of 64 bytes a second go through a stream: one thread sends,
 * another receives and compares each response with its request. They go one message at a
 * time and in runs by turns, and in frames of as many as a frame holds. One thread alone
 * sends batches by {@code callAll}. The argument is the file for the results.
 */
final class RatesBenchmark {

	/** Messages between two looks at the clock. */
	private static final int BATCH = 1 << 10;

	private static final int ROUNDS = 3;

	/** Requests of a {@code callAll}. */
	private static final int REQUESTS = 128;

	private static final Duration WARM_UP = Duration.ofSeconds(1);

	private static final Duration OBSERVE = Duration.ofMillis(1_500);

	private final BenchmarkResults results;

	private final RingKernelRuntime runtime;

	private RatesBenchmark(BenchmarkResults results, RingKernelRuntime runtime) {
		this.results = results;
		this.runtime = runtime;
	}

	/**
	 * Runs the measurements.
	 * @param arguments the file for the results
	 */
	public static void main(String... arguments) throws Exception {
		CudaBackendProvider provider = BenchmarkDevice.require();
		try (BenchmarkResults results = new BenchmarkResults(Path.of(arguments[0]));
				RingKernelRuntime runtime = RingKernelRuntime.open(PlanRequest.AUTO, List.of(provider))) {
			RatesBenchmark benchmark = new RatesBenchmark(results, runtime);
			for (int workers : new int[] { 32, 64, 128 }) {
				benchmark.measureRecords(workers);
			}
			for (int workers : new int[] { 8, 16, 32 }) {
				benchmark.measureFrames(workers);
			}
		}
		System.exit(0);
	}

	private void measureRecords(int workers) {
		Kernel<Payload, Payload> kernel = launch("echo", Payload.class, workers, 1 << 20);
		Payload[] requests = RateTraffic.requests();
		for (int round = 0; round < ROUNDS; round++) {
			measure(kernel, workers, "SINGLY", (client) -> new RateTraffic.Singly(client.openStream(), requests));
			measure(kernel, workers, "IN_RUNS", (client) -> new RateTraffic.InRuns(client.openStream(), requests));
		}
		measureBatches(kernel.client(), workers, requests);
		kernel.terminate();
	}

	private void measureFrames(int workers) {
		Kernel<PayloadFrame, PayloadFrame> kernel = launch("frames", PayloadFrame.class, workers, 4 << 20);
		for (int round = 0; round < ROUNDS; round++) {
			measure(kernel, workers, "FRAMES", (client) -> new RateTraffic.InFrames(client.openFrames()));
		}
		kernel.terminate();
	}

	private void measureBatches(RingKernelClient<Payload, Payload> client, int workers, Payload[] all) {
		List<Payload> requests = List.of(all).subList(0, REQUESTS);
		if (!client.callAll(requests).equals(requests)) {
			throw new IllegalStateException("A response differs from its request");
		}
		this.results.add("batch-64B",
				BenchmarkLoad.calls(() -> client.callAll(requests), WARM_UP.toNanos(), OBSERVE.toNanos(), 0),
				"requests", REQUESTS, "workers", workers);
	}

	private <T extends Record> Kernel<T, T> launch(String image, Class<T> type, int workers, long ringMemory) {
		KernelOptions options = KernelOptions.builder()
			.workers(workers)
			.ringMemory(ringMemory)
			.waitStrategy(WaitStrategy.BUSY_SPIN)
			.build();
		MessageLayout<T> layout = MessageLayout.of(type);
		Kernel<T, T> kernel = this.runtime.define(new KernelSpec<>(image + "-" + workers, layout, layout,
				(request) -> request, "classpath:kernels/%1$s.ptx#%1$s".formatted(image), options));
		kernel.launch();
		kernel.activate();
		return kernel;
	}

	private <T extends Record> void measure(Kernel<T, T> kernel, int workers, String way,
			Function<RingKernelClient<T, T>, RateTraffic> traffic) {
		run(traffic.apply(kernel.client()), WARM_UP);
		this.results.add("rate-64B", "way", way, "workers", workers, "unit", "M/s", "rate",
				run(traffic.apply(kernel.client()), OBSERVE) / 1e6);
	}

	/**
	 * Sends and receives for a while.
	 * @return messages a second
	 */
	private static double run(RateTraffic traffic, Duration duration) {
		try (traffic) {
			long begin = System.nanoTime();
			AtomicLong announced = new AtomicLong();
			CompletableFuture<Void> sender = CompletableFuture.runAsync(() -> {
				while (System.nanoTime() - begin < duration.toNanos()) {
					long from = announced.getAndAdd(BATCH);
					traffic.send(from, BATCH);
				}
			}, (task) -> new Thread(task, "sender").start());
			// The end is looked at before the announcement: nothing is announced behind
			// it.
			while (!sender.isDone() || traffic.received() < announced.get()) {
				if (traffic.received() < announced.get()) {
					traffic.receive(BATCH);
				}
			}
			sender.join();
			return traffic.received() / ((System.nanoTime() - begin) / 1e9);
		}
	}

}
