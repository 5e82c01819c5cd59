package io.ringkernel.cuda.host;

import java.nio.file.Path;
import java.time.Duration;

import io.ringkernel.backend.Backend;
import io.ringkernel.backend.DeviceLoop;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelRegion;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.backend.PlanFailedException;
import io.ringkernel.backend.RingMemory;
import io.ringkernel.control.ControlBlock;
import io.ringkernel.cuda.host.DeviceHostMain.Number;
import io.ringkernel.exception.RingKernelException;
import io.ringkernel.platform.ExecutionPlan;
import io.ringkernel.platform.PlanOffer;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.ring.RingLayout;
import org.jspecify.annotations.Nullable;

/**
 * All that an application asks a host for, from the plan to the end, as the product asks
 * for it.
 */
final class Conversation {

	private static final Duration LIMIT = Duration.ofSeconds(20);

	private static final int SLOTS = 2;

	private static final KernelSpec<Number, Number> KERNEL = DeviceHostMain.kernel("numbers",
			KernelOptions.builder().workers(2).build());

	private final HostOptions options;

	private final KernelHostProvider provider;

	/**
	 * Creates a conversation.
	 * @param directory where the rings are
	 */
	Conversation(Path directory, KernelHost host) {
		this.options = new HostOptions(directory, LIMIT, LIMIT, HostOptions.STUCK_AFTER);
		this.provider = new KernelHostProvider(new DeviceHostMain.Device(), this.options, () -> host);
	}

	/**
	 * Asks for everything once.
	 * @return why it broke off; {@code null} if it came to its end
	 */
	@Nullable RuntimeException hold() throws InterruptedException {
		try {
			if (!(this.provider.plan(PlanRequest.AUTO) instanceof PlanOffer.Accepted accepted)) {
				return null;
			}
			this.provider.planAfter(accepted.plan(), new PlanFailedException("fuzz", "it went wrong", null),
					PlanRequest.AUTO);
			run(accepted.plan());
			return null;
		}
		catch (RingKernelException | UnsupportedOperationException ex) {
			return ex;
		}
	}

	private void run(ExecutionPlan plan) throws InterruptedException {
		try (Backend backend = this.provider.open(plan)) {
			RingLayout ring = RingLayout.forSlots(ControlBlock.bytes(KERNEL.options().workers()), SLOTS,
					KERNEL.requests().maxSize(), KERNEL.responses().maxSize());
			try (RingMemory memory = backend.allocate(KERNEL, ring.endOffset())) {
				ControlBlock control = new ControlBlock(memory.buffer(), KERNEL.options().workers());
				control.identify(ring, KERNEL.requests().fingerprint(), KERNEL.responses().fingerprint(), 0);
				KernelRegion region = new KernelRegion(memory, control, ring);
				DeviceLoop first = backend.load(KERNEL, region);
				serve(first);
				serve(backend.load(KERNEL, region.after(first)));
			}
		}
	}

	private static void serve(DeviceLoop loop) throws InterruptedException {
		try {
			loop.start();
			look(loop);
			loop.stop(LIMIT);
		}
		finally {
			loop.close();
		}
		look(loop);
	}

	private static void look(DeviceLoop loop) {
		loop.failure();
		loop.activeWorkers();
		loop.deviceMemoryBytes();
		loop.clockHertz();
		loop.workersPerGroup();
		loop.begun();
		loop.launchParameters();
	}

}
