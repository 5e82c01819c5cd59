package io.ringkernel.conformance;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.ringkernel.backend.Backend;
import io.ringkernel.backend.BackendProvider;
import io.ringkernel.backend.DeviceLoop;
import io.ringkernel.backend.ForwardingBackend;
import io.ringkernel.backend.KernelRegion;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.backend.PlanFailedException;
import io.ringkernel.cpu.CpuBackend;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.ExecutionPlan;
import io.ringkernel.platform.PlanOffer;
import io.ringkernel.platform.PlanRequest;

/**
 * A backend whose loops take over from each other, each time that one is ended: two of
 * the backend itself, then one of Java threads, and so on. The ring stays in the memory
 * of the backend.
 */
final class RotatingLoops implements BackendProvider {

	private static final int LOOPS_PER_ROUND = 3;

	private final BackendProvider backend;

	private final AtomicInteger loads = new AtomicInteger();

	private final BlockingQueue<EndableLoop> loaded = new LinkedBlockingQueue<>();

	RotatingLoops(BackendProvider backend) {
		this.backend = backend;
	}

	/**
	 * The next loop that was loaded.
	 */
	EndableLoop awaitLoop() throws InterruptedException {
		EndableLoop loop = this.loaded.poll(ConformanceFixture.LIMIT.toSeconds(), TimeUnit.SECONDS);
		if (loop == null) {
			throw new AssertionError("No loop was loaded");
		}
		return loop;
	}

	/** So that a plan that fails is not the last one. */
	@Override
	public BackendKind kind() {
		return BackendKind.CUDA;
	}

	@Override
	public PlanOffer plan(PlanRequest request) {
		PlanOffer offer = this.backend.plan(request);
		return (offer instanceof PlanOffer.Accepted accepted) ? new PlanOffer.Accepted(asDevice(accepted.plan()))
				: offer;
	}

	private static ExecutionPlan asDevice(ExecutionPlan plan) {
		return new ExecutionPlan(BackendKind.CUDA, plan.mode(), plan.transport(), plan.device(),
				plan.answersPerLaunch(), plan.reasons(), plan.platform());
	}

	private ExecutionPlan asBackend(ExecutionPlan plan) {
		return new ExecutionPlan(this.backend.kind(), plan.mode(), plan.transport(), plan.device(),
				plan.answersPerLaunch(), plan.reasons(), plan.platform());
	}

	@Override
	public PlanOffer planAfter(ExecutionPlan failed, PlanFailedException why, PlanRequest request) {
		return new PlanOffer.Accepted(failed);
	}

	@Override
	public Backend open(ExecutionPlan plan) {
		Backend device = this.backend.open(asBackend(plan));
		Backend cpu = new CpuBackend(ExecutionMode.PERSISTENT);
		return new ForwardingBackend(device) {

			@Override
			public <I extends Record, O extends Record> DeviceLoop load(KernelSpec<I, O> kernel, KernelRegion region) {
				int load = RotatingLoops.this.loads.getAndIncrement();
				boolean onDevice = load % LOOPS_PER_ROUND != LOOPS_PER_ROUND - 1;
				EndableLoop loop = new OrderlyLoop((onDevice ? device : cpu).load(kernel, region));
				RotatingLoops.this.loaded.add(loop);
				return loop;
			}

		};
	}

}
