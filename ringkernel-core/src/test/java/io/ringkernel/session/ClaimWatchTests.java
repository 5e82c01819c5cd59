package io.ringkernel.session;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.ringkernel.message.MessageLayout;
import io.ringkernel.message.buffer.MessageBuffer;
import io.ringkernel.ring.HostRing;
import io.ringkernel.ring.RingLayout;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which position is reported of those that are claimed.
 */
class ClaimWatchTests {

	private static final Duration LIMIT = Duration.ofSeconds(4);

	private static final MessageLayout<Number> NUMBERS = MessageLayout.of(Number.class);

	private final HostRing ring = ring();

	private final List<Long> reported = new ArrayList<>();

	private final ClaimWatch watch = new ClaimWatch(this.ring, LIMIT, this.reported::add);

	private long now = System.nanoTime();

	record Number(long value) {
	}

	private static HostRing ring() {
		RingLayout layout = RingLayout.forSlots(0, 4, NUMBERS.maxSize(), NUMBERS.maxSize());
		return new HostRing(MessageBuffer.allocate(layout.endOffset()), layout, 0);
	}

	private long claim() {
		return this.ring.contendedClaims().tryClaimAny();
	}

	private void publish(long position) {
		this.ring.requests().publish(position, new Number(position), NUMBERS);
	}

	private void lookAfter(Duration time) {
		this.now += time.toNanos();
		this.watch.look(this.ring.claims().head(), this.now);
	}

	@Test
	void aPositionThatStaysClaimedIsReported() {
		claim();
		lookAfter(LIMIT);
		assertThat(this.reported).isEmpty();
		lookAfter(LIMIT.multipliedBy(2));
		assertThat(this.reported).containsExactly(0L);
	}

	@Test
	void aPositionThatStaysClaimedBehindASlowRequestIsReported() {
		publish(claim());
		claim();
		lookAfter(LIMIT);
		lookAfter(LIMIT.multipliedBy(2));
		assertThat(this.reported).containsExactly(1L);
	}

	@Test
	void aPositionThatStaysClaimedWhileOthersPassOverItsSlotIsReported() {
		for (int i = 0; i < 4; i++) {
			claim();
		}
		for (long position = 1; position < 4; position++) {
			publish(position);
			this.ring.claims().release(position);
		}
		assertThat(claim()).isEqualTo(5);
		publish(5);
		lookAfter(LIMIT);
		lookAfter(LIMIT.multipliedBy(2));
		assertThat(this.reported).containsExactly(0L);
	}

	@Test
	void positionsThatArePublishedInTimeAreNotReported() {
		for (int i = 0; i < 20; i++) {
			long position = claim();
			lookAfter(LIMIT.multipliedBy(2));
			publish(position);
			lookAfter(LIMIT.multipliedBy(2));
			this.ring.claims().release(position);
		}
		assertThat(this.reported).isEmpty();
	}

	@Test
	void aPositionThatIsClaimedBehindOneThatWasPublishedHasTimeOfItsOwn() {
		long first = claim();
		lookAfter(LIMIT);
		publish(first);
		claim();
		lookAfter(LIMIT);
		assertThat(this.reported).isEmpty();
		lookAfter(LIMIT.plusNanos(1));
		assertThat(this.reported).containsExactly(1L);
	}

}
