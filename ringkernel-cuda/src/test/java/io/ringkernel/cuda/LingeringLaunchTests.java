package io.ringkernel.cuda;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

import io.ringkernel.backend.DeviceLoop;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelRegion;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.conformance.CpuTestKernels;
import io.ringkernel.conformance.TestKernels.Echo;
import io.ringkernel.control.ControlBlock;
import io.ringkernel.cuda.driver.CudaDriver;
import io.ringkernel.cuda.driver.Deadline;
import io.ringkernel.cuda.memory.CudaRingMemory;
import io.ringkernel.cuda.simulated.SimulatedDriver;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.Transport;
import io.ringkernel.ring.DeviceRing;
import io.ringkernel.ring.Draft;
import io.ringkernel.ring.RingLayout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How soon a kernel that is out is launched where requests follow each other closely.
 */
@Timeout(120)
class LingeringLaunchTests {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private final SimulatedDriver driver = new SimulatedDriver();

	private final CudaDevice device = new CudaPlatform(CudaDriver.bounded(this.driver)).device();

	private final KernelSpec<Echo, Echo> kernel = this.driver.context()
		.install(new CpuTestKernels().echo(KernelOptions.builder().workers(1).idleBudget(Duration.ZERO).build()));

	private final CudaRingMemory memory;

	private final KernelRegion region;

	private final AtomicInteger launches = new AtomicInteger();

	/** Touched by launches only, which are one after another. */
	private long cursor;

	private DeviceLoop loop;

	LingeringLaunchTests() {
		RingLayout ring = RingLayout.forSlots(ControlBlock.bytes(1), 256, this.kernel.requests().maxSize(),
				this.kernel.responses().maxSize());
		this.memory = CudaRingMemory.allocate(this.device.resources(), this.kernel.id(), ring.endOffset());
		ControlBlock control = new ControlBlock(this.memory.buffer(), 1);
		control.identify(ring, this.kernel.requests().fingerprint(), this.kernel.responses().fingerprint(), 0);
		this.region = new KernelRegion(this.memory, control, ring);
	}

	@AfterEach
	void close() throws InterruptedException {
		assertThat(this.loop.stop(LIMIT)).isTrue();
		this.loop.close();
	}

	@Test
	void aClaimIsEnoughForALaunchWhereTheKernelReadsTheRingItself() throws InterruptedException {
		DeviceRing deviceRing = new DeviceRing(this.memory.buffer(), this.region.ring(), 1);
		start(() -> answerNext(deviceRing));
		// The first one finds the watcher asleep, any that is about to linger. On a
		// loaded
		// machine, the watcher may take long to look.
		boolean early = false;
		for (Duration window = Duration.ofMillis(50); !early
				&& window.compareTo(LIMIT) < 0; window = window.multipliedBy(2)) {
			// Before the claim, as the launch may follow at once.
			int before = this.launches.get();
			long position = this.region.host().claims().tryClaim();
			early = comesWithin(window, () -> this.launches.get() > before);
			publish(position);
			assertThat(comesWithin(LIMIT, () -> this.region.host().responses().isAnswered(position))).isTrue();
			this.region.host().claims().release(position);
		}
		assertThat(early).isTrue();
	}

	private void start(Runnable kernel) {
		this.device.timings().spinNanos(TimeUnit.SECONDS.toNanos(20));
		this.loop = this.device.load(this.kernel, this.region, this.memory, ExecutionMode.EVENT_DRIVEN,
				Transport.MAPPED);
		this.driver.context().launches().runWithin(kernel);
		this.loop.start();
	}

	private void publish(long position) {
		Echo request = Echo.of(1, position);
		Draft draft = this.region.host().requests().encode(request, this.kernel.requests(), null);
		this.region.host().requests().publish(position, draft);
		draft.giveBack();
		this.loop.doorbell();
	}

	private void answerNext(DeviceRing deviceRing) {
		this.launches.incrementAndGet();
		if (deviceRing.poll(this.cursor) == DeviceRing.RequestState.PRESENT) {
			Echo request = deviceRing.request(this.cursor, 0, this.kernel.requests());
			deviceRing.answer(this.cursor, 0, request, this.kernel.responses());
			this.cursor++;
		}
	}

	private static boolean comesWithin(Duration limit, BooleanSupplier condition) throws InterruptedException {
		return Deadline.in(limit).await(condition);
	}

}
