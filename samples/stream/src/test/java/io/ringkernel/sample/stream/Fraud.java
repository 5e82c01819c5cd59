package io.ringkernel.sample.stream;

/**
 * Why a simulated transaction is fraudulent.
 */
enum Fraud {

	/** It is not. */
	NONE,

	/** Its amount is above what anybody pays. */
	LARGE_AMOUNT,

	/** Its terminal is compromised. No feature of a card tells. */
	TERMINAL,

	/** Its card is compromised, and pays several times its usual amounts. */
	CARD

}
