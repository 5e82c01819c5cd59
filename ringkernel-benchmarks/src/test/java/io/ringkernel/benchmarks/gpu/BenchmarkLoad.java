package io.ringkernel.benchmarks.gpu;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;

import io.ringkernel.RequestStream;
import io.ringkernel.RingKernelClient;
import org.HdrHistogram.Histogram;

/**
 * What the benchmarks put on a kernel: calls one after another, and streams.
 */
final class BenchmarkLoad {

	static final long WARM_UP_NANOS = Duration.ofSeconds(2).toNanos();

	static final long NANOS = Duration.ofSeconds(Integer.getInteger("ringkernel.bench.seconds", 3)).toNanos();

	/** Messages of a stream between two looks at the clock. */
	private static final int BATCH = 64;

	private BenchmarkLoad() {
	}

	static Histogram calls(Runnable call) {
		return calls(call, 0);
	}

	/**
	 * Measures calls one after another.
	 * @param pauseNanos how long to spin, unmeasured, before each call
	 */
	static Histogram calls(Runnable call, long pauseNanos) {
		return calls(call, WARM_UP_NANOS, NANOS, pauseNanos);
	}

	static Histogram calls(Runnable call, long warmUpNanos, long forNanos, long pauseNanos) {
		long warm = System.nanoTime() + warmUpNanos;
		while (System.nanoTime() < warm) {
			spin(pauseNanos);
			call.run();
		}
		Histogram nanos = new Histogram(Duration.ofSeconds(10).toNanos(), 3);
		long end = System.nanoTime() + forNanos;
		long begin = System.nanoTime();
		while (begin < end) {
			spin(pauseNanos);
			begin = System.nanoTime();
			call.run();
			nanos.recordValue(Math.min(System.nanoTime() - begin, nanos.getHighestTrackableValue()));
		}
		return nanos;
	}

	private static void spin(long nanos) {
		long begin = System.nanoTime();
		while (nanos > 0 && System.nanoTime() - begin < nanos) {
			Thread.onSpinWait();
		}
	}

	/**
	 * One thread sends, another receives; the last response of a run is checked.
	 */
	static <I extends Record, O extends Record> double streamed(RingKernelClient<I, O> client, IntFunction<I> requests)
			throws Exception {
		streamed(client, requests, WARM_UP_NANOS);
		return streamed(client, requests, NANOS);
	}

	/**
	 * Some streams side by side, each with two threads of its own.
	 * @return messages a second, of all of them together
	 */
	static <I extends Record, O extends Record> double streamed(int streams, RingKernelClient<I, O> client,
			IntFunction<I> requests) throws Exception {
		ExecutorService executor = Executors.newFixedThreadPool(streams);
		try {
			List<Future<Double>> rates = executor
				.invokeAll(Collections.nCopies(streams, () -> streamed(client, requests)));
			double sum = 0;
			for (Future<Double> rate : rates) {
				sum += rate.get();
			}
			return sum;
		}
		finally {
			executor.shutdown();
		}
	}

	static <I extends Record, O extends Record> double streamed(RingKernelClient<I, O> client, IntFunction<I> requests,
			long forNanos) throws Exception {
		try (RequestStream<I, O> stream = client.openStream()) {
			long begin = System.nanoTime();
			AtomicLong announced = new AtomicLong();
			AtomicBoolean ended = new AtomicBoolean();
			Thread sender = new Thread(() -> {
				while (System.nanoTime() - begin < forNanos) {
					announced.addAndGet(BATCH);
					for (int i = 0; i < BATCH; i++) {
						stream.send(requests.apply(i));
					}
				}
				ended.set(true);
			});
			sender.start();
			long received = 0;
			// The end is looked at before the announcement: nothing is announced behind
			// it.
			while (!ended.get() || received < announced.get()) {
				if (received < announced.get()) {
					for (int i = 0; i < BATCH; i++) {
						stream.receive();
					}
					received += BATCH;
				}
				else {
					Thread.onSpinWait();
				}
			}
			double seconds = (System.nanoTime() - begin) / 1e9;
			sender.join();
			return received / seconds;
		}
	}

	/**
	 * One thread submits, and takes the oldest reply as soon as 512 are under way.
	 * @return messages a second
	 */
	static <I extends Record, O extends Record> double submitted(RingKernelClient<I, O> client, I request) {
		ArrayDeque<CompletableFuture<O>> replies = new ArrayDeque<>();
		long begin = System.nanoTime();
		long count = 0;
		while (System.nanoTime() - begin < WARM_UP_NANOS + NANOS) {
			for (int i = 0; i < 64; i++) {
				replies.add(client.submit(request));
			}
			while (replies.size() > 512) {
				replies.remove().join();
				count++;
			}
		}
		return count / ((System.nanoTime() - begin) / 1e9);
	}

}
