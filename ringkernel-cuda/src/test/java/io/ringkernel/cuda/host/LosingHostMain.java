package io.ringkernel.cuda.host;

import java.util.concurrent.CompletableFuture;

import io.ringkernel.backend.Backend;
import io.ringkernel.backend.BackendProvider;
import io.ringkernel.backend.DeviceLoop;
import io.ringkernel.backend.DeviceLostException;
import io.ringkernel.backend.ForwardingBackend;
import io.ringkernel.backend.KernelRegion;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.cpu.CpuBackend;
import io.ringkernel.cuda.host.server.HostServer;
import io.ringkernel.cuda.host.wire.Plans;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionPlan;
import io.ringkernel.platform.PlanOffer;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.ring.order.ServingOrder;
import org.jspecify.annotations.Nullable;

/**
 * A kernel host that kernels named so do not let live when they are loaded.
 */
final class LosingHostMain {

	/** The kernel that the device does not survive. */
	static final String FATAL = "fatal";

	/** The kernel that ends the process while it is loaded. */
	static final String CRASHING = "crashing";

	/** The kernel whose load does not end. */
	static final String HANGING = "hanging";

	/** The kernel whose load ends the device once it has been at work. */
	static final String UNRETURNING = "unreturning";

	/** The exit status of a process that has called {@code abort}. */
	private static final int CRASHED = 134;

	private LosingHostMain() {
	}

	public static void main(String[] arguments) {
		HostServer.run(arguments, new Device(), DeviceHostMain.HANDLERS);
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
	 * Loads all kernels but these.
	 */
	private static final class LosingBackend extends ForwardingBackend {

		private volatile @Nullable DeviceLostException lost;

		LosingBackend(Backend delegate) {
			super(delegate);
		}

		@Override
		public <I extends Record, O extends Record> DeviceLoop load(KernelSpec<I, O> kernel, KernelRegion region) {
			if (kernel.id().equals(CRASHING)) {
				Runtime.getRuntime().halt(CRASHED);
			}
			if (kernel.id().equals(HANGING)) {
				new CompletableFuture<Void>().join();
			}
			boolean returns = kernel.id().equals(UNRETURNING) && ServingOrder.of(region.host()).head() > 0;
			if (kernel.id().equals(FATAL) || returns) {
				this.lost = new DeviceLostException(kernel.id(), "its load has ended the device", "Mend it.");
				throw this.lost;
			}
			return super.load(kernel, region);
		}

		@Override
		public @Nullable Throwable failure() {
			return this.lost;
		}

	}

}
