package io.ringkernel.cuda.host;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.ringkernel.backend.DeviceLostException;
import io.ringkernel.cuda.host.wire.HostFailureException;
import io.ringkernel.platform.HostStatus;
import io.ringkernel.platform.PlanOffer;
import io.ringkernel.platform.PlanRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A {@link KernelHost} whose process takes long to start.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KernelHostStartTests {

	private static final Duration LIMIT = Duration.ofSeconds(20);

	/** A thread for each task: the common pool has one where there are two processors. */
	private static final Executor THREADS = (task) -> new Thread(task).start();

	private final CountDownLatch starting = new CountDownLatch(1);

	private final CountDownLatch gate = new CountDownLatch(1);

	@Test
	void itsStatusWaitsForNoStart() throws Exception {
		KernelHost host = new KernelHost((onLost) -> {
			this.starting.countDown();
			awaitGate();
			throw new HostFailureException("it does not start");
		}, new CrashBudget());
		CompletableFuture<?> started = CompletableFuture.supplyAsync(host::running, THREADS);
		try {
			assertThat(this.starting.await(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
			assertThat(CompletableFuture.supplyAsync(host::status, THREADS)).succeedsWithin(LIMIT)
				.extracting(HostStatus::pid)
				.isEqualTo(0L);
			assertThat(CompletableFuture.supplyAsync(host::failure, THREADS)).succeedsWithin(LIMIT).isNull();
		}
		finally {
			this.gate.countDown();
		}
		assertThat(started).failsWithin(LIMIT)
			.withThrowableThat()
			.havingCause()
			.isInstanceOf(HostFailureException.class);
	}

	/** No backend would end it. */
	@Test
	void aBackendThatIsClosedStartsNoHost() {
		AtomicInteger starts = new AtomicInteger();
		KernelHost host = new KernelHost((onLost) -> {
			starts.incrementAndGet();
			throw new HostFailureException("it does not start");
		}, new CrashBudget());
		HostBackend backend = new HostBackend(host, HostOptions.DEFAULTS,
				((PlanOffer.Accepted) new DeviceHostMain.Device().plan(PlanRequest.AUTO)).plan());
		assertThatExceptionOfType(HostFailureException.class)
			.isThrownBy(() -> backend.allocateOnDevice("numbers", Long.BYTES));
		assertThat(starts).hasValue(1);
		backend.close();
		assertThatExceptionOfType(DeviceLostException.class)
			.isThrownBy(() -> backend.allocateOnDevice("numbers", Long.BYTES))
			.withMessageContaining("closed");
		assertThat(starts).hasValue(1);
	}

	private void awaitGate() {
		try {
			assertThat(this.gate.await(2 * LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
