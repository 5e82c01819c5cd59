package io.ringkernel.cpu;

import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;

import org.jspecify.annotations.Nullable;

/**
 * Interrupts the handler of one request, and of no other.
 * <p>
 * Each worker has a word that states the position whose handler it runs. Who interrupts
 * moves it from that position to {@link #INTERRUPTING}, and on once the interrupt is
 * delivered; a worker whose handler has returned waits for that and clears the interrupt.
 * So it is delivered while the worker is at that request, or not at all.
 * <p>
 * The worker stores its position and then looks whether the request was withdrawn; who
 * withdraws does so and then looks at the positions. With a full fence between the two
 * steps on both sides, no request is withdrawn and neither skipped nor interrupted.
 */
final class HandlerInterrupts {

	private static final long NONE = -1;

	private static final long INTERRUPTING = -2;

	private static final long INTERRUPTED = -3;

	/** Words in a cache line, and the one that is fetched with it. */
	private static final int STRIDE = 16;

	private final int workers;

	private final AtomicLongArray positions;

	private final AtomicReferenceArray<@Nullable Thread> threads;

	HandlerInterrupts(int workers) {
		this.workers = workers;
		this.positions = new AtomicLongArray(workers * STRIDE);
		this.threads = new AtomicReferenceArray<>(workers);
		for (int worker = 0; worker < workers; worker++) {
			this.positions.set(worker * STRIDE, NONE);
		}
	}

	void begin(int worker, long position) {
		// Ordered by the position, which is read first.
		this.threads.setPlain(worker, Thread.currentThread());
		this.positions.setRelease(worker * STRIDE, position);
		VarHandle.fullFence();
	}

	/**
	 * Notes that the handler has returned. From here on no interrupt is delivered; the
	 * worker clears the one that may have been.
	 */
	void end(int worker, long position) {
		int word = worker * STRIDE;
		if (!this.positions.compareAndSet(word, position, NONE)) {
			while (this.positions.get(word) == INTERRUPTING) {
				Thread.onSpinWait();
			}
			this.positions.set(word, NONE);
		}
	}

	void interrupt(long position) {
		for (int worker = 0; worker < this.workers; worker++) {
			int word = worker * STRIDE;
			if (this.positions.get(word) == position && this.positions.compareAndSet(word, position, INTERRUPTING)) {
				deliver(worker, word);
				return;
			}
		}
	}

	private void deliver(int worker, int word) {
		try {
			Thread thread = this.threads.get(worker);
			if (thread != null) {
				thread.interrupt();
			}
		}
		finally {
			this.positions.set(word, INTERRUPTED);
		}
	}

}
