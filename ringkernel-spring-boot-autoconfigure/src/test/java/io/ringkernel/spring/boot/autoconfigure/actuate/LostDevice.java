package io.ringkernel.spring.boot.autoconfigure.actuate;

import io.ringkernel.backend.Backend;
import io.ringkernel.backend.BackendProvider;
import io.ringkernel.backend.DeviceLoop;
import io.ringkernel.backend.KernelRegion;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.backend.RingMemory;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionPlan;
import io.ringkernel.platform.PlanOffer;
import io.ringkernel.platform.PlanRequest;

/**
 * The CPU backend, which says that its device is lost.
 */
class LostDevice implements BackendProvider {

	private final BackendProvider cpu = new CpuBackendProvider();

	Throwable failure() {
		return new IllegalStateException("it fell off the bus.");
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
		return new Backend() {

			@Override
			public RingMemory allocate(KernelSpec<?, ?> kernel, int bytes) {
				return backend.allocate(kernel, bytes);
			}

			@Override
			public <I extends Record, O extends Record> DeviceLoop load(KernelSpec<I, O> kernel, KernelRegion region) {
				return backend.load(kernel, region);
			}

			@Override
			public Throwable failure() {
				return LostDevice.this.failure();
			}

			@Override
			public void close() {
				backend.close();
			}

		};
	}

}
