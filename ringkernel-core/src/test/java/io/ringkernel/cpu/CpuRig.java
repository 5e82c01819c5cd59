package io.ringkernel.cpu;

import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

import io.ringkernel.RingKernelHandler;
import io.ringkernel.backend.AnswerBell;
import io.ringkernel.backend.CapturedContexts;
import io.ringkernel.backend.DeviceLoop;
import io.ringkernel.backend.HandlerFailures;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelRegion;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.backend.RequestTimestamps;
import io.ringkernel.backend.RingMemory;
import io.ringkernel.backend.SlotNotes;
import io.ringkernel.control.ControlBlock;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.ring.Draft;
import io.ringkernel.ring.HostRing;
import io.ringkernel.ring.MessageKind;
import io.ringkernel.ring.RingLayout;
import io.ringkernel.ring.SlotClaims;
import io.ringkernel.ring.WaitStrategy;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A loop with a host ring over the same memory, and nobody who nudges.
 */
final class CpuRig implements AutoCloseable {

	static final Duration LIMIT = Duration.ofSeconds(30);

	static final int SLOTS = 8;

	private final KernelSpec<Number, Number> spec;

	final ControlBlock control;

	final HostRing ring;

	final DeviceLoop loop;

	final HandlerFailures failures = new HandlerFailures(SLOTS);

	volatile AnswerBell bell = (slot) -> {
	};

	record Number(long value) {
	}

	CpuRig(ExecutionMode mode, KernelSpec<Number, Number> spec) {
		this((region) -> new CpuBackend(mode).load(spec, region), spec);
	}

	/**
	 * A loop whose threads, which it keeps, are a test's.
	 */
	CpuRig(KernelSpec<Number, Number> spec, ThreadFactory factory) {
		this((region) -> new CpuDeviceLoop(spec.id(), new RequestProcessor<>(spec, region), region.control(),
				spec.options(), factory, TimeUnit.DAYS.toNanos(1)), spec);
	}

	private CpuRig(LoopFactory loops, KernelSpec<Number, Number> spec) {
		this.spec = spec;
		int workers = spec.options().workers();
		RingLayout layout = RingLayout.forSlots(ControlBlock.bytes(workers), SLOTS, spec.requests().maxSize(),
				spec.responses().maxSize());
		RingMemory memory = RingMemory.direct(layout.endOffset());
		this.control = new ControlBlock(memory.buffer(), workers);
		this.control.identify(layout, 0, 0, 0);
		this.ring = new HostRing(memory.buffer(), layout, 0);
		SlotNotes notes = new SlotNotes(new RequestTimestamps(SLOTS), new CapturedContexts(null, SLOTS), this.failures,
				(slot) -> this.bell.answered(slot));
		this.loop = loops.load(new KernelRegion(memory, this.control, layout).with(notes));
	}

	static KernelSpec<Number, Number> spec(KernelOptions options, RingKernelHandler<Number, Number> handler) {
		return KernelSpec.of("numbers", Number.class, Number.class, handler, options);
	}

	static KernelSpec<Number, Number> spec(int workers, RingKernelHandler<Number, Number> handler) {
		return spec(KernelOptions.builder().workers(workers).build(), handler);
	}

	static long deadline() {
		return System.nanoTime() + LIMIT.toNanos();
	}

	long send(long value) throws InterruptedException {
		long position = publish(value);
		this.loop.doorbell();
		return position;
	}

	/**
	 * Sends a request without telling the loop.
	 */
	long claim() throws InterruptedException {
		long position = this.ring.contendedClaims().claim(deadline(), WaitStrategy.YIELD);
		assertThat(position).isNotEqualTo(SlotClaims.NO_SLOT);
		return position;
	}

	long publish(long value) throws InterruptedException {
		long position = claim();
		Draft draft = this.ring.requests().encode(new Number(value), this.spec.requests(), null);
		this.ring.requests().publish(position, draft);
		draft.giveBack();
		return position;
	}

	MessageKind await(long position) {
		long deadline = deadline();
		for (int round = 0; !this.ring.responses().isAnswered(position); round++) {
			WaitStrategy.YIELD.pause(round);
			if (System.nanoTime() - deadline > 0) {
				throw new AssertionError("Position " + position + " was never answered");
			}
		}
		return this.ring.responses().kind(position);
	}

	Number receive(long position) {
		assertThat(await(position)).isEqualTo(MessageKind.DATA);
		Number answer = this.ring.responses().read(position, this.spec.responses(), null, null);
		this.ring.claims().release(position);
		return answer;
	}

	@Override
	public void close() throws InterruptedException {
		this.loop.stop(LIMIT);
		this.loop.close();
	}

	@FunctionalInterface
	private interface LoopFactory {

		DeviceLoop load(KernelRegion region);

	}

}
