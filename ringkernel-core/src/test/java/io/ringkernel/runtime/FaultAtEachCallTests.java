package io.ringkernel.runtime;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import io.ringkernel.KernelState;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.exception.RingKernelException;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.PlanRequest;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A backend, a loop or a ring's memory throws at one call, whichever that is: an
 * exception or an error, in place of what the call does or behind it. Whatever that is,
 * every future completes, no request is handled twice, a ring has one loop at a time, a
 * kernel that says that it is active serves, and it can be terminated and leaves nothing
 * behind.
 */
class FaultAtEachCallTests {

	private static final Duration PATIENCE = Duration.ofSeconds(5);

	private static final AtomicInteger RUNS = new AtomicInteger();

	private static final KernelOptions OPTIONS = KernelOptions.builder()
		.workers(2)
		.requestTimeout(Duration.ofSeconds(3))
		.stopTimeout(Duration.ofSeconds(2))
		.drainTimeout(Duration.ofSeconds(2))
		.build();

	record Number(long value) {
	}

	@TestFactory
	Stream<DynamicTest> ofAKernelWhosePlanFails() {
		return atEachCall((run) -> {
			run.step(run.kernel::launch);
			run.step(run.kernel::activate);
			run.submit(4);
			run.step(run.device::failPlan);
			run.submit(4);
			run.call();
			run.step(run.device::failPlan);
			run.submit(4);
		});
	}

	@TestFactory
	Stream<DynamicTest> ofAKernelThatIsMovedThroughItsStates() {
		return atEachCall((run) -> {
			run.step(run.kernel::launch);
			run.step(run.kernel::activate);
			run.submit(4);
			run.abandon();
			run.step(run.kernel::deactivate);
			run.step(run.kernel::activate);
			run.call();
			run.submit(4);
			run.step(run.kernel::relaunch);
			run.submit(4);
		});
	}

	@TestFactory
	@Tag("every-platform")
	Stream<DynamicTest> ofAKernelThatReturnsToItsDevice() {
		return atEachCall((run) -> {
			run.step(run.kernel::launch);
			run.step(run.kernel::activate);
			run.submit(4);
			run.step(run.device::lose);
			run.submit(4);
			run.call();
			run.device.giveBack();
			// After some faults it does not return.
			run.await(Duration.ofSeconds(1),
					() -> run.kernel.plan().backend() == BackendKind.CUDA || run.kernel.state() == KernelState.FAILED);
			run.submit(4);
		});
	}

	private static Stream<DynamicTest> atEachCall(Scenario scenario) {
		Faults counting = new Faults(null);
		new Run(counting).verify(scenario);
		return counting.points()
			.stream()
			.map((point) -> DynamicTest.dynamicTest(point.toString(),
					() -> new Run(new Faults(point)).verify(scenario)));
	}

	@FunctionalInterface
	private interface Scenario {

		void run(Run run) throws Exception;

	}

	@FunctionalInterface
	private interface Step {

		void run() throws Exception;

	}

	/** What is thrown at the caller meanwhile may be the fault, or tell of it. */
	private static final class Run {

		private final String id = "faulty-%d".formatted(RUNS.incrementAndGet());

		private final Faults faults;

		private final WatchedThreads device;

		private final RingKernelRuntime runtime;

		private final Map<Long, Integer> handled = new ConcurrentHashMap<>();

		private final Map<Number, CompletableFuture<Number>> futures = new ConcurrentHashMap<>();

		private final List<String> problems = new ArrayList<>();

		private final Kernel<Number, Number> kernel;

		private long requests;

		Run(Faults faults) {
			this.faults = faults;
			this.device = WatchedThreads.device(faults);
			this.runtime = RingKernelRuntime.open(PlanRequest.AUTO, List.of(this.device, this.device.cpu()));
			this.kernel = this.runtime
				.define(KernelSpec.of(this.id, Number.class, Number.class, this::handle, OPTIONS));
		}

		private Number handle(Number request) {
			this.handled.merge(request.value(), 1, Integer::sum);
			return new Number(-request.value());
		}

		void step(Step step) {
			attempt(step);
		}

		/**
		 * Tells whether it has been done; if not, the fault is why, or the state that
		 * that has led to.
		 */
		private boolean attempt(Step step) {
			try {
				step.run();
				return true;
			}
			catch (Throwable ex) {
				if (!isNamed(ex)) {
					problem("threw " + ex, ex);
				}
				return false;
			}
		}

		private boolean isNamed(Throwable ex) {
			return this.faults.isThrown() && (ex instanceof RingKernelException || this.faults.isNamedBy(ex));
		}

		private void problem(String problem, @Nullable Throwable cause) {
			String where = (cause != null) ? " at " + Arrays.toString(cause.getStackTrace()) : "";
			this.problems.add(problem + where);
		}

		private Number next() {
			return new Number(++this.requests);
		}

		void submit(int count) {
			for (int i = 0; i < count; i++) {
				Number request = next();
				attempt(() -> this.futures.put(request, this.kernel.client().submit(request)));
			}
		}

		/** Gives a request up, which a worker may have begun. */
		void abandon() {
			attempt(() -> this.kernel.client().submit(next()).cancel(true));
		}

		/** Sends one and waits for it. */
		boolean call() {
			Number request = next();
			return attempt(() -> {
				Number answer = this.kernel.client().call(request);
				if (answer.value() != -request.value()) {
					problem("%s was answered %s".formatted(request, answer), null);
				}
			});
		}

		private boolean await(Callable<Boolean> condition) {
			return await(PATIENCE, condition);
		}

		boolean await(Duration limit, Callable<Boolean> condition) {
			try {
				Awaitility.await()
					.pollInSameThread()
					.pollDelay(Duration.ZERO)
					.pollInterval(Duration.ofMillis(1))
					.atMost(limit)
					.until(condition);
				return true;
			}
			catch (ConditionTimeoutException ex) {
				return false;
			}
		}

		void verify(Scenario scenario) {
			try {
				scenario.run(this);
				verifyItServes();
				close();
				verifyFutures();
				verifyNothingIsLeft();
			}
			catch (Throwable ex) {
				problem("threw " + ex, ex);
			}
			this.problems.addAll(this.device.problems());
			this.handled.forEach((request, times) -> {
				if (times > 1) {
					problem("request %d was handled %d times".formatted(request, times), null);
				}
			});
			assertThat(this.problems).as(this.faults.toString()).isEmpty();
		}

		private void verifyItServes() throws InterruptedException {
			if (this.kernel.state() != KernelState.ACTIVE) {
				return;
			}
			// The fault may come only now, and another thread may still be at what
			// follows.
			if (!call() && !call() && this.kernel.state() == KernelState.ACTIVE) {
				problem("it is active and does not serve", null);
			}
			if (this.kernel.state() == KernelState.ACTIVE && !await(this::isIdle)) {
				problem("a slot does not come back", null);
			}
		}

		private boolean isIdle() {
			boolean[] idle = { false };
			attempt(() -> idle[0] = this.kernel.status().inFlight() == 0);
			return idle[0];
		}

		/** What could not be closed is closed by another attempt. */
		private void close() {
			long begin = System.nanoTime();
			this.runtime.close();
			if (this.faults.isThrown()) {
				this.runtime.close();
			}
			if (System.nanoTime() - begin > PATIENCE.toNanos()) {
				problem("it was closed after " + Duration.ofNanos(System.nanoTime() - begin), null);
			}
			if (this.kernel.state() != KernelState.TERMINATED) {
				problem("it is " + this.kernel.state(), null);
			}
		}

		private void verifyFutures() {
			this.futures.forEach((request, future) -> {
				try {
					Number answer = future.get(1, TimeUnit.SECONDS);
					if (answer.value() != -request.value()) {
						problem("%s was answered %s".formatted(request, answer), null);
					}
				}
				catch (TimeoutException ex) {
					problem(request + " never completes", null);
				}
				catch (ExecutionException ex) {
					if (!isNamed(ex.getCause())) {
						problem("%s failed with %s".formatted(request, ex.getCause()), ex.getCause());
					}
				}
				catch (InterruptedException ex) {
					throw new IllegalStateException(ex);
				}
			});
		}

		/**
		 * A loop whose stop has failed ends some time, and the next operation gives back
		 * what it held. Memory whose own close has failed stays where it is.
		 */
		private boolean areMemoriesGivenBack() {
			attempt(this.kernel::terminate);
			return this.device.openMemories() == (this.faults.isOf("RingMemory.close") ? 1 : 0);
		}

		private void verifyNothingIsLeft() throws InterruptedException {
			if (!await(() -> KernelFixture.threads(this.id + "-").isEmpty())) {
				problem("threads are left: " + KernelFixture.threads(this.id + "-"), null);
			}
			if (!await(this::areMemoriesGivenBack)) {
				problem(this.device.openMemories() + " memories are open", null);
			}
		}

	}

}
