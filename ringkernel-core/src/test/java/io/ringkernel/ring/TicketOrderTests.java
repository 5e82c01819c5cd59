package io.ringkernel.ring;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

import io.ringkernel.message.MessageBuffer;
import io.ringkernel.message.MessageLayout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link TicketOrder}, on workers that are played.
 */
class TicketOrderTests {

	private static final MessageLayout<Number> NUMBERS = MessageLayout.of(Number.class);

	private static final int SLOTS = 16;

	private final RingLayout layout = RingLayout.forSlots(0, SLOTS, NUMBERS.maxSize(), NUMBERS.maxSize());

	private final MessageBuffer memory = MessageBuffer.allocate(this.layout.endOffset());

	private final HostRing host = new HostRing(this.memory, this.layout, 0);

	private final DeviceRing device = new DeviceRing(this.memory, this.layout, 1);

	record Number(long value) {
	}

	/**
	 * Whatever the workers have begun is told, and of what waits for a worker nothing.
	 */
	@ParameterizedTest
	@CsvSource({ "1, 1", "1, 3", "2, 2", "3, 1" })
	void everyRequestThatIsBegunIsToldAndNoMoreThanThereAreWorkers(int groups, int workersPerGroup) {
		SplittableRandom random = new SplittableRandom(7);
		ServingOrder order = ServingOrder.of(this.host);
		TicketOrder tickets = new TicketOrder(order, groups, groups * workersPerGroup);
		List<Deque<Long>> held = new ArrayList<>();
		long[] next = new long[groups];
		for (int group = 0; group < groups; group++) {
			held.add(new ArrayDeque<>());
			next[group] = group;
		}
		for (int step = 0; step < 20_000; step++) {
			int group = random.nextInt(groups);
			switch (random.nextInt(3)) {
				case 0 -> send();
				case 1 -> {
					long position = order.position(next[group]);
					boolean free = held.get(group).size() < workersPerGroup;
					if (free && position < this.host.head()) {
						next[group] += groups;
						if (this.device.poll(position) == DeviceRing.RequestState.PRESENT) {
							held.get(group).add(position);
						}
					}
				}
				default -> answer(held.get(group), random);
			}
			long[] handling = tickets.handling(this.host);
			assertThat(handling).hasSizeLessThanOrEqualTo(groups * workersPerGroup);
			assertThat(Arrays.stream(handling).boxed()).containsAll(held.stream().flatMap(Deque::stream).toList());
		}
	}

	/** Each has answered once, which did not arrive, and has begun the next request. */
	@ParameterizedTest
	@CsvSource({ "1, 1", "1, 3", "2, 2", "3, 1" })
	void whatIsBegunIsToldAlsoIfTheLatestAnswerOfEachWorkerIsDropped(int groups, int workersPerGroup) {
		int workers = groups * workersPerGroup;
		TicketOrder tickets = new TicketOrder(ServingOrder.of(this.host), groups, workers);
		for (int i = 0; i < SLOTS; i++) {
			send();
		}
		long[] answered = LongStream.range(0, workers).toArray();
		long[] begun = LongStream.range(workers, 2 * workers).toArray();
		assertThat(tickets.begun(this.host)).contains(answered).contains(begun).hasSize(2 * workers);
	}

	private void send() {
		long position = this.host.tryClaimAny();
		if (position != HostRing.NO_SLOT) {
			Draft draft = this.host.encode(new Number(position), NUMBERS);
			this.host.publish(position, draft);
			this.host.recycle(draft);
		}
	}

	private void answer(Deque<Long> held, SplittableRandom random) {
		Long position = random.nextBoolean() ? held.pollFirst() : held.pollLast();
		if (position != null) {
			this.device.answer(position, MessageKind.HANDLER_FAILED, 1);
			this.host.release(position);
		}
	}

}
