package io.ringkernel.test.ptx.machine;

/**
 * What a kernel did that no kernel may do. The message names the line of PTX, the thread
 * and what it did there.
 *
 * @since 0.2.0
 */
public final class PtxFault extends RuntimeException {

	private static final long serialVersionUID = 1L;

	/** What kind of fault it is. */
	public enum Kind {

		/** An access to memory that nothing is allocated at, or beyond its end. */
		OUT_OF_BOUNDS,

		/** An access at an address that is no multiple of its size. */
		MISALIGNED,

		/**
		 * Two threads access the same byte, one of them writes, and they have not met in
		 * between. The kernel goes on.
		 */
		RACE,

		/** All threads wait for others. */
		DEADLOCK,

		/** The kernel took more steps than it may. */
		STEP_BUDGET,

		/** The kernel executed {@code trap}. */
		TRAP,

		/** Operands for which the result is not specified. */
		UNSPECIFIED

	}

	private final Kind kind;

	/**
	 * Reports a fault.
	 * @param kind what kind of fault it is
	 * @param message who did what, and where
	 */
	public PtxFault(Kind kind, String message) {
		super(message);
		this.kind = kind;
	}

	/** What kind of fault it is. */
	public Kind kind() {
		return this.kind;
	}

}
