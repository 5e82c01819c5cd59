package io.ringkernel.test.fault;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

import io.ringkernel.RingKernelHandler;
import io.ringkernel.backend.Backend;
import io.ringkernel.backend.DeviceLoop;
import io.ringkernel.backend.KernelRegion;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.backend.RingMemory;
import io.ringkernel.cpu.CpuBackend;
import io.ringkernel.platform.ExecutionMode;

/** The CPU backend, with faults before its handlers and around its loops. */
final class FaultInjectingBackend implements Backend {

	private final CpuBackend cpu;

	private final Function<String, KernelFaults> faultsOf;

	FaultInjectingBackend(ExecutionMode mode, Function<String, KernelFaults> faultsOf) {
		this.cpu = new CpuBackend(mode);
		this.faultsOf = faultsOf;
	}

	@Override
	public RingMemory allocate(KernelSpec<?, ?> kernel, int bytes) {
		return this.cpu.allocate(kernel, bytes);
	}

	@Override
	public <I extends Record, O extends Record> DeviceLoop load(KernelSpec<I, O> kernel, KernelRegion region) {
		KernelFaults faults = this.faultsOf.apply(kernel.id());
		FaultyLoop.requireDevice(kernel.id(), faults);
		AtomicBoolean forced = new AtomicBoolean();
		RingKernelHandler<I, O> handler = (request) -> faults.handle(() -> kernel.handler().handle(request),
				forced::get);
		KernelSpec<I, O> faulty = new KernelSpec<>(kernel.id(), kernel.requests(), kernel.responses(), handler,
				kernel.image(), kernel.options(), kernel.context(), kernel.replay());
		return new FaultyLoop(kernel.id(), this.cpu.load(faulty, region), faults, forced);
	}

	@Override
	public void close() {
		this.cpu.close();
	}

}
