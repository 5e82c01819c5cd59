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
	BUSY_SPIN {
		@Override
		public boolean pause(int round) {
			Thread.onSpinWait();
			return true;
		}
	},

	/** Spins for some microseconds, then yields the core between looks. */
	YIELD {
		@Override
		public boolean pause(int round) {
			if (round < SPINS) {
				Thread.onSpinWait();
			}
			else {
				Thread.yield();
			}
			return true;
		}
	},

	/**
	 * Spins for some microseconds, yields for some tens, then asks to be parked: the
	 * default. A GPU answers while the caller still spins.
	 */
	BACK_OFF {
		@Override
		public boolean pause(int round) {
			if (round < SPINS) {
				Thread.onSpinWait();
				return true;
			}
			if (round < SPINS + YIELDS) {
				Thread.yield();
				return true;
			}
			return false;
		}
	};

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
	public abstract boolean pause(int round);

}
