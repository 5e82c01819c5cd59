package io.ringkernel.spring;

import java.time.Duration;

import io.ringkernel.backend.BackendProvider;
import io.ringkernel.backend.DeviceLoop;
import io.ringkernel.backend.KernelRegion;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.backend.PlanFailedException;
import io.ringkernel.backend.PlayedBackend;
import io.ringkernel.backend.PlayedProvider;
import io.ringkernel.control.ControlLayout;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A device that takes kernels, and then runs none.
 */
public final class RefusingDevice extends PlayedBackend {

	private volatile @Nullable KernelRegion region;

	/**
	 * The memory of the kernel that it was given last.
	 */
	private KernelRegion region() {
		KernelRegion loaded = this.region;
		assertThat(loaded).isNotNull();
		return loaded;
	}

	/**
	 * Tells of one request as a worker would that took 8 ticks of 16 cycles, at 1 GHz.
	 */
	public void tellOfARequest() {
		int line = ControlLayout.WORKER_LINES;
		region().memory().buffer().bytes().putLong(line + 32, 8).putInt(line + 40 + Integer.BYTES, 1);
	}

	/**
	 * Has it offered as the device of a machine.
	 */
	public BackendProvider provider() {
		return PlayedProvider.device(this);
	}

	@Override
	public <I extends Record, O extends Record> DeviceLoop load(KernelSpec<I, O> kernel, KernelRegion region) {
		this.region = region;
		return new RefusedLoop(kernel.id());
	}

	private record RefusedLoop(String kernelId) implements DeviceLoop {

		@Override
		public void start() {
			throw new PlanFailedException(this.kernelId, "the device refuses", null);
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
		public long clockHertz() {
			return 1_000_000_000;
		}

		@Override
		public void close() {
		}

	}

}
