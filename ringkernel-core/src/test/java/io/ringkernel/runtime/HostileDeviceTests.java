package io.ringkernel.runtime;

import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

import io.ringkernel.Capacity;
import io.ringkernel.backend.DeviceLoop;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelRegion;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.backend.PlayedBackend;
import io.ringkernel.backend.PlayedProvider;
import io.ringkernel.exception.CorruptMessageException;
import io.ringkernel.exception.HandlerFailedException;
import io.ringkernel.exception.RequestLostException;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.ring.DeviceRing;
import io.ringkernel.ring.RingLayout;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A device that answers every other request with garbage.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HostileDeviceTests {

	private static final int SLOTS = 2;

	private final Garbage garbage = new Garbage();

	private final RingKernelRuntime runtime = RingKernelRuntime.open(PlanRequest.AUTO,
			List.of(PlayedProvider.cpu(new HostileBackend(this.garbage))));

	private Kernel<Blob, Blob> kernel;

	record Blob(long id, @Capacity(2000) byte[] bytes) {
	}

	@BeforeEach
	void launch() {
		KernelOptions options = KernelOptions.builder().workers(1).requestTimeout(Duration.ofSeconds(20)).build();
		KernelSpec<Blob, Blob> spec = KernelSpec.of("hostile", Blob.class, Blob.class, (request) -> request, options);
		long bytes = RingLayout.totalBytes(SLOTS, spec.requests().maxSize(), spec.responses().maxSize());
		this.kernel = this.runtime.define(KernelSpec.of("hostile", Blob.class, Blob.class, spec.handler(),
				options.toBuilder().ringMemory(bytes).build()));
		this.kernel.launch();
		this.kernel.activate();
	}

	@AfterEach
	void close() {
		this.runtime.close();
	}

	private void verifyNextIsAnswered(long id) {
		Blob request = new Blob(id, new byte[(int) (id % 2000)]);
		Blob response = this.kernel.client().call(request);
		assertThat(response.id()).isEqualTo(id);
		assertThat(response.bytes()).isEqualTo(request.bytes());
		assertThat(this.kernel.status().inFlight()).isZero();
	}

	private void verifyCorrupt(int length, int kind) {
		this.garbage.length = length;
		this.garbage.kind = kind;
		for (int i = 0; i < 3 * SLOTS; i++) {
			assertThatExceptionOfType(CorruptMessageException.class)
				.isThrownBy(() -> this.kernel.client().call(new Blob(1, new byte[10])));
			verifyNextIsAnswered(i);
			assertThat(this.kernel.client().submit(new Blob(1, new byte[1500]))).failsWithin(Duration.ofSeconds(20))
				.withThrowableThat()
				.withCauseInstanceOf(CorruptMessageException.class);
			verifyNextIsAnswered(i);
		}
	}

	@Test
	void aLengthBelowZeroIsCorrupt() {
		verifyCorrupt(-5, 0);
	}

	@Test
	void aLengthBeyondTheLargestIsCorrupt() {
		verifyCorrupt(100_000, 0);
	}

	@Test
	void aLengthBelowTheFixedBlockIsCorrupt() {
		verifyCorrupt(3, 0);
	}

	@Test
	void aKindThatIsNotKnownIsCorrupt() {
		verifyCorrupt(0, 77);
	}

	@Test
	void aWithdrawalThatNobodyAskedForIsCorrupt() {
		verifyCorrupt(0, 2);
	}

	@Test
	void randomBytesHarmNoOtherRequest() {
		SplittableRandom random = new SplittableRandom(3);
		for (int i = 0; i < 2_000; i++) {
			this.garbage.length = random.nextInt(-10, 1_100);
			this.garbage.kind = random.nextInt(-1, 6);
			try {
				this.kernel.client().call(new Blob(i, new byte[random.nextInt(2_000)]));
			}
			catch (CorruptMessageException | HandlerFailedException | RequestLostException ex) {
				assertThat(ex).hasMessageContaining(" ");
			}
			verifyNextIsAnswered(i);
		}
	}

	private static final class Garbage {

		private volatile int length;

		private volatile int kind;

		/**
		 * Writes a complete response of random bytes.
		 */
		void write(ByteBuffer memory, RingLayout ring, long position) {
			SplittableRandom random = new SplittableRandom(position);
			int slot = ring.responses().slotsOffset() + ring.slot(position) * ring.responses().slotStride();
			int payload = ring.responses().payloadsOffset() + ring.slot(position) * ring.responses().payloadStride();
			for (int at = 0; at < ring.responses().payloadStride(); at += Integer.BYTES) {
				memory.putInt(payload + at, random.nextInt() >> random.nextInt(32));
			}
			for (int at = ring.responses().slotStride() - 16; at >= 0; at -= 16) {
				memory.putLong(slot + at, random.nextLong() >> random.nextInt(64));
				if (at == 0) {
					memory.putInt(slot, this.length);
					memory.putInt(slot + 4, this.kind);
				}
				VarHandle.releaseFence();
				memory.putInt(slot + at + 12, ring.tag(position));
			}
		}

	}

	private static final class HostileBackend extends PlayedBackend {

		private final Garbage garbage;

		HostileBackend(Garbage garbage) {
			this.garbage = garbage;
		}

		@Override
		public <I extends Record, O extends Record> DeviceLoop load(KernelSpec<I, O> kernel, KernelRegion region) {
			return new HostileLoop<>(this.garbage, kernel, region);
		}

	}

	private static final class HostileLoop<I extends Record, O extends Record> extends Thread implements DeviceLoop {

		private final Garbage garbage;

		private final KernelSpec<I, O> kernel;

		private final KernelRegion region;

		private volatile boolean stopped;

		HostileLoop(Garbage garbage, KernelSpec<I, O> kernel, KernelRegion region) {
			this.garbage = garbage;
			this.kernel = kernel;
			this.region = region;
			setDaemon(true);
		}

		@Override
		public void run() {
			DeviceRing ring = new DeviceRing(this.region.memory().buffer(), this.region.ring(), 1);
			boolean hostile = true;
			for (long position = 0; !this.stopped; position++) {
				DeviceRing.RequestState state = ring.poll(position);
				while (state == DeviceRing.RequestState.ABSENT && !this.stopped) {
					Thread.yield();
					state = ring.poll(position);
				}
				if (state == DeviceRing.RequestState.PRESENT) {
					answer(ring, position, hostile);
					hostile = !hostile;
				}
			}
		}

		private void answer(DeviceRing ring, long position, boolean hostile) {
			if (hostile) {
				this.garbage.write(this.region.memory().buffer().bytes(), this.region.ring(), position);
				return;
			}
			try {
				O response = this.kernel.handler().handle(ring.request(position, 0, this.kernel.requests()));
				ring.answer(position, 0, response, this.kernel.responses());
			}
			catch (Exception ex) {
				throw new IllegalStateException(ex);
			}
		}

		@Override
		public void doorbell() {
		}

		@Override
		public void nudge() {
		}

		@Override
		public boolean stop(Duration timeout) throws InterruptedException {
			this.stopped = true;
			join(timeout.toMillis());
			return !isAlive();
		}

		@Override
		public @Nullable Throwable failure() {
			return null;
		}

		@Override
		public int activeWorkers() {
			return isAlive() ? 1 : 0;
		}

		@Override
		public void close() {
			this.stopped = true;
		}

	}

}
