package io.ringkernel.cuda.transport;

import io.ringkernel.control.Command;
import io.ringkernel.control.ControlBlock;
import io.ringkernel.control.WorkerState;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What host and workers tell each other beside the ring.
 */
class ControlBridgeTests {

	private final BridgedRing ring = new BridgedRing(64, 0);

	private final ControlBlock host = new ControlBlock(this.ring.hostMemory(), BridgedRing.WORKERS);

	private final ControlBlock device = new ControlBlock(this.ring.device().memory(), BridgedRing.WORKERS);

	@Test
	void theDeviceIsToldWhatTheRegionIsAndWhatItIsCommanded() {
		this.host.identify(this.ring.layout(), 1, 2, 640);
		this.ring.bridge().identify();
		this.ring.device().await();
		assertThat(this.device.startPosition()).isEqualTo(640);
		assertThat(this.device.command()).isEqualTo(Command.STOP);
		this.host.command(Command.RUN);
		this.ring.bridge().commandToDevice();
		this.host.command(Command.STOP);
		this.ring.device().await();
		assertThat(this.device.command()).isEqualTo(Command.RUN);
		this.ring.bridge().commandToDevice();
		this.ring.device().await();
		assertThat(this.device.command()).isEqualTo(Command.STOP);
		this.ring.device().takeToDevice();
		this.ring.bridge().commandToDevice();
		assertThat(this.ring.device().takeToDevice()).isEmpty();
	}

	@Test
	void theHostSeesWhatTheWorkersTell() {
		this.device.workerState(1, WorkerState.POLLING);
		this.device.beat(0);
		this.device.processed(1);
		this.device.processed(0);
		this.device.failed(0);
		this.ring.bridge().fetchWorkers();
		this.ring.device().await();
		assertThat(this.host.heartbeat()).isZero();
		this.ring.bridge().deliverWorkers();
		assertThat(this.host.workerState(0)).isEqualTo(WorkerState.OUT);
		assertThat(this.host.workerState(1)).isEqualTo(WorkerState.POLLING);
		assertThat(this.host.heartbeat()).isOne();
		assertThat(this.host.processed()).isEqualTo(2);
		assertThat(this.host.failed()).isOne();
	}

}
