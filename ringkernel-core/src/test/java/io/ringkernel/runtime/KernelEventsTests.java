package io.ringkernel.runtime;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.ringkernel.KernelState;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.exception.KernelLaunchException;
import io.ringkernel.platform.PlanRequest;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

/**
 * What listeners are told, and what they cannot do to a kernel.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KernelEventsTests {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private final FaultyProvider provider = new FaultyProvider();

	private final RingKernelRuntime runtime = RingKernelRuntime.open(PlanRequest.AUTO, List.of(this.provider));

	private final Kernel<Number, Number> kernel = this.runtime.define(KernelSpec.of("told", Number.class, Number.class,
			(request) -> request, KernelOptions.builder().workers(1).requestTimeout(LIMIT).build()));

	private final List<KernelStateChange> told = new CopyOnWriteArrayList<>();

	record Number(int value) {
	}

	@AfterEach
	void closeRuntime() {
		this.provider.failure = null;
		this.runtime.close();
	}

	private void listen(KernelEvent event) {
		this.told.add((KernelStateChange) event);
	}

	private void start() {
		this.kernel.launch();
		this.kernel.activate();
	}

	@Test
	void listenersAreToldOfEveryMoveInOrder() throws InterruptedException {
		this.runtime.addListener(this::listen);
		start();
		this.kernel.deactivate();
		this.kernel.activate();
		this.kernel.terminate();
		assertThat(this.runtime.awaitListeners(LIMIT)).isTrue();
		assertThat(this.told).extracting(KernelStateChange::from, KernelStateChange::to)
			.containsExactly(tuple(KernelState.CREATED, KernelState.LAUNCHED),
					tuple(KernelState.LAUNCHED, KernelState.ACTIVE), tuple(KernelState.ACTIVE, KernelState.INACTIVE),
					tuple(KernelState.INACTIVE, KernelState.ACTIVE), tuple(KernelState.ACTIVE, KernelState.TERMINATING),
					tuple(KernelState.TERMINATING, KernelState.TERMINATED));
		assertThat(this.told).allSatisfy((change) -> {
			assertThat(change.kernel()).isSameAs(this.kernel);
			assertThat(change.cause()).isNull();
		});
	}

	@Test
	void aFailureToLaunchIsToldWithItsCause() throws InterruptedException {
		KernelLaunchException refusal = new KernelLaunchException("told", "it is a test.", null);
		this.provider.loadFailure = refusal;
		this.runtime.addListener(this::listen);
		assertThatExceptionOfType(KernelLaunchException.class).isThrownBy(this.kernel::launch);
		assertThat(this.runtime.awaitListeners(LIMIT)).isTrue();
		assertThat(this.told)
			.containsExactly(new KernelStateChange(this.kernel, KernelState.CREATED, KernelState.FAILED, refusal));
	}

	@Test
	void aLoopThatBreaksIsToldWithItsCauseAndMayBeRelaunchedByTheListener() throws InterruptedException {
		BlockingQueue<KernelStateChange> failures = new LinkedBlockingQueue<>();
		CountDownLatch relaunched = new CountDownLatch(1);
		start();
		this.runtime.addListener((event) -> {
			KernelStateChange change = (KernelStateChange) event;
			if (change.to() == KernelState.FAILED) {
				failures.add(change);
				this.provider.failure = null;
				change.kernel().relaunch();
				relaunched.countDown();
			}
		});
		IllegalStateException broken = new IllegalStateException("broken");
		this.provider.failure = broken;
		// Whoever asks notices that it has broken. By the answer, it may run again.
		this.kernel.status();
		assertThat(failures.poll(30, TimeUnit.SECONDS))
			.isEqualTo(new KernelStateChange(this.kernel, KernelState.ACTIVE, KernelState.FAILED, broken));
		assertThat(relaunched.await(30, TimeUnit.SECONDS)).isTrue();
		assertThat(this.kernel.client().call(new Number(1))).isEqualTo(new Number(1));
	}

	@Test
	void aListenerThatIsSlowHoldsUpNeitherKernelNorCaller() throws InterruptedException {
		CountDownLatch release = new CountDownLatch(1);
		this.runtime.addListener((event) -> await(release));
		this.runtime.addListener(this::listen);
		start();
		assertThat(this.kernel.client().call(new Number(2))).isEqualTo(new Number(2));
		assertThat(this.kernel.client().submit(new Number(3)).orTimeout(30, TimeUnit.SECONDS).join())
			.isEqualTo(new Number(3));
		this.kernel.terminate();
		assertThat(this.runtime.awaitListeners(Duration.ofMillis(1))).isFalse();
		assertThat(this.told).isEmpty();
		release.countDown();
		assertThat(this.runtime.awaitListeners(LIMIT)).isTrue();
		assertThat(this.told).hasSize(4);
	}

	@Test
	void aListenerThatFailsIsLoggedAndKeepsNobodyFromBeingTold() throws InterruptedException {
		this.runtime.addListener((event) -> {
			throw new IllegalStateException("no");
		});
		this.runtime.addListener(this::listen);
		List<String> log = logOf(this::start);
		assertThat(this.told).hasSize(2);
		assertThat(log).hasSize(2)
			.allMatch((line) -> line.contains("failed on") && line.contains("ring kernel 'told'"));
	}

	@Test
	void moreEventsThanMayWaitAreLogged() throws InterruptedException {
		CountDownLatch release = new CountDownLatch(1);
		KernelEvents events = new KernelEvents();
		events.add((event) -> await(release));
		KernelStateChange change = new KernelStateChange(this.kernel, KernelState.CREATED, KernelState.LAUNCHED, null);
		List<String> log = logOf(() -> {
			for (int i = 0; i < 4098; i++) {
				events.publish(change);
			}
		});
		assertThat(log).hasSize(1).allMatch((line) -> line.contains("4096 events wait for them already"));
		release.countDown();
		assertThat(events.await(LIMIT)).isTrue();
	}

	@Test
	void aListenerThatWaitsForTheListenersDoesNotWaitForItself() throws InterruptedException {
		BlockingQueue<Boolean> waited = new LinkedBlockingQueue<>();
		this.runtime.addListener((event) -> {
			try {
				waited.add(this.runtime.awaitListeners(LIMIT));
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		});
		this.kernel.launch();
		assertThat(waited.poll(20, TimeUnit.SECONDS)).isTrue();
	}

	@Test
	void aListenerThatWasRemovedIsToldNoMore() throws InterruptedException {
		KernelListener listener = this::listen;
		this.runtime.addListener(listener);
		this.kernel.launch();
		assertThat(this.runtime.awaitListeners(LIMIT)).isTrue();
		this.runtime.removeListener(listener);
		this.kernel.activate();
		assertThat(this.runtime.awaitListeners(LIMIT)).isTrue();
		assertThat(this.told).hasSize(1);
	}

	@Test
	void aListenerBringsNoKernelToLifeAgainOnceItsRuntimeCloses() throws InterruptedException {
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch release = new CountDownLatch(1);
		CountDownLatch refused = new CountDownLatch(1);
		KernelOptions options = KernelOptions.builder()
			.workers(1)
			.drainTimeout(Duration.ofMillis(1))
			.stopTimeout(Duration.ofMillis(50))
			.build();
		this.provider.interruptible = false;
		Kernel<Number, Number> stuck = this.runtime
			.define(KernelSpec.of("stuck", Number.class, Number.class, (request) -> {
				begun.countDown();
				await(release);
				return request;
			}, options));
		this.runtime.addListener((event) -> {
			if (event instanceof KernelStateChange change && change.to() == KernelState.FAILED) {
				assertThatExceptionOfType(KernelLaunchException.class).isThrownBy(stuck::relaunch)
					.withMessageContaining("its runtime is closed");
				refused.countDown();
			}
		});
		stuck.launch();
		stuck.activate();
		stuck.client().submit(new Number(1));
		assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
		this.runtime.close();
		assertThat(refused.await(30, TimeUnit.SECONDS)).isTrue();
		assertThat(stuck.state()).isEqualTo(KernelState.FAILED);
		release.countDown();
		Awaitility.await().atMost(LIMIT).until(() -> KernelFixture.threads("stuck").isEmpty());
	}

	@Test
	void aRuntimeThatIsClosedDefinesNoKernel() {
		this.runtime.close();
		assertThatExceptionOfType(KernelLaunchException.class)
			.isThrownBy(() -> this.runtime.define(
					KernelSpec.of("late", Number.class, Number.class, (request) -> request, KernelOptions.DEFAULTS)))
			.withMessageContaining("its runtime is closed");
	}

	@Test
	void listenersAreToldOfTheEndAsTheRuntimeCloses() throws InterruptedException {
		CountDownLatch terminated = new CountDownLatch(1);
		this.runtime.addListener((event) -> {
			if (((KernelStateChange) event).to() == KernelState.TERMINATED) {
				terminated.countDown();
			}
		});
		start();
		this.runtime.close();
		assertThat(terminated.await(30, TimeUnit.SECONDS)).isTrue();
	}

	private List<String> logOf(Runnable action) throws InterruptedException {
		Logger logger = (Logger) LoggerFactory.getLogger(KernelEvents.class);
		ListAppender<ILoggingEvent> appender = new ListAppender<>();
		appender.list = new CopyOnWriteArrayList<>();
		appender.start();
		logger.addAppender(appender);
		try {
			action.run();
			assertThat(this.runtime.awaitListeners(LIMIT)).isTrue();
		}
		finally {
			logger.detachAppender(appender);
		}
		return appender.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
	}

	private static void await(CountDownLatch latch) {
		try {
			latch.await(30, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
