package io.ringkernel.ring;

/**
 * What a thread does between two looks at a ring that has nothing for it yet. Strategies
 * are stateless; the caller counts the rounds.
 *
 * @since 0.1.0
 */
@SuppressWarnings("ThreadPriorityCheck") // Yielding is what two of them are for;
											// correctness never depends on it.
public enum WaitStrategy {

	/** Spins: the lowest latency, for a core of its own. */
	BUSY_SPIN,

	/** Spins for some microseconds, then yields the core between looks. */
	YIELD,

	/**
	 * Spins for some microseconds, yields for some tens, then asks to be parked: the
	 * default. A GPU answers while the caller still spins.
	 */
	BACK_OFF;

	/**
	 * A yield that takes longer has given the core to a thread that computes: the
	 * shortest time slice of Linux is longer, and threads that wait for each other return
	 * the core within some tens of microseconds.
	 */
	private static final long SLICE_NANOS = 1_000_000;

	/**
	 * How often to spin before yielding: about 5 µs where a pause instruction takes 40
	 * ns.
	 */
	public static final int SPINS = 128;

	/** Some tens of microseconds where nothing else wants the core. */
	private static final int YIELDS = 32;

	/**
	 * Pauses once.
	 * @param round how often the wait has paused before, from 0
	 * @return whether to look again at once; {@code false} asks the caller to park
	 */
	public boolean pause(int round) {
		if (this == BUSY_SPIN || round < SPINS) {
			Thread.onSpinWait();
			return true;
		}
		if (this == YIELD) {
			Thread.yield();
			return true;
		}
		return round < SPINS + YIELDS && tryYield();
	}

	/**
	 * Yields the core once. Beside threads that compute, one that yields waits for a time
	 * slice each time, while one that sleeps is given the core soon after it is woken: on
	 * two cores beside four such processes, a call on the CPU took 1.6 ms by yielding and
	 * takes 27 µs by sleeping.
	 * @return whether to yield again; {@code false} if a thread that computes had the
	 * core meanwhile, so sleeping is better
	 */
	public static boolean tryYield() {
		long begin = System.nanoTime();
		Thread.yield();
		return System.nanoTime() - begin < SLICE_NANOS;
	}

}
