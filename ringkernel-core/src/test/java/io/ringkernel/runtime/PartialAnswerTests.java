package io.ringkernel.runtime;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.ringkernel.FrameStream;
import io.ringkernel.RequestStream;
import io.ringkernel.backend.DeviceLoop;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelRegion;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.backend.PlayedBackend;
import io.ringkernel.backend.PlayedProvider;
import io.ringkernel.conformance.CpuTestKernels;
import io.ringkernel.conformance.TestKernels.Quotes;
import io.ringkernel.conformance.TestKernels.Ticks;
import io.ringkernel.exception.CorruptMessageException;
import io.ringkernel.exception.RequestTimeoutException;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.ring.DeviceRing;
import io.ringkernel.ring.LaneLayout;
import io.ringkernel.ring.RingLayout;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Streams over a device whose responses arrive in parts: the header of one is there, and
 * a chunk behind it is not. The test is the device.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PartialAnswerTests {

	private static final KernelOptions PATIENT = KernelOptions.builder().workers(1).build();

	private static final KernelOptions IMPATIENT = PATIENT.toBuilder().requestTimeout(Duration.ofMillis(300)).build();

	private final PlayedDevice device = new PlayedDevice();

	private final RingKernelRuntime runtime = RingKernelRuntime.open(PlanRequest.AUTO,
			List.of(PlayedProvider.cpu(this.device)));

	/** Its chunks are read where they lie. */
	record Packed(long first, long second, long third) {
	}

	/** Its chunks are made contiguous first. */
	record Gathered(long first, long second, short third) {
	}

	@AfterEach
	void close() {
		this.runtime.close();
	}

	private <I extends Record, O extends Record> Kernel<I, O> activate(KernelSpec<I, O> spec) {
		Kernel<I, O> kernel = this.runtime.define(spec);
		kernel.launch();
		kernel.activate();
		return kernel;
	}

	private <T extends Record> Kernel<T, T> echo(Class<T> type, KernelOptions options) {
		return activate(KernelSpec.of("echo", type, type, (request) -> request, options));
	}

	private <T extends Record> void verifyDrainStopsBeforeAPartialResponse(Class<T> type, List<T> messages) {
		Kernel<T, T> kernel = echo(type, PATIENT);
		List<T> drained = new ArrayList<>();
		try (RequestStream<T, T> stream = kernel.client().openStream()) {
			messages.forEach(stream::send);
			for (int position = 0; position < messages.size(); position++) {
				this.device.loop().answer(position);
			}
			int tag = this.device.loop().takeBackLastChunk(1);
			assertThat(stream.drain(drained::add, 10)).isOne();
			assertThat(drained).containsExactly(messages.get(0));
			assertThat(kernel.status().inFlight()).isEqualTo(2);
			this.device.loop().putBackLastChunk(1, tag);
			assertThat(stream.drain(drained::add, 10)).isEqualTo(2);
			assertThat(drained).isEqualTo(messages);
		}
		assertThat(kernel.status().inFlight()).isZero();
	}

	@Test
	void aDrainStopsBeforeAPackedResponseOfWhichAPartIsMissing() {
		verifyDrainStopsBeforeAPartialResponse(Packed.class,
				List.of(new Packed(1, 2, 3), new Packed(4, 5, 6), new Packed(7, 8, 9)));
	}

	@Test
	void aDrainStopsBeforeAGatheredResponseOfWhichAPartIsMissing() {
		verifyDrainStopsBeforeAPartialResponse(Gathered.class,
				List.of(new Gathered(1, 2, (short) 3), new Gathered(4, 5, (short) 6), new Gathered(7, 8, (short) 9)));
	}

	@Test
	void aDrainWaitsForTheMissingPartOfItsFirstResponse() {
		Kernel<Packed, Packed> kernel = echo(Packed.class, IMPATIENT);
		List<Packed> drained = new ArrayList<>();
		try (RequestStream<Packed, Packed> stream = kernel.client().openStream()) {
			stream.send(new Packed(1, 2, 3));
			this.device.loop().answer(0);
			int tag = this.device.loop().takeBackLastChunk(0);
			assertThatExceptionOfType(RequestTimeoutException.class).isThrownBy(() -> stream.drain(drained::add, 10));
			assertThat(drained).isEmpty();
			this.device.loop().putBackLastChunk(0, tag);
		}
		Awaitility.await()
			.atMost(KernelFixture.LIMIT)
			.untilAsserted(() -> assertThat(kernel.status().inFlight()).isZero());
	}

	@Test
	void aFrameOfWhichAPartIsMissingIsNotReceived() {
		Kernel<Ticks, Quotes> kernel = activate(new CpuTestKernels().quoting(IMPATIENT));
		try (FrameStream frames = kernel.client().openFrames()) {
			frames.send(3);
			this.device.loop().answer(0);
			int tag = this.device.loop().takeBackLastChunk(0);
			assertThatExceptionOfType(RequestTimeoutException.class).isThrownBy(frames::receive);
			this.device.loop().putBackLastChunk(0, tag);
		}
		Awaitility.await()
			.atMost(KernelFixture.LIMIT)
			.untilAsserted(() -> assertThat(kernel.status().inFlight()).isZero());
	}

	@Test
	void aFrameWhoseElementsDoNotFillItsLengthIsCorruptAndTheNextOneIsReceived() {
		Kernel<Ticks, Quotes> kernel = activate(new CpuTestKernels().quoting(PATIENT));
		try (FrameStream frames = kernel.client().openFrames()) {
			frames.send(200);
			frames.send(100);
			this.device.loop().answer(0);
			this.device.loop().answer(1);
			this.device.loop().changeElementsInPayload(0, 201);
			assertThatExceptionOfType(CorruptMessageException.class).isThrownBy(frames::receive)
				.withMessageContaining("Quotes has 201 elements");
			assertThat(frames.receive().size()).isEqualTo(100);
		}
		assertThat(kernel.status().inFlight()).isZero();
	}

	private static final class PlayedDevice extends PlayedBackend {

		private @Nullable PlayedLoop<?, ?> loop;

		PlayedLoop<?, ?> loop() {
			PlayedLoop<?, ?> loaded = this.loop;
			if (loaded == null) {
				throw new IllegalStateException("No kernel was launched");
			}
			return loaded;
		}

		@Override
		public <I extends Record, O extends Record> DeviceLoop load(KernelSpec<I, O> kernel, KernelRegion region) {
			PlayedLoop<I, O> loaded = new PlayedLoop<>(kernel, region);
			this.loop = loaded;
			return loaded;
		}

	}

	/**
	 * A loop that does what it is told, on the thread that tells it.
	 */
	private static final class PlayedLoop<I extends Record, O extends Record> implements DeviceLoop {

		private final KernelSpec<I, O> kernel;

		private final RingLayout layout;

		private final DeviceRing ring;

		private final ByteBuffer memory;

		PlayedLoop(KernelSpec<I, O> kernel, KernelRegion region) {
			this.kernel = kernel;
			this.layout = region.ring();
			this.ring = new DeviceRing(region.memory().buffer(), region.ring(), 1);
			this.memory = region.memory().buffer().bytes();
		}

		void answer(long position) {
			try {
				O response = this.kernel.handler().handle(this.ring.request(position, 0, this.kernel.requests()));
				this.ring.answer(position, 0, response, this.kernel.responses());
			}
			catch (Exception ex) {
				throw new IllegalStateException(ex);
			}
		}

		/**
		 * Takes the tag off the last chunk of a response in its slot.
		 * @return the tag
		 */
		int takeBackLastChunk(long position) {
			int at = tagOfLastChunk(position);
			int tag = this.memory.getInt(at);
			this.memory.putInt(at, 0);
			return tag;
		}

		void putBackLastChunk(long position, int tag) {
			this.memory.putInt(tagOfLastChunk(position), tag);
		}

		private int tagOfLastChunk(long position) {
			LaneLayout lane = this.layout.responses();
			int slot = lane.slotOffset(this.layout.slot(position));
			return slot + lane.usedSlotBytes(this.memory.getInt(slot)) - Integer.BYTES;
		}

		void changeElementsInPayload(long position, int elements) {
			int payload = this.layout.responses().payloadOffset(this.layout.slot(position));
			this.memory.putInt(payload + Integer.BYTES, elements);
		}

		@Override
		public void start() {
		}

		@Override
		public void doorbell() {
		}

		@Override
		public void nudge() {
		}

		@Override
		public boolean stop(Duration timeout) {
			return true;
		}

		@Override
		public @Nullable Throwable failure() {
			return null;
		}

		@Override
		public int activeWorkers() {
			return 0;
		}

		@Override
		public void close() {
		}

	}

}
