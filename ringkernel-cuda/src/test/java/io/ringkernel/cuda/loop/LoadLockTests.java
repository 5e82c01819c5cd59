package io.ringkernel.cuda.loop;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import io.ringkernel.cuda.driver.DeviceLoss;
import io.ringkernel.cuda.memory.DeferredReleases;
import io.ringkernel.exception.KernelLaunchException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * One thread at a time loads a kernel.
 */
@Timeout(60)
class LoadLockTests {

	private static final Duration LIMIT = Duration.ofSeconds(20);

	private static final Executor THREADS = (task) -> new Thread(task).start();

	private final LoadLock lock = new LoadLock(new DeviceLoops(), new DeferredReleases(), new DeviceLoss(() -> 1),
			Duration.ofMillis(100));

	@Test
	void aLoadWaitsForAnotherAsLongAsKernelsMayTakeToYield() throws Exception {
		CountDownLatch held = new CountDownLatch(1);
		CountDownLatch release = new CountDownLatch(1);
		CompletableFuture<String> first = CompletableFuture
			.supplyAsync(() -> this.lock.hold("first", LIMIT, () -> loaded(held, release)), THREADS);
		assertThat(held.await(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
		AtomicReference<Thread> waiting = new AtomicReference<>();
		CompletableFuture<String> patient = CompletableFuture.supplyAsync(() -> {
			waiting.set(Thread.currentThread());
			return this.lock.hold("patient", LIMIT, () -> "patient");
		}, THREADS);
		Awaitility.await().atMost(LIMIT).until(() -> isWaiting(waiting.get()));
		// By the time that this one gives up, the other has waited for longer.
		assertThatExceptionOfType(KernelLaunchException.class)
			.isThrownBy(() -> this.lock.hold("impatient", Duration.ofMillis(1), () -> "impatient"))
			.withMessageContaining("was not done within 100ms")
			.withMessageContaining("stop-timeout");
		assertThat(patient).isNotDone();
		release.countDown();
		assertThat(first).succeedsWithin(LIMIT).isEqualTo("first");
		assertThat(patient).succeedsWithin(LIMIT).isEqualTo("patient");
	}

	private static boolean isWaiting(Thread thread) {
		return thread != null && thread.getState() == Thread.State.TIMED_WAITING;
	}

	private static String loaded(CountDownLatch held, CountDownLatch release) {
		held.countDown();
		try {
			assertThat(release.await(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
			return "first";
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
