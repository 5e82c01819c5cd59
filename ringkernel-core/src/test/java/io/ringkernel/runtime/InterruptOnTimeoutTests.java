package io.ringkernel.runtime;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.ringkernel.exception.RequestTimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@Timeout(60)
class InterruptOnTimeoutTests extends KernelFixture {

	private final CountDownLatch begun = new CountDownLatch(1);

	private final CountDownLatch interrupted = new CountDownLatch(1);

	private final CountDownLatch release = new CountDownLatch(1);

	@Test
	void aCallThatTimesOutGivesItsWorkerBack() throws InterruptedException {
		Kernel<Number, Number> kernel = hold(true);
		assertThatExceptionOfType(RequestTimeoutException.class)
			.isThrownBy(() -> kernel.client().call(new Number(0), Duration.ofMillis(100)));
		assertThat(this.interrupted.await(30, TimeUnit.SECONDS)).isTrue();
		assertThat(kernel.client().call(new Number(1)).value()).isEqualTo(1);
	}

	@Test
	void aFutureThatIsCancelledGivesItsWorkerBack() throws InterruptedException {
		Kernel<Number, Number> kernel = hold(true);
		CompletableFuture<Number> future = kernel.client().submit(new Number(0));
		assertThat(this.begun.await(30, TimeUnit.SECONDS)).isTrue();
		future.cancel(true);
		assertThat(this.interrupted.await(30, TimeUnit.SECONDS)).isTrue();
		assertThat(kernel.client().call(new Number(1)).value()).isEqualTo(1);
	}

	@Test
	void aHandlerIsLeftAloneIfThatIsConfigured() throws InterruptedException {
		Kernel<Number, Number> kernel = hold(false);
		assertThatExceptionOfType(RequestTimeoutException.class)
			.isThrownBy(() -> kernel.client().call(new Number(0), Duration.ofMillis(100)));
		assertThat(this.interrupted.await(200, TimeUnit.MILLISECONDS)).isFalse();
		this.release.countDown();
		assertThat(kernel.client().call(new Number(1)).value()).isEqualTo(1);
		assertThat(this.interrupted.getCount()).isEqualTo(1);
	}

	/**
	 * A kernel with one worker, which holds request 0.
	 */
	private Kernel<Number, Number> hold(boolean interruptOnTimeout) {
		Kernel<Number, Number> kernel = define("held",
				OPTIONS.toBuilder().workers(1).interruptOnTimeout(interruptOnTimeout).build(), this::handle);
		start(kernel);
		return kernel;
	}

	private Number handle(Number request) throws InterruptedException {
		if (request.value() == 0) {
			this.begun.countDown();
			try {
				assertThat(this.release.await(60, TimeUnit.SECONDS)).isTrue();
			}
			catch (InterruptedException ex) {
				this.interrupted.countDown();
				throw ex;
			}
		}
		return request;
	}

}
