package io.ringkernel.runtime;

import java.lang.ref.WeakReference;
import java.util.concurrent.CompletableFuture;

import io.ringkernel.RequestStream;
import io.ringkernel.exception.KernelNotActiveException;
import io.ringkernel.exception.KernelTerminatedException;
import io.ringkernel.message.buffer.MessageBuffer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StreamLifecycleTests extends KernelFixture {

	@Test
	void aStreamSendsNothingWhileItsKernelIsInactive() {
		Kernel<Number, Number> kernel = define("paused", (request) -> request);
		start(kernel);
		try (RequestStream<Number, Number> stream = kernel.client().openStream()) {
			stream.send(new Number(1));
			kernel.deactivate();
			assertThatExceptionOfType(KernelNotActiveException.class).isThrownBy(() -> stream.send(new Number(2)))
				.withMessageContaining("INACTIVE");
			kernel.activate();
			stream.send(new Number(3));
			assertThat(stream.receive()).isEqualTo(new Number(1));
			assertThat(stream.receive()).isEqualTo(new Number(3));
		}
	}

	@Test
	void aStreamDoesNotGoOnWithTheNextLaunch() {
		Kernel<Number, Number> kernel = define("relaunched", (request) -> request);
		start(kernel);
		try (RequestStream<Number, Number> stream = kernel.client().openStream()) {
			kernel.relaunch();
			assertThatExceptionOfType(KernelNotActiveException.class).isThrownBy(() -> stream.send(new Number(1)))
				.withMessageContaining("was relaunched meanwhile");
		}
	}

	@Test
	void aStreamDoesNotKeepItsKernelFromTerminating() {
		Kernel<Number, Number> kernel = define("streaming", (request) -> request);
		start(kernel);
		CompletableFuture<Long> sent = CompletableFuture.supplyAsync(() -> {
			long count = 0;
			try (RequestStream<Number, Number> stream = kernel.client().openStream()) {
				while (true) {
					stream.send(new Number(count));
					stream.receive();
					count++;
				}
			}
			catch (KernelNotActiveException | KernelTerminatedException ex) {
				return count;
			}
		}, (task) -> new Thread(task).start());
		Awaitility.await().atMost(LIMIT).until(() -> kernel.status().processed() > 1000);
		kernel.terminate();
		assertThat(sent).succeedsWithin(LIMIT);
		assertThat(kernel.status().inFlight()).isZero();
	}

	@Test
	void aCompletedFutureDoesNotKeepTheMemoryOfItsRing() {
		Kernel<Number, Number> kernel = define("kept", (request) -> request);
		start(kernel);
		CompletableFuture<Number> answered = kernel.client().submit(new Number(1));
		assertThat(answered).succeedsWithin(LIMIT);
		CompletableFuture<Number> cancelled = kernel.client().submit(new Number(2));
		// Unless its answer was quicker.
		boolean wasCancelled = cancelled.cancel(true);
		Awaitility.await().atMost(LIMIT).until(() -> kernel.status().inFlight() == 0);
		WeakReference<MessageBuffer> memory = new WeakReference<>(this.provider.latestMemory);
		this.provider.latestMemory = null;
		kernel.terminate();
		Awaitility.await().atMost(LIMIT).until(() -> {
			System.gc();
			return memory.get() == null;
		});
		assertThat(answered).isCompletedWithValue(new Number(1));
		assertThat(cancelled.isCancelled()).isEqualTo(wasCancelled);
	}

}
