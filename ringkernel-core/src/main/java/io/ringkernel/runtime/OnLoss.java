package io.ringkernel.runtime;

/**
 * What becomes of a replica whose device is lost.
 *
 * @since 0.2.0
 */
public enum OnLoss {

	/**
	 * It stays with its device: it goes on on the CPU, if the configuration admits that,
	 * and otherwise takes no requests until the device is back.
	 */
	FAIL,

	/**
	 * It goes on on another device of its kernel until its own is back, with the state
	 * that was saved last. If no other device takes it, it stays.
	 */
	MOVE

}
