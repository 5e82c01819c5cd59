package io.ringkernel.conformance;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;

/**
 * Runs a task on many threads at once. A task that fails, or does not end in time, fails
 * the test; the stack traces of those that hang are part of the failure.
 */
public final class Concurrently {

	private Concurrently() {
	}

	/**
	 * Runs a task on platform threads, all begun at the same moment.
	 * @param threads how many threads
	 * @param limit how long they may take
	 * @param task the task, given the number of its thread from 0
	 */
	public static void run(int threads, Duration limit, Task task) throws InterruptedException {
		start(threads, task).join(limit);
	}

	/**
	 * Begins a task on platform threads, which run on beside the test.
	 * @param threads how many threads
	 * @param task the task, given the number of its thread from 0
	 * @return the threads, to be joined
	 */
	public static Running start(int threads, Task task) {
		return new Running(threads, task);
	}

	/**
	 * Something to do on one of many threads.
	 */
	@FunctionalInterface
	public interface Task {

		void run(int thread) throws Exception;

	}

	/**
	 * Threads that run.
	 */
	public static final class Running {

		private final List<Thread> threads = new ArrayList<>();

		private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

		private Running(int count, Task task) {
			CountDownLatch begin = new CountDownLatch(count);
			for (int i = 0; i < count; i++) {
				int number = i;
				Thread thread = new Thread(() -> {
					try {
						begin.countDown();
						begin.await();
						task.run(number);
					}
					catch (Throwable ex) {
						this.failures.add(ex);
					}
				}, "concurrently-" + i);
				thread.setDaemon(true);
				this.threads.add(thread);
			}
			this.threads.forEach(Thread::start);
		}

		/**
		 * The threads.
		 * @return all of them
		 */
		public List<Thread> threads() {
			return this.threads;
		}

		/**
		 * Waits until all have ended well.
		 * @param limit how long they may take from now
		 */
		public void join(Duration limit) throws InterruptedException {
			long deadline = System.nanoTime() + limit.toNanos();
			for (Thread thread : this.threads) {
				thread.join(Math.max(1, (deadline - System.nanoTime()) / 1_000_000));
			}
			StringBuilder hung = new StringBuilder();
			for (Thread thread : this.threads) {
				if (thread.isAlive()) {
					hung.append("\n").append(thread.getName()).append(" hangs:");
					Arrays.stream(thread.getStackTrace()).limit(12).forEach((at) -> hung.append("\n\tat ").append(at));
				}
			}
			AssertionError error = null;
			if (!this.failures.isEmpty()) {
				error = new AssertionError(
						this.failures.size() + " of " + this.threads.size() + " threads failed" + hung,
						this.failures.peek());
			}
			else if (hung.length() > 0) {
				error = new AssertionError("Not done within " + limit + ":" + hung);
			}
			if (error != null) {
				this.threads.forEach(Thread::interrupt);
				throw error;
			}
		}

	}

}
