package io.ringkernel.ring.order;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.ringkernel.message.MessageLayout;
import io.ringkernel.message.buffer.MessageBuffer;
import io.ringkernel.ring.DeviceRing;
import io.ringkernel.ring.Draft;
import io.ringkernel.ring.HostRing;
import io.ringkernel.ring.MessageKind;
import io.ringkernel.ring.RingLayout;
import io.ringkernel.ring.SlotClaims;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link TicketOrder}, on workers that are played.
 */
class TicketOrderTests {

	private static final MessageLayout<Number> NUMBERS = MessageLayout.of(Number.class);

	private static final int SLOTS = 64;

	private static final int MOST_WORKERS = 12;

	private final RingLayout layout = RingLayout.forSlots(0, SLOTS, NUMBERS.maxSize(), NUMBERS.maxSize());

	private final MessageBuffer memory = MessageBuffer.allocate(this.layout.endOffset());

	private final HostRing host = new HostRing(this.memory, this.layout, 0);

	private final DeviceRing device = new DeviceRing(this.memory, this.layout, 1);

	record Number(long value) {
	}

	/** Every way to spread workers: all groups are full but the last. */
	static Stream<Arguments> spreads() {
		return IntStream.rangeClosed(1, MOST_WORKERS)
			.boxed()
			.flatMap((workers) -> IntStream.rangeClosed(1, workers)
				.mapToObj((perGroup) -> Arguments.of(workers, perGroup)));
	}

	/**
	 * Whatever the workers have begun is told, and of what waits for a worker nothing.
	 */
	@ParameterizedTest
	@MethodSource("spreads")
	void everyRequestThatIsBegunIsToldAndNoMoreThanThereAreWorkers(int workers, int workersPerGroup) {
		SplittableRandom random = new SplittableRandom(7);
		ServingOrder order = ServingOrder.of(this.host);
		TicketOrder tickets = new TicketOrder(order, workers, workersPerGroup);
		int groups = (workers + workersPerGroup - 1) / workersPerGroup;
		List<Deque<Long>> held = new ArrayList<>();
		long[] next = new long[groups];
		for (int group = 0; group < groups; group++) {
			held.add(new ArrayDeque<>());
			next[group] = group;
		}
		for (int step = 0; step < 2_000; step++) {
			int group = random.nextInt(groups);
			switch (random.nextInt(3)) {
				case 0 -> send();
				case 1 -> {
					long position = order.position(next[group]);
					boolean free = held.get(group).size() < Math.min(workersPerGroup,
							workers - group * workersPerGroup);
					if (free && position < this.host.claims().head()) {
						next[group] += groups;
						if (this.device.poll(position) == DeviceRing.RequestState.PRESENT) {
							held.get(group).add(position);
						}
					}
				}
				default -> answer(held.get(group), random);
			}
			long[] handling = tickets.handling(this.host);
			assertThat(handling).hasSizeLessThanOrEqualTo(workers);
			assertThat(Arrays.stream(handling).boxed()).containsAll(held.stream().flatMap(Deque::stream).toList());
		}
	}

	/**
	 * All workers but one have each answered two requests, and have taken the turn behind
	 * them; that one has answered a request as well, and has begun the next. None of
	 * these answers has arrived.
	 */
	@ParameterizedTest
	@MethodSource("spreads")
	void whatIsBegunIsToldAlsoIfTheLatestAnswersOfEachWorkerAreDropped(int workers, int workersPerGroup) {
		int groups = (workers + workersPerGroup - 1) / workersPerGroup;
		TicketOrder tickets = new TicketOrder(ServingOrder.of(this.host), workers, workersPerGroup);
		for (int i = 0; i < SLOTS; i++) {
			send();
		}
		Long[] answeredTakenOrBegun = LongStream.range(0, SLOTS).filter((position) -> {
			long group = position % groups;
			long ofGroup = Math.min(workersPerGroup, workers - group * workersPerGroup);
			return position / groups < 3 * (ofGroup - 1) + 2;
		}).boxed().toArray(Long[]::new);
		assertThat(Arrays.stream(tickets.begun(this.host)).boxed()).containsExactly(answeredTakenOrBegun);
	}

	private void send() {
		long position = this.host.contendedClaims().tryClaimAny();
		if (position != SlotClaims.NO_SLOT) {
			Draft draft = this.host.requests().encode(new Number(position), NUMBERS, null);
			this.host.requests().publish(position, draft);
			draft.giveBack();
		}
	}

	private void answer(Deque<Long> held, SplittableRandom random) {
		Long position = random.nextBoolean() ? held.pollFirst() : held.pollLast();
		if (position != null) {
			this.device.answer(position, MessageKind.HANDLER_FAILED, 1);
			this.host.claims().release(position);
		}
	}

}
