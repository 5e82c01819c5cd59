package io.ringkernel.observe;

/**
 * Is told how long requests took that were timed. Called by the thread that has taken the
 * response, before its caller goes on: it must not block, allocate or throw. One that
 * throws is not called again.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface RequestTimingListener {

	/** A time that could not be measured. */
	long UNKNOWN = -1;

	/**
	 * A request that was timed has been answered, by whichever response. All times are in
	 * nanoseconds. Only those that were measured on one clock are given: with a device
	 * whose clock is its own, none but the total.
	 * @param total from the first look for a free slot until the response was decoded
	 * @param queued the part of it until a worker began the request, the wait for a slot
	 * included; or {@link #UNKNOWN}
	 * @param handling the part in which a worker decoded the request and the handler ran;
	 * or {@link #UNKNOWN}
	 * @param delivery the part after that: encoding the response, noticing it, waking the
	 * caller, decoding it; or {@link #UNKNOWN}
	 */
	void onAnswered(long total, long queued, long handling, long delivery);

}
