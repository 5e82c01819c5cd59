package io.ringkernel.runtime;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

import io.ringkernel.RingKernelHandler;
import io.ringkernel.backend.Backend;
import io.ringkernel.backend.BackendProvider;
import io.ringkernel.backend.DeviceLoop;
import io.ringkernel.backend.DeviceLostException;
import io.ringkernel.backend.ForwardingLoop;
import io.ringkernel.backend.KernelRegion;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.backend.PlayedBackend;
import io.ringkernel.cpu.CpuBackend;
import io.ringkernel.exception.InvalidConfigurationException;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.ExecutionPlan;
import io.ringkernel.platform.PlanOffer;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.platform.Transport;
import io.ringkernel.state.HandlerState;
import io.ringkernel.state.KernelMemory;
import org.jspecify.annotations.Nullable;

/**
 * Java threads that pass for some devices. Each loop has a state of its own, as in the
 * memory of a device, and ends when its device is lost.
 */
final class PlayedDevices implements BackendProvider {

	private static final Duration LIMIT = Duration.ofSeconds(10);

	private final int count;

	private final Supplier<? extends RingKernelHandler<?, ?>> handlers;

	private final Set<Integer> lost = ConcurrentHashMap.newKeySet();

	private final List<PlayedLoop> loops = new CopyOnWriteArrayList<>();

	/**
	 * Creates the devices.
	 * @param count how many
	 * @param handlers makes what stands for a kernel and its state on a device
	 */
	PlayedDevices(int count, Supplier<? extends RingKernelHandler<?, ?>> handlers) {
		this.count = count;
		this.handlers = handlers;
	}

	/**
	 * Ends what runs on a device, after the requests that it has begun.
	 */
	void lose(int device) {
		this.lost.add(device);
		this.loops.stream().filter((loop) -> loop.device == device).forEach(PlayedLoop::end);
	}

	void giveBack(int device) {
		this.lost.remove(device);
	}

	private DeviceLostException loss(KernelSpec<?, ?> kernel, int device) {
		return new DeviceLostException(kernel.id(), "device %d is gone".formatted(device), "It returns.");
	}

	@Override
	public BackendKind kind() {
		return BackendKind.CUDA;
	}

	@Override
	public PlanOffer plan(PlanRequest request) {
		if (request.device() >= this.count) {
			throw new InvalidConfigurationException("device", request.device(), "is no device", "Name another one.");
		}
		return new PlanOffer.Accepted(new ExecutionPlan(BackendKind.CUDA, ExecutionMode.PERSISTENT, Transport.MAPPED,
				request.device(), false, List.of("it is played"), Map.of()));
	}

	@Override
	public boolean compilesHandlers() {
		return true;
	}

	@Override
	public Backend open(ExecutionPlan plan) {
		int device = plan.device();
		return new PlayedBackend() {

			private final Backend threads = new CpuBackend(ExecutionMode.PERSISTENT);

			@Override
			public <I extends Record, O extends Record> DeviceLoop load(KernelSpec<I, O> kernel, KernelRegion region) {
				if (PlayedDevices.this.lost.contains(device)) {
					throw loss(kernel, device);
				}
				@SuppressWarnings("unchecked")
				RingKernelHandler<I, O> handler = (RingKernelHandler<I, O>) PlayedDevices.this.handlers.get();
				DeviceLoop loop = this.threads.load(new KernelSpec<>(kernel.id(), kernel.requests(), kernel.responses(),
						handler, null, kernel.options()), region);
				PlayedLoop played = new PlayedLoop(loop, device, new HandlerState(kernel.id(), handler),
						loss(kernel, device));
				PlayedDevices.this.loops.add(played);
				return played;
			}

			@Override
			public boolean isRecoverable() {
				return true;
			}

			@Override
			public boolean recover(String kernelId) {
				return !PlayedDevices.this.lost.contains(device);
			}

		};
	}

	private static final class PlayedLoop extends ForwardingLoop {

		private final int device;

		private final KernelMemory state;

		private final DeviceLostException loss;

		private volatile boolean ended;

		PlayedLoop(DeviceLoop threads, int device, KernelMemory state, DeviceLostException loss) {
			super(threads);
			this.device = device;
			this.state = state;
			this.loss = loss;
		}

		private void end() {
			try {
				if (!stop(LIMIT)) {
					throw new IllegalStateException("The loop does not stop");
				}
				this.ended = true;
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}

		@Override
		public void doorbell() {
			if (!this.ended) {
				super.doorbell();
			}
		}

		@Override
		public void nudge() {
			if (!this.ended) {
				super.nudge();
			}
		}

		@Override
		public KernelMemory memory(KernelSpec<?, ?> kernel) {
			return this.state;
		}

		@Override
		public @Nullable Throwable failure() {
			return this.ended ? this.loss : super.failure();
		}

	}

}
