package io.ringkernel.cpu;

import java.time.Duration;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import com.sun.management.ThreadMXBean;
import io.ringkernel.RingKernelHandler;
import io.ringkernel.TestShare;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.cpu.CpuRig.Number;
import io.ringkernel.exception.KernelLaunchException;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.ring.MessageKind;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static java.lang.management.ManagementFactory.getPlatformMXBean;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What goes wrong on a worker or on a caller's thread stays with that request.
 */
@Timeout(value = 90, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CpuLoopFaultTests {

	private static final int WARM_UP = 200;

	@ParameterizedTest
	@EnumSource(ExecutionMode.class)
	void anErrorOfAHandlerFailsItsRequestAlone(ExecutionMode mode) throws InterruptedException {
		try (CpuRig rig = new CpuRig(mode, CpuRig.spec(1, (request) -> {
			if (request.value() == 0) {
				throw new OutOfMemoryError("as a test asked");
			}
			return new Number((request.value() == 1) ? endless(request.value()) : request.value());
		}))) {
			rig.loop.start();
			failsWith(rig, 0, OutOfMemoryError.class);
			failsWith(rig, 1, StackOverflowError.class);
			assertThat(rig.receive(rig.send(2)).value()).isEqualTo(2);
			assertThat(rig.loop.failure()).isNull();
		}
	}

	@SuppressWarnings("InfiniteRecursion")
	private static long endless(long value) {
		return endless(value) + 1;
	}

	private static void failsWith(CpuRig rig, long value, Class<? extends Throwable> error)
			throws InterruptedException {
		long position = rig.send(value);
		assertThat(rig.await(position)).isEqualTo(MessageKind.HANDLER_FAILED);
		assertThat(rig.failures.take(rig.ring.layout().slot(position))).isInstanceOf(error);
		rig.ring.claims().release(position);
	}

	@Test
	void aWorkerThatComesUpAnswersAndRestsAllocatesNothing() throws InterruptedException {
		AtomicInteger failures = new AtomicInteger();
		KernelOptions options = KernelOptions.builder().workers(1).idleBudget(Duration.ZERO).build();
		try (CpuRig rig = new CpuRig(ExecutionMode.PERSISTENT, CpuRig.spec(options, (request) -> request))) {
			rig.bell = (slot) -> failures.incrementAndGet();
			rig.loop.start();
			comeUp(rig, WARM_UP);
			ThreadMXBean threads = getPlatformMXBean(ThreadMXBean.class);
			long worker = Thread.getAllStackTraces()
				.keySet()
				.stream()
				.filter((thread) -> thread.getName().equals("ringkernel-numbers-worker-0"))
				.mapToLong(Thread::getId)
				.findFirst()
				.orElseThrow();
			long launches = rig.control.launches();
			// The JVM allocates on a thread now and then, as when it loads a class: not
			// in each
			// of some rounds.
			long least = Long.MAX_VALUE;
			for (int round = 0; round < 5; round++) {
				long before = threads.getThreadAllocatedBytes(worker);
				comeUp(rig, 100);
				least = Math.min(least, threads.getThreadAllocatedBytes(worker) - before);
			}
			assertThat(least).isZero();
			assertThat(rig.control.launches()).isGreaterThan(launches);
			assertThat(failures).hasValue(WARM_UP + 500);
		}
	}

	/**
	 * Has the worker answer requests that it need not decode, and rest after each.
	 */
	private static void comeUp(CpuRig rig, int times) throws InterruptedException {
		for (int i = 0; i < times; i++) {
			long position = rig.claim();
			// Withdrawn from the start: a worker that comes to rest still looks.
			rig.ring.requests().retract(position);
			rig.loop.doorbell();
			assertThat(rig.await(position)).isEqualTo(MessageKind.WITHDRAWN);
			rig.ring.claims().release(position);
			while (rig.loop.activeWorkers() > 0) {
				Thread.onSpinWait();
			}
		}
	}

	@Test
	void aLoopWithoutAThreadForAnotherWorkerGoesOnAndTriesAgain() throws InterruptedException {
		HandlerThreads threads = new HandlerThreads(null);
		AtomicBoolean exhausted = new AtomicBoolean();
		AtomicInteger refused = new AtomicInteger();
		ThreadFactory factory = (task) -> {
			if (exhausted.get()) {
				refused.incrementAndGet();
				throw new OutOfMemoryError("unable to create native thread");
			}
			return threads.newThread(task);
		};
		Held held = new Held();
		try (CpuRig rig = new CpuRig(CpuRig.spec(2, held::handle), factory)) {
			rig.loop.start();
			exhausted.set(true);
			long first = rig.send(0);
			held.awaitBegun();
			long second = rig.send(1);
			Awaitility.await().atMost(CpuRig.LIMIT).until(() -> {
				rig.loop.nudge();
				return refused.get() > 1;
			});
			assertThat(rig.loop.failure()).isNull();
			assertThat(rig.ring.responses().isAnswered(second)).isFalse();
			exhausted.set(false);
			rig.loop.nudge();
			assertThat(rig.receive(second).value()).isEqualTo(1);
			held.release();
			assertThat(rig.receive(first).value()).isZero();
		}
	}

	@Test
	void aLoopWithoutAnyThreadIsNotStarted() throws InterruptedException {
		AtomicBoolean exhausted = new AtomicBoolean(true);
		HandlerThreads threads = new HandlerThreads(null);
		try (CpuRig rig = new CpuRig(CpuRig.spec(2, (request) -> request), (task) -> {
			if (exhausted.get()) {
				throw new OutOfMemoryError("unable to create native thread");
			}
			return threads.newThread(task);
		})) {
			assertThatExceptionOfType(KernelLaunchException.class).isThrownBy(rig.loop::start)
				.withMessageContaining("'numbers' cannot be launched: no thread can be started")
				.withCauseInstanceOf(OutOfMemoryError.class);
			exhausted.set(false);
			rig.loop.start();
			assertThat(rig.receive(rig.send(3)).value()).isEqualTo(3);
		}
	}

	@ParameterizedTest
	@EnumSource(ExecutionMode.class)
	void aCallerWithoutStackLeavesTheLoopSound(ExecutionMode mode) throws InterruptedException {
		for (int i = 0; i < TestShare.of(80); i++) {
			try (CpuRig rig = new CpuRig(mode, CpuRig.spec(1, (request) -> request))) {
				rig.loop.start();
				assertThat(rig.receive(rig.send(0)).value()).isZero();
				Awaitility.await().atMost(CpuRig.LIMIT).until(() -> rig.loop.activeWorkers() == 0);
				long position = rig.publish(1);
				Runnable bell = rig.loop::doorbell;
				atTheEndOfTheStack(() -> bell.run(), new AtomicInteger());
				rig.loop.doorbell();
				assertThat(rig.receive(position).value()).isEqualTo(1);
			}
		}
	}

	/**
	 * Recurses until the stack is used up, and runs something at the last frames.
	 */
	private static void atTheEndOfTheStack(Runnable task, AtomicInteger tried) {
		try {
			atTheEndOfTheStack(task, tried);
		}
		catch (StackOverflowError ex) {
			if (tried.getAndIncrement() < 200) {
				task.run();
			}
		}
	}

	@ParameterizedTest
	@EnumSource(ExecutionMode.class)
	void anInterruptThatAHandlerLeavesBehindReachesNoLaterRequest(ExecutionMode mode) throws InterruptedException {
		Queue<Boolean> interrupted = new ConcurrentLinkedQueue<>();
		try (CpuRig rig = new CpuRig(mode, CpuRig.spec(1, (request) -> {
			interrupted.add(Thread.currentThread().isInterrupted());
			Thread.currentThread().interrupt();
			return request;
		}))) {
			rig.loop.start();
			List<Long> positions = List.of(rig.publish(0), rig.publish(1), rig.send(2));
			positions.forEach(rig::receive);
			assertThat(interrupted).containsExactly(false, false, false);
		}
	}

	@ParameterizedTest
	@EnumSource(ExecutionMode.class)
	void aWorkerInheritsNothingFromTheCallerThatStartsIt(ExecutionMode mode) throws Exception {
		InheritableThreadLocal<String> local = new InheritableThreadLocal<>();
		Queue<Object> seen = new ConcurrentLinkedQueue<>();
		try (CpuRig rig = new CpuRig(mode, CpuRig.spec(1, (request) -> {
			seen.add(String.valueOf(local.get()));
			seen.add(Thread.currentThread().getContextClassLoader());
			seen.add(Thread.currentThread().getPriority());
			return request;
		}))) {
			Thread caller = new Thread(() -> {
				local.set("the caller's");
				rig.loop.start();
			});
			caller.setContextClassLoader(new ClassLoader(null) {
			});
			caller.setPriority(Thread.MAX_PRIORITY);
			caller.start();
			TimeUnit.SECONDS.timedJoin(caller, 30);
			rig.receive(rig.send(0));
			assertThat(seen).containsExactly("null", CpuLoopFaultTests.class.getClassLoader(), Thread.NORM_PRIORITY);
		}
	}

	@Test
	void aWorkerOfAPipelineHasTheClassLoaderOfItsFirstStage() throws Exception {
		Queue<Object> seen = new ConcurrentLinkedQueue<>();
		URL classes = Stage.class.getProtectionDomain().getCodeSource().getLocation();
		try (StageLoader loader = new StageLoader(classes)) {
			@SuppressWarnings("unchecked")
			RingKernelHandler<CpuRig.Number, CpuRig.Number> stage = (RingKernelHandler<CpuRig.Number, CpuRig.Number>) loader
				.loadClass(Stage.class.getName())
				.getConstructor()
				.newInstance();
			try (CpuRig rig = new CpuRig(ExecutionMode.PERSISTENT,
					CpuRig.spec(1, stage.andThen((request) -> request).andThen((request) -> {
						seen.add(Thread.currentThread().getContextClassLoader());
						return request;
					})))) {
				rig.loop.start();
				rig.receive(rig.send(0));
				assertThat(seen).containsExactly(loader);
			}
		}
	}

	/** Loads the stage itself, as that of a plugin does. */
	private static final class StageLoader extends URLClassLoader {

		StageLoader(URL classes) {
			super(new URL[] { classes }, CpuLoopFaultTests.class.getClassLoader());
		}

		@Override
		public Class<?> loadClass(String name) throws ClassNotFoundException {
			return name.equals(Stage.class.getName()) ? findClass(name) : super.loadClass(name);
		}

	}

	public static final class Stage<T extends Record> implements RingKernelHandler<T, T> {

		@Override
		public T handle(T request) {
			return request;
		}

	}

	@Test
	void anExceptionThatNobodyTakesIsGoneWithItsSlot() throws InterruptedException {
		try (CpuRig rig = new CpuRig(ExecutionMode.PERSISTENT, CpuRig.spec(1, (request) -> {
			if (request.value() == 0) {
				throw new IllegalStateException("none");
			}
			return request;
		}))) {
			rig.loop.start();
			long failed = rig.send(0);
			assertThat(rig.await(failed)).isEqualTo(MessageKind.HANDLER_FAILED);
			rig.ring.claims().release(failed);
			for (int i = 1; i <= CpuRig.SLOTS; i++) {
				rig.receive(rig.send(i));
			}
			assertThat(rig.failures.take(rig.ring.layout().slot(failed))).isNull();
			failed = rig.send(0);
			assertThat(rig.await(failed)).isEqualTo(MessageKind.HANDLER_FAILED);
			rig.failures.clear();
			assertThat(rig.failures.take(rig.ring.layout().slot(failed))).isNull();
		}
	}

}
