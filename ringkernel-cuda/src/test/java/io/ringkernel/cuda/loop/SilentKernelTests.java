package io.ringkernel.cuda.loop;

import java.nio.ByteOrder;
import java.time.Duration;

import io.ringkernel.backend.KernelRegion;
import io.ringkernel.backend.RingMemory;
import io.ringkernel.control.ControlBlock;
import io.ringkernel.control.ControlLayout;
import io.ringkernel.message.MessageLayout;
import io.ringkernel.message.buffer.MessageBuffer;
import io.ringkernel.ring.Draft;
import io.ringkernel.ring.HostRing;
import io.ringkernel.ring.RingLayout;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SilentKernelTests {

	private static final int WORKERS = 2;

	/** The state of a worker that looks for requests. */
	private static final int WORKING = 1;

	private static final Duration PATIENCE = Duration.ofSeconds(3);

	/** Somebody looks as often. */
	private static final long STEP = PATIENCE.toNanos() / 10;

	private static final MessageLayout<Number> NUMBERS = MessageLayout.of(Number.class);

	private final KernelRegion region = region();

	private final SilentKernel silence = new SilentKernel(this.region, PATIENCE);

	private long now = 1;

	record Number(long value) {
	}

	@Test
	void aKernelWhoseWorkersHaveComeUpIsNotSilentHoweverLongItsHandlersTake() {
		this.silence.begin();
		this.region.control().launched();
		for (int worker = 0; worker < WORKERS; worker++) {
			comeUp(worker);
		}
		fill();
		assertThat(isSilentWithin(PATIENCE.multipliedBy(100))).isFalse();
	}

	@Test
	void overABridgeASaturatedKernelIsNotSilentOnceAllItsWorkersHaveBeaten() {
		this.silence.begin();
		fill();
		for (int worker = 0; worker < WORKERS; worker++) {
			this.region.control().beat(worker);
		}
		assertThat(isSilentWithin(PATIENCE.multipliedBy(100))).isFalse();
	}

	@Test
	void aKernelOfWhichOneWorkerGivesNoSignIsSilentWhileRequestsWait() {
		this.silence.begin();
		this.region.control().launched();
		comeUp(0);
		assertThat(isSilentWithin(PATIENCE.multipliedBy(100))).isFalse();
		fill();
		assertThat(isSilentWithin(PATIENCE)).isFalse();
		assertThat(isSilentWithin(PATIENCE.multipliedBy(2))).isTrue();
	}

	private boolean isSilentWithin(Duration duration) {
		boolean silent = false;
		for (long end = this.now + duration.toNanos(); !silent && this.now < end; this.now += STEP) {
			silent = this.silence.lasts(this.now);
		}
		return silent;
	}

	/**
	 * Has a worker tell of itself as on a device: the number of the launch and its state
	 * in one word.
	 */
	private void comeUp(int worker) {
		this.region.memory()
			.buffer()
			.bytes()
			.order(ByteOrder.LITTLE_ENDIAN)
			.putLong(ControlLayout.workerLine(worker), this.region.control().launches() << 32 | WORKING);
	}

	/** So that a request always waits. */
	private void fill() {
		HostRing ring = this.region.host();
		for (long position = ring.claims().tryClaim(); position >= 0; position = ring.claims().tryClaim()) {
			Draft draft = ring.requests().encode(new Number(position), NUMBERS, null);
			ring.requests().publish(position, draft);
			draft.giveBack();
		}
	}

	private static KernelRegion region() {
		RingLayout layout = RingLayout.forSlots(ControlBlock.bytes(WORKERS), 4, NUMBERS.maxSize(), NUMBERS.maxSize());
		MessageBuffer buffer = MessageBuffer.allocate(layout.endOffset());
		ControlBlock control = new ControlBlock(buffer, WORKERS);
		control.identify(layout, NUMBERS.fingerprint(), NUMBERS.fingerprint(), 0);
		return new KernelRegion(new HostMemory(buffer), control, layout);
	}

	/**
	 * Memory that no device reaches.
	 */
	private record HostMemory(MessageBuffer buffer) implements RingMemory {

		@Override
		public void close() {
		}

	}

}
