package io.ringkernel.session;

import java.util.ArrayDeque;
import java.util.Deque;

import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Lincheck on {@link PositionQueue}: a sender and a receiver side by side find what they
 * would find one after the other, with a deque.
 */
@Tag("every-platform")
class PositionQueueLincheckTests {

	private static final int CAPACITY = 4;

	@Test
	@Tag("lincheck")
	void everyInterleavingIsThatOfADeque() {
		new ModelCheckingOptions().threads(2)
			.actorsBefore(3)
			.actorsPerThread(4)
			.actorsAfter(3)
			.iterations(8)
			.invocationsPerIteration(300)
			.sequentialSpecification(DequeOfPositions.class)
			.check(Queue.class);
	}

	@Test
	void threadsOfThisMachineFindADeque() {
		new StressOptions().threads(2)
			.actorsBefore(3)
			.actorsPerThread(5)
			.actorsAfter(3)
			.iterations(4)
			.invocationsPerIteration(100)
			.sequentialSpecification(DequeOfPositions.class)
			.check(Queue.class);
	}

	/**
	 * The operations of a stream, whose window keeps the queue from being full.
	 */
	public static class Queue {

		private final PositionQueue queue = new PositionQueue(CAPACITY);

		private long next;

		/**
		 * Goes on with the run.
		 */
		@Operation(nonParallelGroup = "sender")
		public boolean addNext() {
			return add(1);
		}

		/**
		 * Goes on with the run by two positions.
		 */
		@Operation(nonParallelGroup = "sender")
		public boolean addTwo() {
			return add(2);
		}

		/**
		 * Begins another run.
		 */
		@Operation(nonParallelGroup = "sender")
		public boolean addFurther() {
			this.next += 10;
			return add(1);
		}

		private boolean add(int count) {
			this.queue.lookAtTaken();
			if (this.queue.untaken() + count > CAPACITY) {
				return false;
			}
			this.queue.add(this.next, count);
			this.next += count;
			return true;
		}

		@Operation(nonParallelGroup = "receiver")
		public long take() {
			return isKnown() ? this.queue.take() : -1;
		}

		/**
		 * Takes two positions if two follow each other, otherwise none.
		 */
		@Operation(nonParallelGroup = "receiver")
		public long takeTwo() {
			return (this.queue.look() && this.queue.knownInRun() > 1) ? this.queue.take(2) : -1;
		}

		@Operation(nonParallelGroup = "receiver")
		public long peek() {
			return isKnown() ? this.queue.peek() : -1;
		}

		private boolean isKnown() {
			return this.queue.known() > 0 || this.queue.look();
		}

	}

	/**
	 * What the operations mean.
	 */
	public static class DequeOfPositions {

		private final Deque<Long> positions = new ArrayDeque<>();

		private long next;

		public boolean addNext() {
			return add(1);
		}

		public boolean addTwo() {
			return add(2);
		}

		public boolean addFurther() {
			this.next += 10;
			return add(1);
		}

		private boolean add(int count) {
			if (this.positions.size() + count > CAPACITY) {
				return false;
			}
			for (int i = 0; i < count; i++) {
				this.positions.add(this.next++);
			}
			return true;
		}

		public long take() {
			return this.positions.isEmpty() ? -1 : this.positions.remove();
		}

		public long takeTwo() {
			Long[] all = this.positions.toArray(Long[]::new);
			if (all.length < 2 || all[1] != all[0] + 1) {
				return -1;
			}
			this.positions.remove();
			this.positions.remove();
			return all[0];
		}

		public long peek() {
			return this.positions.isEmpty() ? -1 : this.positions.element();
		}

	}

}
