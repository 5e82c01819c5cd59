package io.ringkernel.session;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

import io.ringkernel.TestShare;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class PositionQueueTests {

	private static final int CAPACITY = 8;

	private final PositionQueue queue = new PositionQueue(CAPACITY);

	@Test
	void isEmptyAtFirst() {
		assertThat(this.queue.look()).isFalse();
		assertThat(this.queue.known()).isZero();
	}

	@Test
	void knowsOfWhatWasAddedOnlyAfterALook() {
		this.queue.add(0);
		assertThat(this.queue.known()).isZero();
		assertThat(this.queue.look()).isTrue();
		assertThat(this.queue.known()).isOne();
	}

	@Test
	void theSenderKnowsWhatWasTakenOnlyAfterALook() {
		this.queue.add(0);
		this.queue.add(1);
		this.queue.add(2);
		this.queue.look();
		take(2);
		assertThat(this.queue.untaken()).isEqualTo(3);
		assertThat(this.queue.lookAtTaken()).isEqualTo(2);
		assertThat(this.queue.untaken()).isOne();
		assertThat(this.queue.lookAtTaken()).isZero();
	}

	@Test
	void aRunEndsWhereAPositionDoesNotFollowTheOneBefore() {
		for (long position : new long[] { 5, 6, 7, 9, 10, 3 }) {
			this.queue.add(position);
		}
		this.queue.look();
		assertThat(this.queue.knownInRun()).isEqualTo(3);
		assertThat(take(3)).containsExactly(5, 6, 7);
		assertThat(this.queue.knownInRun()).isEqualTo(2);
		assertThat(this.queue.peek()).isEqualTo(9);
		assertThat(take(2)).containsExactly(9, 10);
		assertThat(this.queue.knownInRun()).isOne();
		assertThat(take(1)).containsExactly(3);
		assertThat(this.queue.knownInRun()).isZero();
	}

	@Test
	void aRunGoesOnAfterTheQueueWasEmpty() {
		for (long position = 0; position < 3L * CAPACITY; position++) {
			this.queue.add(position);
			this.queue.look();
			assertThat(take(1)).containsExactly(position);
		}
	}

	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3, 4, 5 })
	void positionsComeOutInTheOrderInWhichTheyWentIn(long seed) {
		Random random = new Random(seed);
		Queue<Long> model = new ArrayDeque<>();
		long next = 0;
		for (int i = 0; i < 100_000; i++) {
			if (random.nextBoolean() && model.size() < CAPACITY) {
				next += 1 + (random.nextInt(3) == 0 ? random.nextInt(5) : 0);
				this.queue.add(next);
				model.add(next);
			}
			else if (this.queue.known() > 0) {
				assertThat(this.queue.take()).isEqualTo(model.remove());
			}
			else {
				assertThat(this.queue.look()).isEqualTo(!model.isEmpty());
			}
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aStackThatEndsInsideTheQueueLosesAndRepeatsNothing(boolean inRuns) throws Exception {
		StackEnd both = new StackEnd(this.queue, inRuns ? 1 : 2);
		Thread thread = new Thread(null, both, "small-stack", 256 << 10);
		thread.start();
		thread.join();
		assertThat(both.failures).isPositive();
		assertThat(both.received).containsExactly(both.sent);
	}

	/** A slot that is in flight stands for each position in the queue: a permit, here. */
	@Test
	void twoThreadsHandPositionsOver() throws Exception {
		int count = TestShare.of(4_000_000);
		Semaphore slots = new Semaphore(CAPACITY);
		CompletableFuture<Void> sender = CompletableFuture.runAsync(() -> {
			for (int i = 0; i < count; i++) {
				slots.acquireUninterruptibly();
				this.queue.add(position(i));
			}
		});
		for (int i = 0; i < count; i++) {
			while (this.queue.known() == 0 && !this.queue.look()) {
				assertThat(sender.isCompletedExceptionally()).isFalse();
				Thread.onSpinWait();
			}
			assertThat(this.queue.take()).isEqualTo(position(i));
			slots.release();
		}
		sender.get(10, TimeUnit.SECONDS);
	}

	/** Runs of seven. */
	private static long position(int i) {
		return i + i / 7;
	}

	/**
	 * Sends and receives where the stack ends. A position whose sending failed is not
	 * sent again, as its slot was given up; a receiver tries again.
	 */
	private static final class StackEnd implements Runnable {

		private static final int ROUNDS = 4;

		private final PositionQueue queue;

		private final int step;

		private final long[] sent = new long[ROUNDS * CAPACITY / 2];

		private final long[] received = new long[this.sent.length];

		private int sends;

		private int receptions;

		private int failures;

		private long next;

		StackEnd(PositionQueue queue, int step) {
			this.queue = queue;
			this.step = step;
		}

		@Override
		public void run() {
			for (int round = 0; round < ROUNDS; round++) {
				for (int i = 0; i < CAPACITY / 2; i++) {
					atTheEnd(this::send);
				}
				for (int i = 0; i < CAPACITY / 2; i++) {
					atTheEnd(this::receive);
				}
			}
		}

		private void send() {
			long position = this.next;
			this.next = position + this.step;
			this.queue.add(position);
			this.sent[this.sends++] = position;
		}

		private void receive() {
			if (this.queue.known() == 0) {
				this.queue.look();
			}
			if (this.queue.known() > 0) {
				long position = this.queue.take();
				this.received[this.receptions++] = position;
			}
		}

		/** Each frame in which the action fails leaves it to the one before. */
		private void atTheEnd(Runnable action) {
			try {
				atTheEnd(action);
			}
			catch (StackOverflowError ex) {
				this.failures++;
				action.run();
			}
		}

	}

	private long[] take(int count) {
		long[] positions = new long[count];
		for (int i = 0; i < count; i++) {
			positions[i] = this.queue.take();
		}
		return positions;
	}

}
