package io.ringkernel.runtime;

import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.ringkernel.backend.Backend;
import io.ringkernel.backend.BackendProvider;
import io.ringkernel.backend.DeviceLoop;
import io.ringkernel.backend.KernelRegion;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.backend.PlanFailedException;
import io.ringkernel.backend.PlayedBackend;
import io.ringkernel.conformance.EndableLoop;
import io.ringkernel.conformance.OrderlyLoop;
import io.ringkernel.cpu.CpuBackend;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.ExecutionPlan;
import io.ringkernel.platform.PlanOffer;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.platform.Transport;

/**
 * A device that has another plan after each that has failed, until it is told to have
 * none: a {@link StrideLoop} in mode persistent, Java threads in mode event-driven.
 */
final class EndlessPlans implements BackendProvider {

	private final BlockingQueue<EndableLoop> loaded = new LinkedBlockingQueue<>();

	volatile boolean exhausted;

	/**
	 * The next loop that was loaded.
	 */
	EndableLoop awaitLoop() throws InterruptedException {
		EndableLoop loop = this.loaded.poll(KernelFixture.LIMIT.toSeconds(), TimeUnit.SECONDS);
		if (loop == null) {
			throw new AssertionError("No loop was loaded");
		}
		return loop;
	}

	@Override
	public BackendKind kind() {
		return BackendKind.CUDA;
	}

	@Override
	public PlanOffer plan(PlanRequest request) {
		return offer(ExecutionMode.PERSISTENT);
	}

	@Override
	public PlanOffer planAfter(ExecutionPlan failed, PlanFailedException why, PlanRequest request) {
		if (this.exhausted) {
			return new PlanOffer.Refused(why.reason(), "Go on without.");
		}
		return offer(
				(failed.mode() == ExecutionMode.PERSISTENT) ? ExecutionMode.EVENT_DRIVEN : ExecutionMode.PERSISTENT);
	}

	private static PlanOffer offer(ExecutionMode mode) {
		return new PlanOffer.Accepted(
				new ExecutionPlan(BackendKind.CUDA, mode, Transport.MAPPED, List.of("it is played"), Map.of()));
	}

	@Override
	public Backend open(ExecutionPlan plan) {
		CpuBackend cpu = new CpuBackend(plan.mode());
		return new PlayedBackend() {

			@Override
			public <I extends Record, O extends Record> DeviceLoop load(KernelSpec<I, O> kernel, KernelRegion region) {
				EndableLoop loop = (plan.mode() == ExecutionMode.PERSISTENT) ? new StrideLoop<>(kernel, region)
						: new OrderlyLoop(cpu.load(kernel, region));
				EndlessPlans.this.loaded.add(loop);
				return loop;
			}

		};
	}

}
