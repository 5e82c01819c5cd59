package io.ringkernel.runtime;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import io.ringkernel.backend.Backend;
import io.ringkernel.backend.BackendProvider;
import io.ringkernel.backend.DeviceLoop;
import io.ringkernel.backend.ForwardingBackend;
import io.ringkernel.backend.ForwardingLoop;
import io.ringkernel.backend.KernelRegion;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.backend.RingMemory;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.message.buffer.MessageBuffer;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionPlan;
import io.ringkernel.platform.PlanOffer;
import io.ringkernel.platform.PlanRequest;
import org.jspecify.annotations.Nullable;

/**
 * The CPU backend with failures on demand, and a count of the memory it has given.
 */
public final class FaultyProvider implements BackendProvider {

	private final BackendProvider cpu = new CpuBackendProvider();

	final AtomicInteger openMemories = new AtomicInteger();

	/** How often a loop was asked to stop. */
	final AtomicInteger stops = new AtomicInteger();

	/** Whether handlers can be interrupted, which those of a device cannot. */
	volatile boolean interruptible = true;

	volatile @Nullable MessageBuffer latestMemory;

	volatile @Nullable RuntimeException loadFailure;

	volatile @Nullable RuntimeException startFailure;

	volatile @Nullable Throwable failure;

	private volatile Supplier<@Nullable Throwable> deviceFailure = () -> null;

	private boolean recoverable;

	/**
	 * Has the backend say that it can be got back.
	 */
	public FaultyProvider withRecovery() {
		this.recoverable = true;
		return this;
	}

	/**
	 * Has the backend say why nothing can run on it any more.
	 */
	public FaultyProvider withDeviceFailure(Supplier<@Nullable Throwable> failing) {
		this.deviceFailure = failing;
		return this;
	}

	@Override
	public BackendKind kind() {
		return BackendKind.CPU;
	}

	@Override
	public PlanOffer plan(PlanRequest request) {
		return this.cpu.plan(request);
	}

	@Override
	public Backend open(ExecutionPlan plan) {
		Backend backend = this.cpu.open(plan);
		return new ForwardingBackend(backend) {

			@Override
			public RingMemory allocate(KernelSpec<?, ?> kernel, int bytes) {
				RingMemory memory = super.allocate(kernel, bytes);
				FaultyProvider.this.openMemories.incrementAndGet();
				FaultyProvider.this.latestMemory = memory.buffer();
				return new RingMemory() {

					@Override
					public MessageBuffer buffer() {
						return memory.buffer();
					}

					@Override
					public void close() {
						FaultyProvider.this.openMemories.decrementAndGet();
						memory.close();
					}

				};
			}

			@Override
			public <I extends Record, O extends Record> DeviceLoop load(KernelSpec<I, O> kernel, KernelRegion region) {
				RuntimeException refusal = FaultyProvider.this.loadFailure;
				if (refusal != null) {
					throw refusal;
				}
				return new FaultyLoop(FaultyProvider.this, super.load(kernel, region));
			}

			@Override
			public @Nullable Throwable failure() {
				return FaultyProvider.this.deviceFailure.get();
			}

			@Override
			public boolean isRecoverable() {
				return FaultyProvider.this.recoverable;
			}

		};
	}

	private static final class FaultyLoop extends ForwardingLoop {

		private final FaultyProvider provider;

		FaultyLoop(FaultyProvider provider, DeviceLoop loop) {
			super(loop);
			this.provider = provider;
		}

		@Override
		public void start() {
			RuntimeException refusal = this.provider.startFailure;
			if (refusal != null) {
				throw refusal;
			}
			super.start();
		}

		@Override
		public void doorbell() {
			if (this.provider.failure == null) {
				super.doorbell();
			}
		}

		@Override
		public void nudge() {
			if (this.provider.failure == null) {
				super.nudge();
			}
		}

		@Override
		public boolean stop(Duration timeout) throws InterruptedException {
			this.provider.stops.incrementAndGet();
			return super.stop(timeout);
		}

		@Override
		public boolean isInterruptible() {
			return this.provider.interruptible;
		}

		@Override
		public @Nullable Throwable failure() {
			return this.provider.failure;
		}

	}

}
