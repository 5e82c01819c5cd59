package io.ringkernel.test.ptx;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import io.ringkernel.Parallel;
import io.ringkernel.RingKernelHandler;
import io.ringkernel.backend.BackendProvider;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The fields of a handler are saved alike on the CPU and on a device, and restored on
 * either.
 */
class HandlerSnapshotTests {

	private static final KernelOptions OPTIONS = KernelOptions.builder()
		.workers(2)
		.requestTimeout(Duration.ofSeconds(30))
		.build();

	private final PtxMachine machine = new PtxMachine();

	@TempDir
	private Path directory;

	private Path file;

	private RingKernelRuntime device;

	private RingKernelRuntime cpu;

	private Kernel<Trade, Position> onDevice;

	private Kernel<Trade, Position> onCpu;

	@BeforeEach
	void open() {
		this.file = this.directory.resolve("desk.snapshot");
		this.device = RingKernelRuntime.open(new PlanRequest(BackendKind.CUDA, null, null),
				List.of(provider(this.machine)));
		this.cpu = RingKernelRuntime.open(new PlanRequest(BackendKind.CPU, null, null),
				List.of(new CpuBackendProvider()));
		this.onDevice = start(this.device);
		this.onCpu = start(this.cpu);
	}

	/** What runs the kernel on the device. */
	BackendProvider provider(PtxMachine machine) {
		return machine.provider();
	}

	/** What the kernel does. */
	RingKernelHandler<Trade, Position> desk() {
		return new Desk();
	}

	private Kernel<Trade, Position> start(RingKernelRuntime runtime) {
		Kernel<Trade, Position> kernel = runtime
			.define(KernelSpec.of("desk", Trade.class, Position.class, desk(), OPTIONS));
		kernel.launch();
		kernel.activate();
		return kernel;
	}

	@AfterEach
	void close() {
		this.device.close();
		this.cpu.close();
		this.machine.close();
		assertThat(this.machine.faults()).isEmpty();
	}

	@Test
	void aRelaunchedKernelGoesOnWithItsState() {
		trade(this.onDevice, 5);
		this.onDevice.snapshot(this.file);
		this.onDevice.relaunch();
		this.onDevice.restore(this.file);
		assertThat(trade(this.onDevice, -2)).isEqualTo(new Position(103, 2, -2, 1.25f));
	}

	@Test
	void theCpuGoesOnWithTheStateOfADevice() {
		trade(this.onDevice, 5);
		this.onDevice.snapshot(this.file);
		this.onCpu.restore(this.file);
		assertThat(trade(this.onCpu, -2)).isEqualTo(new Position(103, 2, -2, 1.25f));
	}

	@Test
	void aDeviceGoesOnWithTheStateOfTheCpu() {
		trade(this.onCpu, 5);
		this.onCpu.snapshot(this.file);
		this.onDevice.restore(this.file);
		assertThat(trade(this.onDevice, -2)).isEqualTo(new Position(103, 2, -2, 1.25f));
	}

	@Test
	void bothWriteTheSameBytes() throws IOException {
		Path other = this.directory.resolve("cpu.snapshot");
		trade(this.onDevice, 5);
		trade(this.onCpu, 5);
		this.onDevice.snapshot(this.file);
		this.onCpu.snapshot(other);
		assertThat(this.file).hasBinaryContent(Files.readAllBytes(other));
	}

	private static Position trade(Kernel<Trade, Position> kernel, long amount) {
		return kernel.client().call(new Trade(amount));
	}

	record Trade(long amount) {
	}

	record Position(long amount, int trades, long least, float rate) {
	}

	record Last(long least, float rate) {
	}

	static final class Desk implements RingKernelHandler<Trade, Position> {

		private final long[] amounts = { 0, 100 };

		private final double[] neverRead = { 1.5 };

		private Last last = new Last(0, 0.25f);

		private int trades;

		@Override
		public Position handle(Trade trade) {
			long before = Parallel.atomicAdd(this.amounts, 1, trade.amount());
			this.trades++;
			this.last = new Last(Math.min(this.last.least(), trade.amount()), this.last.rate() + 0.5f);
			return new Position(before + trade.amount(), this.trades, this.last.least(), this.last.rate());
		}

	}

}
