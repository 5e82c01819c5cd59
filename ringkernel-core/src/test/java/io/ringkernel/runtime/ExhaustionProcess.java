package io.ringkernel.runtime;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

import io.ringkernel.KernelState;
import io.ringkernel.RequestStream;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.ring.RingLayout;
import org.jspecify.annotations.Nullable;

/**
 * Calls a kernel from threads that run out of memory and of stack all the time, in a
 * process of its own with a small heap. Afterwards the kernel has to be as good as new:
 * active, no slot held, its dispatcher alive. Exits with 0 if so, and says what is wrong
 * if not.
 */
public final class ExhaustionProcess {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private static final LongAdder answered = new LongAdder();

	private static final LongAdder outOfMemory = new LongAdder();

	private static final LongAdder outOfStack = new LongAdder();

	private static volatile boolean ended;

	private ExhaustionProcess() {
	}

	record Number(long value) {
	}

	/**
	 * Runs the process.
	 * @param args for how many seconds
	 */
	public static void main(String[] args) throws InterruptedException {
		KernelOptions options = KernelOptions.builder()
			.workers(2)
			.ringMemory(RingLayout.totalBytes(16, 8, 8))
			.requestTimeout(LIMIT)
			.build();
		try (RingKernelRuntime runtime = RingKernelRuntime.open(PlanRequest.AUTO)) {
			Kernel<Number, Number> kernel = runtime
				.define(KernelSpec.of("exhausted", Number.class, Number.class, (request) -> request, options));
			kernel.launch();
			kernel.activate();
			List<Thread> threads = new ArrayList<>();
			threads.add(start("hog", ExhaustionProcess::exhaustMemory));
			threads.add(start("caller", () -> call(kernel)));
			threads.add(start("submitter", () -> submit(kernel)));
			threads.add(start("streamer", () -> stream(kernel)));
			threads.add(start("deep", () -> descend(kernel, 0)));
			TimeUnit.SECONDS.sleep(Long.parseLong(args[0]));
			ended = true;
			for (Thread thread : threads) {
				thread.join(LIMIT.toMillis());
				require(!thread.isAlive(), thread.getName() + " hangs");
			}
			verify(kernel);
			System.out.printf("%d answered, %d out of memory, %d out of stack%n", answered.sum(), outOfMemory.sum(),
					outOfStack.sum());
			require(outOfMemory.sum() > 0 && outOfStack.sum() > 0 && answered.sum() > 0, "too little was exhausted");
		}
		System.exit(0);
	}

	private static void verify(Kernel<Number, Number> kernel) throws InterruptedException {
		require(kernel.state() == KernelState.ACTIVE, "the kernel is " + kernel.state());
		for (int i = 0; i < 1000; i++) {
			long value = i;
			require(kernel.client().call(new Number(value)).value() == value, "a wrong answer");
			require(kernel.client().submit(new Number(value)).thenApply(Number::value).join() == value,
					"a wrong answer to a stage");
		}
		long deadline = System.nanoTime() + LIMIT.toNanos();
		while (kernel.status().inFlight() > 0 && System.nanoTime() < deadline) {
			TimeUnit.MILLISECONDS.sleep(10);
		}
		require(kernel.status().inFlight() == 0, kernel.status().inFlight() + " slots are held");
		require(kernel.dump().orElseThrow().violations().isEmpty(), "violations of the protocol");
	}

	private static void require(boolean condition, String problem) {
		if (!condition) {
			System.err.println("FAILED: " + problem);
			Thread.getAllStackTraces().forEach((thread, frames) -> {
				System.err.println(thread);
				for (StackTraceElement frame : frames) {
					System.err.println("    " + frame);
				}
			});
			Runtime.getRuntime().halt(1);
		}
	}

	private static Thread start(String name, Runnable task) {
		Thread thread = new Thread(null, () -> {
			while (!ended) {
				try {
					task.run();
				}
				catch (Throwable ex) {
					count(ex);
				}
			}
		}, name, 256 << 10);
		thread.setDaemon(true);
		thread.start();
		return thread;
	}

	private static void count(@Nullable Throwable ex) {
		for (Throwable cause = ex; cause != null; cause = cause.getCause()) {
			if (cause instanceof OutOfMemoryError) {
				outOfMemory.increment();
			}
			else if (cause instanceof StackOverflowError) {
				outOfStack.increment();
			}
		}
	}

	/** Fills the heap, lets go of it, and fills it again. */
	private static void exhaustMemory() {
		List<byte[]> hoard = new ArrayList<>();
		try {
			while (!ended) {
				hoard.add(new byte[ThreadLocalRandom.current().nextInt(1 << 16)]);
			}
		}
		finally {
			hoard.clear();
		}
	}

	private static void call(Kernel<Number, Number> kernel) {
		kernel.client().call(new Number(1));
		answered.increment();
	}

	private static void submit(Kernel<Number, Number> kernel) {
		kernel.client().submit(new Number(1)).thenApply(Number::value).join();
		kernel.client().submit(new Number(2)).join();
		answered.increment();
	}

	private static void stream(Kernel<Number, Number> kernel) {
		try (RequestStream<Number, Number> stream = kernel.client().openStream()) {
			for (int i = 0; i < 100; i++) {
				stream.send(new Number(i));
				stream.receive();
				answered.increment();
			}
		}
	}

	/** Calls the kernel from each of the last frames of a stack that is used up. */
	private static int descend(Kernel<Number, Number> kernel, int depth) {
		int left;
		try {
			left = descend(kernel, depth + 1);
		}
		catch (StackOverflowError ex) {
			outOfStack.increment();
			left = 60;
		}
		if (left > 0) {
			try {
				if (depth % 2 == 0) {
					kernel.client().call(new Number(depth));
				}
				else {
					kernel.client().submit(new Number(depth)).join();
				}
				answered.increment();
			}
			catch (Throwable ex) {
				return left - 1;
			}
		}
		return left - 1;
	}

}
