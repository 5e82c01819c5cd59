package io.ringkernel.cuda.load;

import io.ringkernel.cuda.driver.DevicePointer;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.cuda.image.KernelInfo;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.Transport;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SessionMemoryTests {

	private static final WorkerGrid GRID = new WorkerGrid(3, 2, WorkerThreads.stated(32), 0, false);

	private static final long BASE = 1 << 20;

	@Test
	void holdsTheStateOfWorkersAndBlocksThenTheHandlersThenMessages() {
		SessionMemory memory = layout(5000, 0);
		assertThat(memory.stateBytes()).isEqualTo(256);
		assertThat(memory.user()).isEqualTo(new DevicePointer(BASE + 256));
		assertThat(memory.staging()).isEqualTo(new DevicePointer(BASE + 256 + 8192));
		assertThat(memory.bytes()).isEqualTo(256 + 8192 + 512);
	}

	@Test
	void aHandlersStateIsAsLargeAsItsImageAsks() {
		assertThat(layout(5000, 0).statePages()).isEqualTo(2);
		assertThat(layout(5000, 4096).statePages()).isEqualTo(2);
	}

	@Test
	void aHandlersStateIsAsLargeAsConfiguredIfThatIsMore() {
		assertThat(layout(5000, 8193).statePages()).isEqualTo(3);
		assertThat(layout(1, 100L << 30).statePages()).isEqualTo(25 << 20);
	}

	@Test
	void aHandlerWithoutStateGetsNone() {
		SessionMemory memory = layout(0, 1 << 20);
		assertThat(memory.statePages()).isZero();
		assertThat(memory.user()).isEqualTo(new DevicePointer(0));
		assertThat(memory.bytes()).isEqualTo(256 + 512);
	}

	@Test
	void aLaunchStatesHowLargeTheHandlersStateIs() {
		assertThat(LaunchParameter
			.of(new DevicePointer(4096), layout(5000, 0), GRID,
					LaunchPolicy.of(ExecutionMode.PERSISTENT, Transport.MAPPED, LaunchPolicyTests.BESIDE,
							KernelOptions.DEFAULTS),
					null)
			.getInt(60)).isEqualTo(2);
	}

	private static SessionMemory layout(long userStateBytes, long stateMemory) {
		KernelInfo info = new KernelInfo(1, 0, 0, 0, 0, 0, 0, 16, 32, 100, 0, userStateBytes, 1024, 0);
		return SessionMemory.layout(info, GRID, stateMemory, null).at(new DevicePointer(BASE));
	}

}
