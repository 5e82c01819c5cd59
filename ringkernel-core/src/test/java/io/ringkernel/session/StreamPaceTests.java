package io.ringkernel.session;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StreamPaceTests {

	private static final int SLOTS = 1024;

	private final PositionQueue queue = new PositionQueue(SLOTS);

	private final StreamPace pace = new StreamPace(this.queue, SLOTS);

	private void send(long from, long to) {
		for (long position = from; position < to; position++) {
			this.queue.add(position);
			this.pace.sent(position, position + 1);
		}
	}

	private void take(int count) {
		for (int i = 0; i < count; i++) {
			assertThat(this.queue.known() > 0 || this.queue.look()).isTrue();
			this.queue.take();
		}
	}

	@Test
	void oneThreadMaySendAsManyAsThereAreSlotsAndReceiveThemThen() {
		send(0, SLOTS);
		take(SLOTS);
		send(SLOTS, 2 * SLOTS);
		take(SLOTS);
		assertThat(this.queue.look()).isFalse();
	}

	@Test
	void aReceiverThatStopsHoldsTheSenderUpForAPauseOnly() {
		send(0, 600);
		take(1);
		send(600, SLOTS);
		assertThat(this.queue.untaken()).isEqualTo(SLOTS - 1);
	}

	@Test
	void theSenderGoesOnBesideAReceiverThatIsAtWork() throws Exception {
		send(0, 600);
		take(1);
		AtomicLong taken = new AtomicLong(1);
		CompletableFuture<Void> receiver = CompletableFuture.runAsync(() -> {
			for (int i = 1; i < 600; i++) {
				take(1);
				taken.incrementAndGet();
			}
		});
		send(600, 1000);
		receiver.get(10, TimeUnit.SECONDS);
		assertThat(taken).hasValue(600);
		take(400);
	}

}
