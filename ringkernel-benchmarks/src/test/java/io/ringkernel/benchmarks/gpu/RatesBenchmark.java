package io.ringkernel.benchmarks.gpu;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;

import io.ringkernel.RequestStream;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.benchmarks.gpu.BenchmarkMessages.Payload;
import io.ringkernel.cuda.CudaBackendProvider;
import io.ringkernel.message.MessageLayout;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.ring.WaitStrategy;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;

/**
 * Measures how many messages of 64 bytes a second go through a stream: one thread sends,
 * another receives and compares each response with its request, one message at a time and
 * in runs by turns. The argument is the file for the results.
 */
final class RatesBenchmark {

	private static final int MESSAGES = 1 << 12;

	/** Messages between two looks at the clock. */
	private static final int BATCH = 1 << 10;

	private static final int ROUNDS = 3;

	private static final Duration WARM_UP = Duration.ofSeconds(1);

	private static final Duration OBSERVE = Duration.ofMillis(1_500);

	private final Payload[] requests = LongStream.range(0, MESSAGES).mapToObj(Payload::of).toArray(Payload[]::new);

	private final BenchmarkResults results;

	private RatesBenchmark(BenchmarkResults results) {
		this.results = results;
	}

	/**
	 * Runs the measurements.
	 * @param arguments the file for the results
	 */
	public static void main(String... arguments) throws Exception {
		CudaBackendProvider provider = BenchmarkDevice.require();
		try (BenchmarkResults results = new BenchmarkResults(Path.of(arguments[0]));
				RingKernelRuntime runtime = RingKernelRuntime.open(PlanRequest.AUTO, List.of(provider))) {
			RatesBenchmark benchmark = new RatesBenchmark(results);
			for (int workers : new int[] { 32, 64, 128 }) {
				Kernel<Payload, Payload> kernel = launch(runtime, workers);
				benchmark.measure(kernel, workers);
				kernel.terminate();
			}
		}
		System.exit(0);
	}

	private static Kernel<Payload, Payload> launch(RingKernelRuntime runtime, int workers) {
		KernelOptions options = KernelOptions.builder()
			.workers(workers)
			.ringMemory(1 << 20)
			.waitStrategy(WaitStrategy.BUSY_SPIN)
			.build();
		Kernel<Payload, Payload> kernel = runtime
			.define(new KernelSpec<>("echo-" + workers, MessageLayout.of(Payload.class),
					MessageLayout.of(Payload.class), (request) -> request, "classpath:kernels/echo.ptx#echo", options));
		kernel.launch();
		kernel.activate();
		return kernel;
	}

	private void measure(Kernel<Payload, Payload> kernel, int workers) {
		for (int round = 0; round < ROUNDS; round++) {
			for (Way way : Way.values()) {
				run(kernel, way, WARM_UP);
				this.results.add("rate-64B", "way", way.name(), "workers", workers, "unit", "M/s", "rate",
						run(kernel, way, OBSERVE) / 1e6);
			}
		}
	}

	/**
	 * Sends and receives for a while.
	 * @return messages a second
	 */
	private double run(Kernel<Payload, Payload> kernel, Way way, Duration duration) {
		try (RequestStream<Payload, Payload> stream = kernel.client().openStream()) {
			long begin = System.nanoTime();
			AtomicLong announced = new AtomicLong();
			CompletableFuture<Void> sender = CompletableFuture.runAsync(() -> {
				while (System.nanoTime() - begin < duration.toNanos()) {
					int from = (int) announced.getAndAdd(BATCH) & (MESSAGES - 1);
					way.send(stream, this.requests, from);
				}
			}, (task) -> new Thread(task, "sender").start());
			Check check = new Check(this.requests);
			// The end is looked at before the announcement: nothing is announced behind
			// it.
			while (!sender.isDone() || check.count < announced.get()) {
				if (check.count < announced.get()) {
					way.receive(stream, check);
				}
			}
			sender.join();
			return check.count / ((System.nanoTime() - begin) / 1e9);
		}
	}

	/**
	 * Compares responses with their requests.
	 */
	private static final class Check {

		private final Payload[] requests;

		private long count;

		Check(Payload[] requests) {
			this.requests = requests;
		}

		void accept(Payload response) {
			if (!response.equals(this.requests[(int) this.count & (MESSAGES - 1)])) {
				throw new IllegalStateException("Response " + this.count + " is " + response);
			}
			this.count++;
		}

	}

	private enum Way {

		SINGLY {
			@Override
			void send(RequestStream<Payload, Payload> stream, Payload[] requests, int from) {
				for (int i = from; i < from + BATCH; i++) {
					stream.send(requests[i]);
				}
			}

			@Override
			void receive(RequestStream<Payload, Payload> stream, Check check) {
				check.accept(stream.receive());
			}
		},

		IN_RUNS {
			@Override
			void send(RequestStream<Payload, Payload> stream, Payload[] requests, int from) {
				stream.sendAll(requests, from, from + BATCH);
			}

			@Override
			void receive(RequestStream<Payload, Payload> stream, Check check) {
				stream.drain(check::accept, BATCH);
			}
		};

		abstract void send(RequestStream<Payload, Payload> stream, Payload[] requests, int from);

		abstract void receive(RequestStream<Payload, Payload> stream, Check check);

	}

}
