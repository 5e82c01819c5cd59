package io.ringkernel.test.ptx;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import io.ringkernel.Capacity;
import io.ringkernel.Parallel;
import io.ringkernel.RingKernelClient;
import io.ringkernel.RingKernelHandler;
import io.ringkernel.backend.BackendProvider;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.exception.HandlerFailedException;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.RingKernelRuntime;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Workers that wait for a request take part in the loops of another one, and agree with
 * Java on what becomes of it.
 */
class GridHandlerTests {

	private static final int WORKERS = 4;

	private static final KernelOptions OPTIONS = KernelOptions.builder()
		.workers(WORKERS)
		.threadsPerWorker(32)
		.requestTimeout(Duration.ofSeconds(60))
		.build();

	@Test
	void workersThatWaitTakePartInALoop() {
		run(new Shared(), (client) -> {
			boolean shared = false;
			for (int i = 0; i < 20 && !shared; i++) {
				shared = client.call(new Task(2000, i)).workers() > 1;
			}
			assertThat(shared).as("whether more than one worker has counted").isTrue();
		});
	}

	@Test
	void aRequestIsThatOfOneWorkerWhereTheLoopIsShort() {
		run(new Shared(), (client) -> assertThat(client.call(new Task(32, 1)).sum()).isEqualTo(sum(32, 1)));
	}

	@Test
	void requestsOfManyThreadsAreAnsweredAsInJava() throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(2 * WORKERS);
		try {
			run(new Shared(), (client) -> {
				List<Callable<Void>> callers = IntStream.range(0, 2 * WORKERS)
					.<Callable<Void>>mapToObj((caller) -> () -> {
						for (int i = 0; i < 10; i++) {
							int count = 1 + (caller * 331 + i * 97) % 900;
							assertThat(client.call(new Task(count, caller)).sum()).isEqualTo(sum(count, caller));
						}
						return null;
					})
					.toList();
				for (Future<Void> caller : threads.invokeAll(callers)) {
					caller.get();
				}
			});
		}
		finally {
			threads.shutdown();
		}
	}

	@Test
	void theLowestIndexFailsThatAnyWorkerFailsAt() {
		run(new Failing(), (client) -> {
			for (int i = 0; i < 10; i++) {
				int from = 100 * i;
				assertThatExceptionOfType(HandlerFailedException.class)
					.isThrownBy(() -> client.call(new Task(1000, from)))
					.withMessageContaining((from < 500) ? "Too low" : "Too high");
			}
			assertThat(client.call(new Task(1000, 5000)).sum()).isEqualTo(999);
		});
	}

	@Test
	void noIndexIsTakenTwiceWhileTheLastOnesAreBeingDone() {
		run(new Counting(), (client) -> {
			assertThatExceptionOfType(HandlerFailedException.class)
				.isThrownBy(() -> client.call(new Task(Integer.MAX_VALUE, 20_000)));
			int chunks = 4 * WORKERS;
			assertThat(client.call(new Task(0, 0)).sum()).isLessThanOrEqualTo(32 * chunks);
		});
	}

	@Test
	void whatALoopWritesToTheRequestIsSeenBehindIt() {
		int[] values = IntStream.range(0, 200).toArray();
		Values given = new Values(values, new int[8]);
		run(KernelSpec.of("grid", Values.class, Values.class, new Writing(), OPTIONS), (client) -> {
			for (int i = 0; i < 20; i++) {
				Values answer = client.call(given);
				assertThat(answer.values()).containsExactly(IntStream.of(values).map((value) -> 2 * value).toArray());
				assertThat(answer.counts()).containsOnly(values.length / 8);
			}
		});
	}

	private static long sum(int count, int seed) {
		return IntStream.range(0, count).mapToLong((i) -> (long) i * seed % 97).sum();
	}

	private void run(RingKernelHandler<Task, Done> handler, Calls<Task, Done> calls) {
		run(KernelSpec.of("grid", Task.class, Done.class, handler, OPTIONS), calls);
	}

	private <I extends Record, O extends Record> void run(KernelSpec<I, O> spec, Calls<I, O> calls) {
		onDevice((provider) -> {
			try (RingKernelRuntime runtime = RingKernelRuntime.open(new PlanRequest(BackendKind.CUDA, null, null),
					List.of(provider))) {
				var kernel = runtime.define(spec);
				kernel.launch();
				kernel.activate();
				calls.with(kernel.client());
			}
			catch (Exception ex) {
				throw new AssertionError(ex);
			}
		});
	}

	/** Runs with a device that is closed then. */
	void onDevice(Consumer<BackendProvider> work) {
		try (PtxMachine machine = new PtxMachine()) {
			work.accept(machine.provider());
			assertThat(machine.faults()).isEmpty();
		}
	}

	@FunctionalInterface
	interface Calls<I extends Record, O extends Record> {

		void with(RingKernelClient<I, O> client) throws Exception;

	}

	record Task(int count, int seed) {
	}

	record Done(long sum, int workers) {
	}

	/** Small enough to travel inside its slot. */
	record Values(@Capacity(200) int[] values, @Capacity(8) int[] counts) {
	}

	/** Marks which parts of the loop a worker has come to, one after the other. */
	static final class Shared implements RingKernelHandler<Task, Done> {

		@Override
		public Done handle(Task request) {
			long[] values = new long[2000];
			int[] order = new int[1];
			int[] turns = new int[2000];
			Parallel.gridRange(request.count(), (i) -> {
				turns[i] = Parallel.atomicAdd(order, 0, 1);
				values[i] = (long) i * request.seed() % 97;
			});
			// One worker takes its indices in ascending order of 32 each.
			int disorder = Parallel.sumInt(request.count(), (i) -> (i >= 32 && turns[i] < turns[i - 32]) ? 1 : 0);
			return new Done(Parallel.sumLong(request.count(), (i) -> values[i]), (disorder > 0) ? 2 : 1);
		}

	}

	/** Writes to arrays of the request, one of them by atomic steps. */
	static final class Writing implements RingKernelHandler<Values, Values> {

		@Override
		public Values handle(Values request) {
			int[] values = request.values();
			int[] turns = new int[1];
			Parallel.gridRange(values.length, (i) -> {
				for (int turn = 0; turn < 20; turn++) {
					Parallel.atomicAdd(turns, 0, 1);
				}
				values[i] *= 2;
				Parallel.atomicAdd(request.counts(), i & 7, 1);
			});
			return new Values(values, request.counts());
		}

	}

	/** Fails from an index on, with another message from another on. */
	static final class Failing implements RingKernelHandler<Task, Done> {

		@Override
		public Done handle(Task request) {
			int[] seen = new int[1];
			Parallel.gridRange(request.count(), (i) -> {
				if (i >= request.seed()) {
					throw new IllegalArgumentException((i < 500) ? "Too low" : "Too high");
				}
				Parallel.atomicMax(seen, 0, i);
			});
			return new Done(seen[0], 0);
		}

	}

	/** Counts the indices at which threads fail, after a long time at the first one. */
	static final class Counting implements RingKernelHandler<Task, Done> {

		private final int[] counts = new int[2];

		@Override
		public Done handle(Task request) {
			Parallel.gridRange(request.count(), (i) -> {
				Parallel.atomicAdd(this.counts, 0, 1);
				for (int turn = 0; i == 0 && turn < request.seed(); turn++) {
					Parallel.atomicAdd(this.counts, 1, 1);
				}
				throw new IllegalStateException();
			});
			return new Done(this.counts[0], 0);
		}

	}

}
