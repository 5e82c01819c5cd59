package io.ringkernel.cuda.host;

import io.ringkernel.backend.Backend;
import io.ringkernel.backend.BackendProvider;
import io.ringkernel.backend.DeviceLoop;
import io.ringkernel.backend.DeviceLostException;
import io.ringkernel.backend.KernelRegion;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.backend.RingMemory;
import io.ringkernel.cpu.CpuBackend;
import io.ringkernel.cuda.host.DeviceHostMain.Number;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionPlan;
import io.ringkernel.platform.PlanOffer;
import io.ringkernel.platform.PlanRequest;
import org.jspecify.annotations.Nullable;

/**
 * A kernel host whose device is lost when the kernel is loaded that is named so.
 */
final class LosingHostMain {

	/** The kernel that the device does not survive. */
	static final String FATAL = "fatal";

	private LosingHostMain() {
	}

	public static void main(String[] arguments) {
		HostServer.run(arguments, new Device(), (id) -> (request) -> DeviceHostMain.twice((Number) request));
	}

	/**
	 * Plans as the other one does.
	 */
	private static final class Device implements BackendProvider {

		@Override
		public BackendKind kind() {
			return BackendKind.CUDA;
		}

		@Override
		public PlanOffer plan(PlanRequest request) {
			return new DeviceHostMain.Device().plan(request);
		}

		@Override
		public Backend open(ExecutionPlan plan) {
			return new LosingBackend(new CpuBackend(plan.mode()));
		}

	}

	/**
	 * Loads all kernels but one.
	 */
	private static final class LosingBackend implements Backend {

		private final Backend delegate;

		private volatile @Nullable DeviceLostException lost;

		LosingBackend(Backend delegate) {
			this.delegate = delegate;
		}

		@Override
		public RingMemory allocate(KernelSpec<?, ?> kernel, int bytes) {
			return this.delegate.allocate(kernel, bytes);
		}

		@Override
		public <I extends Record, O extends Record> DeviceLoop load(KernelSpec<I, O> kernel, KernelRegion region) {
			if (kernel.id().equals(FATAL)) {
				this.lost = new DeviceLostException(kernel.id(), "its load has ended the device", "Mend it.");
				throw this.lost;
			}
			return this.delegate.load(kernel, region);
		}

		@Override
		public @Nullable Throwable failure() {
			return this.lost;
		}

		@Override
		public void close() {
			this.delegate.close();
		}

	}

}
