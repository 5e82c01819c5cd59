package io.ringkernel;

/**
 * Which requests a client sends first if there are more than a kernel can handle.
 * <p>
 * Workers take requests in the order in which they were sent. Priority therefore decides
 * when a request is sent. A client sends a background request only if a worker would be
 * free for it, so it never lies in the ring ahead of a normal request. Background
 * requests wait for as long as normal requests keep the workers busy.
 *
 * @since 0.1.0
 */
public enum RequestPriority {

	/** Sent as soon as there is a free slot. */
	NORMAL,

	/**
	 * Sent only while fewer requests are in flight than the kernel has workers. Until
	 * then it waits as for a free slot: for at most its timeout, or not at all where the
	 * kernel rejects when full.
	 */
	BACKGROUND

}
