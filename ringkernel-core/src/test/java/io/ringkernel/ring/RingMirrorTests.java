package io.ringkernel.ring;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;

import io.ringkernel.message.MessageLayout;
import io.ringkernel.message.buffer.MessageBuffer;
import io.ringkernel.ring.order.Backlog;
import io.ringkernel.ring.order.ServingOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class RingMirrorTests {

	private static final MessageLayout<Number> NUMBERS = MessageLayout.of(Number.class);

	private static final int SLOTS = 4;

	private final RingLayout layout = RingLayout.forSlots(0, SLOTS, NUMBERS.maxSize(), NUMBERS.maxSize());

	private final MessageBuffer memory = MessageBuffer.allocate(this.layout.endOffset());

	private final HostRing host = new HostRing(this.memory, this.layout, 0);

	private final DeviceRing device = new DeviceRing(this.memory, this.layout, 1);

	private final RingMirror mirror = new RingMirror(this.memory, this.layout, 0, new long[0]);

	record Number(long value) {
	}

	@Test
	void aRequestIsInFlightFromItsPublicationUntilItIsAnswered() {
		long position = this.host.claims().tryClaim();
		assertThat(this.mirror.look()).isFalse();
		publish(position);
		assertThat(this.mirror.look()).isTrue();
		assertThat(this.mirror.look()).isFalse();
		assertThat(this.mirror.ring().claims().head()).isEqualTo(1);
		assertThat(this.mirror.ring().inFlight().count()).isEqualTo(1);
		answer(position);
		assertThat(this.mirror.look()).isFalse();
		assertThat(this.mirror.ring().inFlight().count()).isZero();
	}

	@Test
	void aFewLooksCatchUpWithAStreamOfManyLaps() {
		send();
		this.mirror.look();
		answerAndRelease(0);
		for (int i = 1; i < 1000 * SLOTS + 2; i++) {
			answerAndRelease(send());
		}
		long last = send();
		for (int looks = 0; looks < 3; looks++) {
			assertThat(this.mirror.look()).isEqualTo(looks < 2);
		}
		assertThat(this.mirror.ring().claims().head()).isEqualTo(last + 1);
		assertThat(this.mirror.ring().inFlight().before(last + 1)).containsExactly(last);
		assertThat(new Backlog(this.mirror.ring(), 0).isEmpty()).isFalse();
		answerAndRelease(last);
		this.mirror.look();
		assertThat(new Backlog(this.mirror.ring(), 0).isEmpty()).isTrue();
	}

	@Test
	void aRequestThatIsHandledForManyLapsStaysInFlight() {
		long slow = send();
		this.mirror.look();
		for (int i = 0; i < 100 * SLOTS; i++) {
			answerAndRelease(send());
		}
		lookAtAll();
		assertThat(this.mirror.ring().inFlight().before(this.mirror.ring().claims().head())).containsExactly(slow);
		answerAndRelease(slow);
		lookAtAll();
		assertThat(this.mirror.ring().inFlight().count()).isZero();
	}

	private void answerAndRelease(long position) {
		answer(position);
		this.host.claims().release(position);
	}

	@Test
	void aRequestIsSeenTogetherWithThoseBeforeIt() {
		long first = this.host.claims().tryClaim();
		long second = this.host.claims().tryClaim();
		publish(second);
		assertThat(this.mirror.look()).isFalse();
		publish(first);
		assertThat(this.mirror.look()).isTrue();
		assertThat(this.mirror.ring().claims().head()).isEqualTo(2);
	}

	@Test
	void aRequestThatIsLapsBehindStaysInFlight() {
		long slow = send();
		for (int i = 0; i < 10 * SLOTS; i++) {
			long position = send();
			answer(position);
			this.host.claims().release(position);
			this.mirror.look();
			assertThat(this.mirror.ring().inFlight().before(this.mirror.ring().claims().head())).containsExactly(slow);
			assertThat(ServingOrder.of(this.mirror.ring()).position(0)).isEqualTo(slow);
		}
		answer(slow);
		this.mirror.look();
		assertThat(this.mirror.ring().inFlight().count()).isZero();
	}

	@Test
	void aMirrorThatHasNotLookedForLapsCatchesUp() {
		for (int i = 0; i < 100; i++) {
			long position = send();
			answer(position);
			this.host.claims().release(position);
		}
		long last = send();
		boolean found = false;
		for (int i = 0; i < 100; i++) {
			found |= this.mirror.look();
		}
		assertThat(found).isTrue();
		assertThat(this.mirror.ring().claims().head()).isEqualTo(this.host.claims().head());
		assertThat(this.mirror.ring().inFlight().before(this.mirror.ring().claims().head())).containsExactly(last);
	}

	/**
	 * Whatever was sent, answered, given back and passed over, and whenever the mirror
	 * looks: once it has looked at all, it knows what the host does, but for answers that
	 * are not yet taken; and it has written nothing.
	 */
	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3, 4, 5, 6, 7, 8 })
	void aMirrorKnowsWhatTheHostDoes(long seed) {
		SplittableRandom random = new SplittableRandom(seed);
		Deque<Long> unanswered = new ArrayDeque<>();
		for (int step = 0; step < 20_000; step++) {
			if (unanswered.size() < SLOTS - 1 && random.nextBoolean()) {
				unanswered.add(send());
			}
			else if (!unanswered.isEmpty()) {
				long position = random.nextBoolean() ? unanswered.removeFirst() : unanswered.removeLast();
				answer(position);
				this.host.claims().release(position);
			}
			if (random.nextInt((seed % 2 == 0) ? 4 : 400) == 0) {
				lookAtAll();
				assertThat(this.mirror.ring().inFlight().before(this.mirror.ring().claims().head()))
					.containsExactly(unanswered.stream().mapToLong(Long::longValue).sorted().toArray());
				assertThat(new Backlog(this.mirror.ring(), 0).isEmpty()).isEqualTo(unanswered.isEmpty());
			}
		}
	}

	/**
	 * A host process that takes a ring over begins anywhere, and knows from then on what
	 * one knows that was there from the start.
	 */
	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3, 4, 5, 6, 7, 8 })
	void aMirrorOfARingThatWasServedBeforeKnowsWhatTheHostDoes(long seed) {
		SplittableRandom random = new SplittableRandom(seed);
		List<Long> unanswered = new ArrayList<>();
		List<Long> untaken = new ArrayList<>();
		RingMirror late = this.mirror;
		for (int step = 0; step < 20_000; step++) {
			if (unanswered.size() + untaken.size() < SLOTS - 1 && random.nextBoolean()) {
				unanswered.add(send());
			}
			else if (!unanswered.isEmpty() && random.nextBoolean()) {
				long position = unanswered.remove(random.nextInt(unanswered.size()));
				answer(position);
				untaken.add(position);
			}
			else if (!untaken.isEmpty()) {
				this.host.claims().release(untaken.remove(random.nextInt(untaken.size())));
			}
			if (random.nextInt(50) == 0) {
				ServingOrder order = ServingOrder.of(this.host);
				assertThat(order.unanswered()).containsExactlyInAnyOrder(longs(unanswered));
				late = new RingMirror(this.memory, this.layout, order.head(), order.unanswered());
			}
			if (random.nextInt((seed % 2 == 0) ? 4 : 400) == 0) {
				lookAtAll(late);
				assertThat(late.ring().inFlight().before(late.ring().claims().head()))
					.containsExactlyInAnyOrder(longs(unanswered));
			}
		}
	}

	private static long[] longs(List<Long> positions) {
		return positions.stream().mapToLong(Long::longValue).toArray();
	}

	private void lookAtAll() {
		lookAtAll(this.mirror);
	}

	private static void lookAtAll(RingMirror mirror) {
		long head;
		do {
			head = mirror.ring().claims().head();
			mirror.look();
		}
		while (mirror.ring().claims().head() != head);
	}

	private long send() {
		long position = this.host.contendedClaims().tryClaimAny();
		assertThat(position).isNotNegative();
		publish(position);
		return position;
	}

	private void publish(long position) {
		Draft draft = this.host.requests().encode(new Number(position), NUMBERS, null);
		this.host.requests().publish(position, draft);
		draft.giveBack();
	}

	private void answer(long position) {
		this.device.answer(position, MessageKind.HANDLER_FAILED, 1);
	}

}
