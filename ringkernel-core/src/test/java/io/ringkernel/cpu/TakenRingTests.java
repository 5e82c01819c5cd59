package io.ringkernel.cpu;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.ringkernel.backend.DeviceLoop;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelRegion;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.backend.RingMemory;
import io.ringkernel.control.ControlBlock;
import io.ringkernel.cpu.CpuRig.Number;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.ring.DeviceRing;
import io.ringkernel.ring.Draft;
import io.ringkernel.ring.HostRing;
import io.ringkernel.ring.MessageKind;
import io.ringkernel.ring.RingLayout;
import io.ringkernel.ring.SlotClaims;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A loop on a ring that another loop has served, which has ended wherever it was.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TakenRingTests {

	private static final int SLOTS = 4;

	private final List<Long> handled = new CopyOnWriteArrayList<>();

	private final KernelSpec<Number, Number> spec = CpuRig.spec(KernelOptions.builder().workers(2).build(),
			(request) -> {
				this.handled.add(request.value());
				return new Number(2 * request.value());
			});

	private final RingLayout layout = RingLayout.forSlots(ControlBlock.bytes(2), SLOTS, this.spec.requests().maxSize(),
			this.spec.responses().maxSize());

	private final RingMemory memory = RingMemory.direct(this.layout.endOffset());

	private final KernelRegion region = region();

	private final HostRing host = this.region.host();

	/** The loop that has ended. */
	private final DeviceRing before = new DeviceRing(this.memory.buffer(), this.layout, 1);

	private DeviceLoop loop;

	private KernelRegion region() {
		ControlBlock control = new ControlBlock(this.memory.buffer(), 2);
		control.identify(this.layout, 0, 0, 0);
		return new KernelRegion(this.memory, control, this.layout);
	}

	@AfterEach
	void close() throws InterruptedException {
		this.loop.stop(CpuRig.LIMIT);
		this.loop.close();
	}

	@Test
	void whatIsAnsweredIsNotHandledAgain() {
		long answered = publish(1);
		long unanswered = publish(2);
		this.before.answer(answered, 0, new Number(7), this.spec.responses());
		takeOver();
		assertThat(receive(unanswered)).isEqualTo(4);
		assertThat(receive(answered)).isEqualTo(7);
		assertThat(this.handled).containsExactly(2L);
	}

	@Test
	void whatHasBeenTakenMeanwhileIsNotHandledAgain() {
		long answered = publish(1);
		this.before.answer(answered, 0, new Number(7), this.spec.responses());
		this.loop = new CpuBackend(ExecutionMode.PERSISTENT).load(this.spec, this.region);
		assertThat(receive(answered)).isEqualTo(7);
		long later = publish(2);
		this.loop.start();
		assertThat(receive(later)).isEqualTo(4);
		assertThat(this.handled).containsExactly(2L);
	}

	@Test
	void aRequestIsAnsweredHoweverManyLapsItIsBehind() {
		long slow = publish(1);
		for (int i = 0; i < 100; i++) {
			long other = publish(i);
			this.before.answer(other, 0, new Number(i), this.spec.responses());
			this.host.claims().release(other);
		}
		assertThat(this.host.claims().head()).isGreaterThan(10 * SLOTS);
		long last = publish(3);
		takeOver();
		assertThat(receive(slow)).isEqualTo(2);
		assertThat(receive(last)).isEqualTo(6);
		assertThat(this.host.inFlight().count()).isZero();
		assertThat(receive(publish(4))).isEqualTo(8);
	}

	@Test
	void aRequestThatIsPublishedLaterIsWaitedFor() {
		long claimed = this.host.claims().tryClaim();
		long behind = publish(2);
		takeOver();
		publish(claimed, 1);
		assertThat(receive(claimed)).isEqualTo(2);
		assertThat(receive(behind)).isEqualTo(4);
	}

	@Test
	void aRequestThatWasWithdrawnIsAnsweredAndNotHandled() {
		long withdrawn = publish(1);
		this.host.requests().withdraw(withdrawn);
		takeOver();
		assertThat(await(withdrawn)).isEqualTo(MessageKind.WITHDRAWN);
		assertThat(this.handled).isEmpty();
	}

	@Test
	void whatIsThereOfAnAnswerIsNoPartOfTheNextOne() {
		long position = publish(1);
		this.before.answer(position, 0, new Number(7), this.spec.responses());
		int header = this.layout.responses().slotOffset(this.layout.slot(position));
		int firstChunk = header + RingLayout.CHUNK_BYTES;
		this.memory.buffer().bytes().putLong(firstChunk + Long.BYTES, 0);
		assertThat(this.host.responses().isAnswering(position)).isTrue();
		this.loop = new CpuBackend(ExecutionMode.PERSISTENT).load(this.spec, this.region);
		assertThat(this.host.responses().isAnswered(position)).isFalse();
		this.loop.start();
		assertThat(receive(position)).isEqualTo(2);
	}

	private void takeOver() {
		this.loop = new CpuBackend(ExecutionMode.PERSISTENT).load(this.spec, this.region);
		this.loop.start();
	}

	private long publish(long value) {
		long position = this.host.contendedClaims().tryClaimAny();
		assertThat(position).isNotEqualTo(SlotClaims.NO_SLOT);
		publish(position, value);
		return position;
	}

	private void publish(long position, long value) {
		Draft draft = this.host.requests().encode(new Number(value), this.spec.requests(), null);
		this.host.requests().publish(position, draft);
		draft.giveBack();
		if (this.loop != null) {
			this.loop.doorbell();
		}
	}

	private MessageKind await(long position) {
		Awaitility.await()
			.pollDelay(Duration.ZERO)
			.pollInterval(Duration.ofMillis(1))
			.atMost(CpuRig.LIMIT)
			.until(() -> this.host.responses().isAnswered(position));
		return this.host.responses().kind(position);
	}

	private long receive(long position) {
		assertThat(await(position)).isEqualTo(MessageKind.DATA);
		Number answer = this.host.responses().read(position, this.spec.responses(), null, null);
		this.host.claims().release(position);
		return answer.value();
	}

}
