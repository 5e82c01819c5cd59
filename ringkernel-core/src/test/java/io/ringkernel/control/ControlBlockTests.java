package io.ringkernel.control;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

import io.ringkernel.message.buffer.MessageBuffer;
import io.ringkernel.ring.RingLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(10)
class ControlBlockTests {

	private static final int WORKERS = 3;

	private final MessageBuffer memory = MessageBuffer.allocate(ControlBlock.bytes(WORKERS));

	private final ByteBuffer bytes = this.memory.bytes();

	private final ControlBlock control = new ControlBlock(this.memory, WORKERS);

	@Test
	void takesWholePages() {
		assertThat(ControlBlock.bytes(1)).isEqualTo(4096);
		assertThat(ControlBlock.bytes(29)).isEqualTo(4096);
		assertThat(ControlBlock.bytes(30)).isEqualTo(8192);
		assertThat(ControlBlock.bytes(1024) % 4096).isZero();
	}

	@Test
	void workersTellWhatRequestsTookOnADeviceWhereTheDrawingSays() {
		int line = ControlLayout.workerLine(2);
		this.bytes.putLong(line + 32, 1_000).putInt(line + 40, 3).putInt(line + 124, -1);
		this.bytes.putLong(ControlLayout.WORKER_LINES + 32, 24).putInt(ControlLayout.WORKER_LINES + 40, 4);
		DeviceTicks ticks = this.control.deviceTicks();
		assertThat(ticks.total()).isEqualTo(1_024);
		assertThat(ticks.counts()).hasSize(22).startsWith(7L, 0L).endsWith(0L, 0xffff_ffffL);
		assertThat(DeviceTicks.end(0)).isEqualTo(8);
		assertThat(DeviceTicks.end(20)).isEqualTo(1 << 23);
	}

	@Test
	void workersTellInWhichLaunchTheyCameUpAndThatTheyHaveEnded() {
		assertThat(this.control.allHaveEnded()).as("before the first launch").isTrue();
		this.control.launched();
		assertThat(this.control.allHaveEnded()).isFalse();
		tell(WorkerState.POLLING, 1, 0, 1);
		assertThat(this.control.allCameUp()).as("one is missing").isFalse();
		tell(WorkerState.HANDLING, 1, 2);
		assertThat(this.control.allCameUp()).isTrue();
		tell(WorkerState.OUT, 1, 0, 1);
		assertThat(this.control.allHaveEnded()).as("one still runs").isFalse();
		tell(WorkerState.OUT, 1, 2);
		assertThat(this.control.allHaveEnded()).isTrue();
		this.control.launched();
		assertThat(this.control.allHaveEnded()).as("they ended in an earlier launch").isFalse();
		assertThat(this.control.allCameUp()).isFalse();
	}

	private void tell(WorkerState state, int launch, int... workers) {
		for (int worker : workers) {
			int line = ControlLayout.workerLine(worker);
			this.bytes.putInt(line, state.code()).putInt(line + ControlLayout.WORKER_LAUNCH, launch);
		}
	}

	@Test
	void identifiesTheRingWhereTheDrawingSays() {
		RingLayout ring = RingLayout.forSlots(4096, 8, 5000, 64);
		this.control.identify(ring, 0x1122334455667788L, 0x99aabbccddeeff00L, 16);
		byte[] magic = new byte[8];
		this.bytes.get(0, magic);
		assertThat(new String(magic, StandardCharsets.US_ASCII)).isEqualTo("RINGKRNL");
		assertThat(this.bytes.getInt(8)).isEqualTo(ControlBlock.ABI_VERSION);
		assertThat(this.bytes.getInt(12)).isEqualTo(8);
		assertThat(this.bytes.getInt(16)).isEqualTo(WORKERS);
		assertThat(this.bytes.getInt(20)).isEqualTo(ring.skippedLapsOffset());
		assertThat(this.bytes.getInt(24)).isEqualTo(ring.requests().slotsOffset());
		assertThat(this.bytes.getInt(28)).isEqualTo(ring.requests().slotStride());
		assertThat(this.bytes.getInt(32)).isEqualTo(ring.requests().inlineBytes());
		assertThat(this.bytes.getInt(36)).isEqualTo(ring.requests().payloadsOffset());
		assertThat(this.bytes.getInt(40)).isEqualTo(ring.requests().payloadStride());
		assertThat(this.bytes.getInt(44)).isEqualTo(ring.requests().maxBytes());
		assertThat(this.bytes.getInt(48)).isEqualTo(ring.responses().slotsOffset());
		assertThat(this.bytes.getInt(52)).isEqualTo(ring.responses().slotStride());
		assertThat(this.bytes.getInt(56)).isEqualTo(ring.responses().inlineBytes());
		assertThat(this.bytes.getInt(60)).isEqualTo(ring.responses().payloadsOffset());
		assertThat(this.bytes.getInt(64)).isEqualTo(ring.responses().payloadStride());
		assertThat(this.bytes.getInt(68)).isEqualTo(ring.responses().maxBytes());
		assertThat(this.bytes.getLong(72)).isEqualTo(0x1122334455667788L);
		assertThat(this.bytes.getLong(80)).isEqualTo(0x99aabbccddeeff00L);
		assertThat(this.bytes.getLong(88)).isEqualTo(16);
		assertThat(this.control.startPosition()).isEqualTo(16);
	}

	@Test
	void theHostLineHoldsTheCommand() {
		assertThat(this.control.command()).isEqualTo(Command.STOP);
		this.control.command(Command.RUN);
		assertThat(this.bytes.getInt(128)).isEqualTo(1);
		assertThat(this.control.command()).isEqualTo(Command.RUN);
		this.control.command(Command.STOP);
		assertThat(this.bytes.getInt(128)).isZero();
	}

	@Test
	void anUnknownCommandStops() {
		this.bytes.putInt(128, 77);
		assertThat(this.control.command()).isEqualTo(Command.STOP);
	}

	@Test
	void theDeviceLineCountsLaunches() {
		this.control.launched();
		this.control.launched();
		assertThat(this.bytes.getLong(256)).isEqualTo(2);
		assertThat(this.control.launches()).isEqualTo(2);
	}

	@Test
	void eachWorkerHasALineOfItsOwn() {
		this.control.workerState(2, WorkerState.HANDLING);
		this.control.beat(2);
		this.control.processed(2);
		this.control.processed(2);
		this.control.failed(2);
		int line = 384 + 2 * 128;
		assertThat(this.bytes.getInt(line)).isEqualTo(2);
		assertThat(this.bytes.getLong(line + 8)).isEqualTo(1);
		assertThat(this.bytes.getLong(line + 16)).isEqualTo(2);
		assertThat(this.bytes.getLong(line + 24)).isEqualTo(1);
		assertThat(this.control.workerState(2)).isEqualTo(WorkerState.HANDLING);
		assertThat(this.control.workerState(0)).isEqualTo(WorkerState.OUT);
	}

	@Test
	void countsAreThoseOfAllWorkersTogether() {
		for (int worker = 0; worker < WORKERS; worker++) {
			this.control.beat(worker);
			this.control.processed(worker);
			this.control.failed(worker);
		}
		this.control.processed(1);
		assertThat(this.control.heartbeat()).isEqualTo(3);
		assertThat(this.control.processed()).isEqualTo(4);
		assertThat(this.control.failed()).isEqualTo(3);
	}

	@Test
	void countsDoNotGoBackWithALoopThatHasFewerWorkers() {
		this.control.processed(2);
		this.control.failed(2);
		this.bytes.putLong(ControlLayout.workerLine(2) + 32, 1_000).putInt(ControlLayout.workerLine(2) + 40, 1);
		ControlBlock next = this.control.handOver();
		next.serveBy(1);
		assertThat(next.processed()).isEqualTo(1);
		assertThat(next.failed()).isEqualTo(1);
		assertThat(next.deviceTicks().total()).isEqualTo(1_000);
		assertThat(next.deviceTicks().counts()).startsWith(1L);
	}

	@Test
	void aStateThatIsNotKnownIsOut() {
		this.bytes.putInt(384, 1234);
		assertThat(this.control.workerState(0)).isEqualTo(WorkerState.OUT);
	}

	@Test
	void aViewThatWasHandedOverWritesNothing() {
		ControlBlock next = this.control.handOver();
		next.command(Command.RUN);
		next.processed(1);
		this.control.command(Command.STOP);
		this.control.unlessHandedOver(() -> this.bytes.putLong(ControlLayout.workerLine(1) + 16, 0));
		assertThat(next.command()).isEqualTo(Command.RUN);
		assertThat(next.processed()).isEqualTo(1);
		next.unlessHandedOver(() -> this.bytes.putLong(ControlLayout.workerLine(1) + 16, 7));
		assertThat(next.processed()).isEqualTo(7);
	}

	@Test
	void whatALoopWasToldThatWasEndedByForceIsNotToldToTheNext() {
		this.control.command(Command.RUN);
		assertThat(this.control.handOver().command()).isEqualTo(Command.STOP);
	}

	@Test
	void aViewIsRetiredWithoutTouchingWhatTheNextLoopIsTold() {
		ControlBlock otherProcess = new ControlBlock(this.memory, WORKERS);
		otherProcess.command(Command.RUN);
		this.control.retire();
		assertThat(this.control.command()).isEqualTo(Command.STOP);
		assertThat(otherProcess.command()).isEqualTo(Command.RUN);
	}

}
