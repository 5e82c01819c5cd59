package io.ringkernel;

/**
 * Which requests come first where there are more than a kernel can take.
 * <p>
 * A ring is answered in the order in which it was filled: what has been sent is overtaken
 * by nothing. So priority decides what is sent. A background request waits at the door
 * until a worker would be free for it, and thus never lies in the ring ahead of a normal
 * one: that one finds at most the requests that are being handled before it. In return
 * background requests wait for as long as normal ones keep the workers busy.
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
