package io.ringkernel.ring.order;

import io.ringkernel.message.MessageLayout;
import io.ringkernel.message.buffer.MessageBuffer;
import io.ringkernel.ring.DeviceRing;
import io.ringkernel.ring.Draft;
import io.ringkernel.ring.HostRing;
import io.ringkernel.ring.MessageKind;
import io.ringkernel.ring.RingLayout;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class BacklogTests {

	private static final MessageLayout<Number> NUMBERS = MessageLayout.of(Number.class);

	private final RingLayout layout = RingLayout.forSlots(0, 4, NUMBERS.maxSize(), NUMBERS.maxSize());

	private final MessageBuffer memory = MessageBuffer.allocate(this.layout.endOffset());

	private final HostRing host = new HostRing(this.memory, this.layout, 0);

	private final DeviceRing device = new DeviceRing(this.memory, this.layout, 1);

	private final Backlog backlog = new Backlog(this.host, 0);

	record Number(long value) {
	}

	@Test
	void aRequestCountsFromItsPublicationUntilItIsAnswered() {
		assertThat(this.backlog.isEmpty()).isTrue();
		long position = this.host.claims().tryClaim();
		assertThat(this.backlog.isEmpty()).isTrue();
		publish(position);
		assertThat(this.backlog.isEmpty()).isFalse();
		this.device.answer(position, MessageKind.HANDLER_FAILED, 1);
		assertThat(this.backlog.isEmpty()).isTrue();
	}

	@Test
	void aRequestCountsHoweverManyLapsItIsBehind() {
		long slow = this.host.claims().tryClaim();
		publish(slow);
		for (int i = 0; i < 100; i++) {
			long position = this.host.contendedClaims().tryClaimAny();
			publish(position);
			this.device.answer(position, MessageKind.HANDLER_FAILED, 1);
			assertThat(this.backlog.isEmpty()).isFalse();
			this.host.claims().release(position);
		}
		this.device.answer(slow, MessageKind.HANDLER_FAILED, 1);
		assertThat(this.backlog.isEmpty()).isTrue();
		this.host.claims().release(slow);
		assertThat(this.backlog.isEmpty()).isTrue();
	}

	private void publish(long position) {
		Draft draft = this.host.requests().encode(new Number(position), NUMBERS, null);
		this.host.requests().publish(position, draft);
		draft.giveBack();
	}

}
