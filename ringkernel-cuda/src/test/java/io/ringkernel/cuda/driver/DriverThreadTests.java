package io.ringkernel.cuda.driver;

import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Timeout(30)
class DriverThreadTests {

	private static final Duration LONG = Duration.ofSeconds(20);

	private static final Duration SHORT = Duration.ofMillis(200);

	private final DriverThread thread = new DriverThread("driver");

	private final CountDownLatch release = new CountDownLatch(1);

	@Test
	void callsAreMadeOnOneDaemonThread() {
		Thread first = this.thread.call("a", LONG, Thread::currentThread);
		Thread second = this.thread.call("b", LONG, Thread::currentThread);
		assertThat(first).isSameAs(second).isNotSameAs(Thread.currentThread());
		assertThat(first.isDaemon()).isTrue();
		assertThat(first.getName()).isEqualTo("driver");
	}

	@Test
	void theThreadKeepsNothingOfTheApplicationThatNeedsItFirst() throws Exception {
		Thread current = Thread.currentThread();
		ClassLoader before = current.getContextClassLoader();
		try (URLClassLoader application = new URLClassLoader(new URL[0], before)) {
			current.setContextClassLoader(application);
			assertThat(new DriverThread("driver").<ClassLoader>call("a", LONG,
					() -> Thread.currentThread().getContextClassLoader()))
				.isSameAs(DriverThread.class.getClassLoader());
		}
		finally {
			current.setContextClassLoader(before);
		}
	}

	@Test
	void theThreadStartsWithTheFirstCallAndEndsWithoutCalls() throws Exception {
		AtomicInteger prepared = new AtomicInteger();
		DriverThread brief = new DriverThread("brief", Duration.ofMillis(1));
		brief.prepare(prepared::incrementAndGet);
		Thread first = brief.call("a", LONG, Thread::currentThread);
		first.join();
		Thread second = brief.call("b", LONG, Thread::currentThread);
		assertThat(second).isNotSameAs(first);
		second.join();
		assertThat(prepared).hasValue(2);
	}

	@Test
	void noCallIsLostWhileThreadsEnd() {
		DriverThread brief = new DriverThread("brief", Duration.ofNanos(1));
		for (int i = 0; i < 2000; i++) {
			int call = i;
			assertThat(brief.<Integer>call("a", LONG, () -> call)).isEqualTo(call);
		}
	}

	@Test
	void aCallFromTheThreadItselfIsMadeAtOnce() {
		assertThat(this.thread.<Integer>call("outer", LONG, () -> this.thread.call("inner", LONG, () -> 7)))
			.isEqualTo(7);
	}

	@Test
	void whatACallThrowsIsThrown() {
		CudaException failure = new CudaException("cuMemAlloc of 1 B", new CudaStatus(2, "CUDA_ERROR_OUT_OF_MEMORY"));
		assertThatThrownBy(() -> this.thread.call("cuMemAlloc", LONG, () -> {
			throw failure;
		})).isSameAs(failure);
	}

	@Test
	void anErrorOfTheLinkerBecomesAnException() {
		assertThatExceptionOfType(CudaUnavailableException.class)
			.isThrownBy(() -> this.thread.call("cuNew", LONG, () -> {
				throw new UnsatisfiedLinkError("cuNew");
			}))
			.withMessageContaining("cuNew is missing");
	}

	@Test
	void aCallThatDoesNotReturnIsNamedWithItsTime() {
		assertThatExceptionOfType(CudaDeadlineException.class).isThrownBy(() -> hang("cuModuleLoadData", SHORT))
			.withMessageMatching(".*has not returned from cuModuleLoadData for \\d+ ms.*")
			.satisfies((ex) -> assertThat(ex.call()).isEqualTo("cuModuleLoadData"));
		this.release.countDown();
	}

	@Test
	void whileACallDoesNotReturnOthersFailAtOnceAndNameIt() {
		assertThatExceptionOfType(CudaDeadlineException.class).isThrownBy(() -> hang("cuMemFree", SHORT));
		long begin = System.nanoTime();
		assertThatExceptionOfType(CudaDeadlineException.class)
			.isThrownBy(() -> this.thread.call("cuStreamQuery", LONG, () -> 1))
			.withMessageContaining("cuMemFree");
		assertThat(System.nanoTime() - begin).isLessThan(LONG.toNanos());
		this.release.countDown();
	}

	@Test
	void onceTheCallHasReturnedOthersAreMadeAgain() {
		assertThatExceptionOfType(CudaDeadlineException.class).isThrownBy(() -> hang("cuMemFree", SHORT));
		this.release.countDown();
		Awaitility.await().ignoreExceptions().until(() -> this.thread.call("cuStreamQuery", LONG, () -> true));
	}

	@Test
	void aCallWhoseDeadlinePassesBeforeItBeginsIsNeverMade() throws Exception {
		AtomicBoolean made = new AtomicBoolean();
		Thread other = new Thread(() -> hang("cuMemFree", LONG));
		other.start();
		Awaitility.await().until(() -> other.getState() == Thread.State.TIMED_WAITING);
		assertThatExceptionOfType(CudaDeadlineException.class)
			.isThrownBy(() -> this.thread.call("cuLaunchKernel", SHORT, () -> {
				made.set(true);
				return true;
			}));
		this.release.countDown();
		other.join();
		this.thread.call("cuStreamQuery", LONG, () -> true);
		assertThat(made).isFalse();
	}

	@Test
	void anInterruptDoesNotEndTheWaitAndIsKept() {
		Thread.currentThread().interrupt();
		assertThat(this.thread.<Integer>call("cuStreamQuery", LONG, () -> 3)).isEqualTo(3);
		assertThat(Thread.interrupted()).isTrue();
	}

	private void hang(String call, Duration deadline) {
		this.thread.call(call, deadline, () -> this.release.await(60, TimeUnit.SECONDS));
	}

}
