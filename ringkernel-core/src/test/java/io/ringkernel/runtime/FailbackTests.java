package io.ringkernel.runtime;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.ringkernel.RingKernelHandler;
import io.ringkernel.backend.Backend;
import io.ringkernel.backend.BackendProvider;
import io.ringkernel.backend.DeviceLoop;
import io.ringkernel.backend.DeviceLostException;
import io.ringkernel.backend.ForwardingBackend;
import io.ringkernel.backend.ForwardingLoop;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelRegion;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.backend.RingMemory;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.exception.KernelLaunchException;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionPlan;
import io.ringkernel.platform.PlanOffer;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.state.KernelMemory;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A kernel whose device is lost while it does not serve is served by the CPU, and returns
 * to the device once that is there again. One that is launched is tried again there.
 */
@Timeout(60)
class FailbackTests {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private final LosableDevice device = new LosableDevice();

	private final RingKernelRuntime runtime = RingKernelRuntime.open(PlanRequest.AUTO,
			List.of(this.device, new CpuBackendProvider()));

	private final Kernel<Number, Number> kernel = this.runtime.define(KernelSpec.of("sum", Number.class, Number.class,
			new Sum(), KernelOptions.builder().workers(1).requestTimeout(LIMIT).build()));

	@TempDir
	private Path directory;

	record Number(long value) {
	}

	@BeforeEach
	void activate() {
		this.kernel.launch();
		this.kernel.activate();
		assertThat(this.kernel.plan().backend()).isEqualTo(BackendKind.CUDA);
	}

	@AfterEach
	void close() {
		this.runtime.close();
	}

	@Test
	void fromAnInactiveKernel() {
		this.kernel.deactivate();
		this.device.lost = true;
		this.kernel.activate();
		assertItReturns();
	}

	@Test
	void fromOneAtRest() {
		this.device.isLostByReading = true;
		this.kernel.snapshot(this.directory.resolve("file"));
		assertItReturns();
	}

	@Test
	void aLaunchIsTriedAgain() {
		this.kernel.terminate();
		this.device.isLostByLoading = true;
		this.kernel.relaunch();
		assertThat(this.kernel.plan().backend()).isEqualTo(BackendKind.CUDA);
		assertThat(this.device.losses).isOne();
	}

	/**
	 * A thread of its own is kept while the device takes its time.
	 */
	@Test
	void theStandInServesWhileTheDeviceLoadsTheCode() throws Exception {
		loseAtRest();
		this.device.prepared = new CountDownLatch(1);
		this.device.lost = false;
		Awaitility.await().atMost(LIMIT).until(() -> this.device.isPreparing);
		assertThat(this.kernel.client().call(new Number(3)).value()).isEqualTo(3);
		assertThat(this.kernel.plan().backend()).isEqualTo(BackendKind.CPU);
		this.device.prepared.countDown();
		assertItIsBack();
	}

	@Test
	void theStandInIsLeftAloneByADeviceThatCannotLoadTheCode() throws Exception {
		loseAtRest();
		this.device.refusals.set(3);
		this.device.lost = false;
		assertThat(this.kernel.client().call(new Number(3)).value()).isEqualTo(3);
		assertItIsBack();
		assertThat(this.device.refusals).hasValue(0);
		assertThat(this.device.loads).hasValue(2);
	}

	@Test
	void aDeviceThatNeverReachesTheMemoryIsNotTriedAgain() throws Exception {
		loseAtRest();
		this.device.isOutOfReach = true;
		this.device.lost = false;
		Awaitility.await().atMost(LIMIT).until(() -> this.device.isPreparing);
		Awaitility.await()
			.atMost(LIMIT)
			.until(() -> Thread.getAllStackTraces()
				.keySet()
				.stream()
				.noneMatch((thread) -> thread.getName().equals("ringkernel-sum-failback")));
		assertThat(this.kernel.client().call(new Number(3)).value()).isEqualTo(3);
		assertThat(this.kernel.plan().backend()).isEqualTo(BackendKind.CPU);
	}

	private void loseAtRest() {
		this.kernel.deactivate();
		this.device.lost = true;
		this.kernel.activate();
		assertThat(this.kernel.plan().backend()).isEqualTo(BackendKind.CPU);
	}

	private void assertItIsBack() {
		Awaitility.await().atMost(LIMIT).until(() -> this.kernel.plan().backend() == BackendKind.CUDA);
		assertThat(this.kernel.client().call(new Number(4)).value()).isEqualTo(7);
	}

	private void assertItReturns() {
		assertThat(this.kernel.plan().backend()).isEqualTo(BackendKind.CPU);
		assertThat(this.kernel.client().call(new Number(3)).value()).isEqualTo(3);
		this.device.lost = false;
		assertItIsBack();
	}

	static final class Sum implements RingKernelHandler<Number, Number> {

		private long sum;

		@Override
		public Number handle(Number request) {
			this.sum += request.value();
			return new Number(this.sum);
		}

	}

	/** Java threads that pass for a device, which another process can get back. */
	private static final class LosableDevice implements BackendProvider {

		private final BackendProvider threads = new CpuBackendProvider();

		private volatile boolean lost;

		private volatile boolean isLostByReading;

		private volatile boolean isLostByLoading;

		private volatile int losses;

		private final AtomicInteger loads = new AtomicInteger();

		private final AtomicInteger refusals = new AtomicInteger();

		private volatile CountDownLatch prepared = new CountDownLatch(0);

		private volatile boolean isPreparing;

		private volatile boolean isOutOfReach;

		private void prepare(String kernelId) {
			this.isPreparing = true;
			if (this.isOutOfReach) {
				throw new UnsupportedOperationException("its ring is out of reach");
			}
			if (this.refusals.get() > 0) {
				this.refusals.decrementAndGet();
				throw new KernelLaunchException(kernelId, "there is no room. Wait.", null);
			}
			try {
				if (!this.prepared.await(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
					throw new IllegalStateException("Nobody lets it be prepared");
				}
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}

		private DeviceLostException loss() {
			this.losses++;
			return new DeviceLostException("sum", "it is gone", "It returns.");
		}

		@Override
		public BackendKind kind() {
			return BackendKind.CUDA;
		}

		@Override
		public PlanOffer plan(PlanRequest request) {
			ExecutionPlan plan = ((PlanOffer.Accepted) this.threads.plan(request)).plan();
			return new PlanOffer.Accepted(of(BackendKind.CUDA, plan));
		}

		private static ExecutionPlan of(BackendKind kind, ExecutionPlan plan) {
			return new ExecutionPlan(kind, plan.mode(), plan.transport(), plan.device(), plan.answersPerLaunch(),
					plan.reasons(), plan.platform());
		}

		@Override
		public boolean compilesHandlers() {
			return true;
		}

		@Override
		public Backend open(ExecutionPlan plan) {
			Backend backend = this.threads.open(of(BackendKind.CPU, plan));
			return new ForwardingBackend(backend) {

				@Override
				public <I extends Record, O extends Record> DeviceLoop load(KernelSpec<I, O> kernel,
						KernelRegion region) {
					if (LosableDevice.this.isLostByLoading) {
						LosableDevice.this.isLostByLoading = false;
						throw LosableDevice.this.loss();
					}
					LosableDevice.this.loads.incrementAndGet();
					return new LosableLoop(LosableDevice.this, super.load(kernel, region));
				}

				@Override
				public void prepare(KernelSpec<?, ?> kernel, RingMemory memory) {
					LosableDevice.this.prepare(kernel.id());
				}

				@Override
				public boolean isRecoverable() {
					return true;
				}

				@Override
				public boolean recover(String kernelId) {
					return !LosableDevice.this.lost;
				}

			};
		}

	}

	private static final class LosableLoop extends ForwardingLoop {

		private final LosableDevice device;

		LosableLoop(LosableDevice device, DeviceLoop loop) {
			super(loop);
			this.device = device;
		}

		@Override
		public void start() {
			if (this.device.lost) {
				throw this.device.loss();
			}
			super.start();
		}

		@Override
		public KernelMemory memory(KernelSpec<?, ?> kernel) {
			this.device.lost |= this.device.isLostByReading;
			return super.memory(kernel);
		}

	}

}
