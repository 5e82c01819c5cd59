package io.ringkernel.cuda;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

import io.ringkernel.TestShare;
import io.ringkernel.backend.DeviceLoop;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelRegion;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.conformance.Concurrently;
import io.ringkernel.conformance.CpuTestKernels;
import io.ringkernel.conformance.TestKernels.Echo;
import io.ringkernel.control.ControlBlock;
import io.ringkernel.cuda.memory.CudaRingMemory;
import io.ringkernel.cuda.simulated.SimulatedDriver;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.Transport;
import io.ringkernel.ring.DeviceRing;
import io.ringkernel.ring.Draft;
import io.ringkernel.ring.HostRing;
import io.ringkernel.ring.RingLayout;
import io.ringkernel.ring.SlotClaims;
import io.ringkernel.ring.WaitStrategy;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A kernel that ends after every request, or after none, while others are published: a
 * million times if the property {@code test.share} is 1, and each time somebody is
 * waiting for the answer.
 */
@Tag("every-platform")
class LaunchStressTests {

	private static final long EXITS = TestShare.of(1_000_000);

	private static final int PRODUCERS = 2;

	private static final int ROUND_TRIPS_PER_REST = 16;

	private static final Duration LIMIT = Duration.ofSeconds(20);

	private final SimulatedDriver driver = new SimulatedDriver();

	private final CudaDevice device = new CudaPlatform(this.driver).device();

	private final KernelSpec<Echo, Echo> kernel = this.driver.context()
		.install(new CpuTestKernels().echo(KernelOptions.builder().workers(1).idleBudget(Duration.ZERO).build()));

	private final CudaRingMemory memory;

	private final KernelRegion region;

	private final AtomicLong exits = new AtomicLong();

	/** Touched by launches only, which are one after another. */
	private final DeviceRing deviceRing;

	private long cursor;

	LaunchStressTests() {
		RingLayout ring = RingLayout.forSlots(ControlBlock.bytes(1), 16, this.kernel.requests().maxSize(),
				this.kernel.responses().maxSize());
		this.memory = CudaRingMemory.allocate(this.device.resources(), this.kernel.id(), ring.endOffset());
		ControlBlock control = new ControlBlock(this.memory.buffer(), 1);
		control.identify(ring, this.kernel.requests().fingerprint(), this.kernel.responses().fingerprint(), 0);
		this.region = new KernelRegion(this.memory, control, ring);
		this.deviceRing = new DeviceRing(this.memory.buffer(), ring, 1);
	}

	@Test
	@Timeout(240)
	void noRequestIsLeftBehindByAnyExit() throws Exception {
		DeviceLoop loop = this.device.load(this.kernel, this.region, this.memory, ExecutionMode.EVENT_DRIVEN,
				Transport.MAPPED);
		this.driver.context().launches().runWithin(this::answerOne);
		loop.start();
		Concurrently.Running producers = Concurrently.start(PRODUCERS, (producer) -> {
			for (long sequence = 0; this.exits.get() < EXITS; sequence++) {
				roundTrip(loop, Echo.of(producer, sequence));
				if (sequence % ROUND_TRIPS_PER_REST == 0) {
					// Lets the watcher go to sleep, or nearly so.
					LockSupport.parkNanos(1);
				}
			}
		});
		producers.join(Duration.ofSeconds(200));
		assertThat(loop.stop(LIMIT)).isTrue();
		loop.close();
		assertThat(loop.failure()).isNull();
		assertThat(this.exits).hasValueGreaterThanOrEqualTo(EXITS);
	}

	private void roundTrip(DeviceLoop loop, Echo request) throws InterruptedException {
		HostRing ring = this.region.host();
		long position = ring.contendedClaims().claim(System.nanoTime() + LIMIT.toNanos(), WaitStrategy.BACK_OFF);
		assertThat(position).isNotEqualTo(SlotClaims.NO_SLOT);
		Draft draft = ring.requests().encode(request, this.kernel.requests(), null);
		ring.requests().publish(position, draft);
		draft.giveBack();
		loop.doorbell();
		long deadline = System.nanoTime() + LIMIT.toNanos();
		while (!ring.responses().isAnswered(position)) {
			Thread.yield();
			if (System.nanoTime() > deadline) {
				throw new AssertionError("lost: position %d after %s exits".formatted(position, this.exits));
			}
		}
		assertThat(ring.responses().read(position, this.kernel.responses(), null, null)).isEqualTo(request);
		ring.claims().release(position);
	}

	/**
	 * What a kernel does with the shortest idle budget and an iteration limit of one.
	 */
	private void answerOne() {
		while (this.deviceRing.poll(this.cursor) == DeviceRing.RequestState.SKIPPED) {
			this.cursor++;
		}
		if (this.deviceRing.poll(this.cursor) == DeviceRing.RequestState.PRESENT) {
			Echo request = this.deviceRing.request(this.cursor, 0, this.kernel.requests());
			this.deviceRing.answer(this.cursor, 0, request, this.kernel.responses());
			this.cursor++;
		}
		this.exits.incrementAndGet();
	}

}
