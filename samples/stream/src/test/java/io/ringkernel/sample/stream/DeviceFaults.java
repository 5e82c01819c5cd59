package io.ringkernel.sample.stream;

import java.util.regex.Pattern;

/**
 * Ends the kernel host of a node again and again: each time that the kernel is on the
 * device and a number of scores has arrived since the last time.
 */
final class DeviceFaults {

	private static final Pattern BACK = Pattern.compile("Ring kernel 'card-scoring' is back on cuda");

	private static final Pattern LOST = Pattern.compile("The kernel has lost its state");

	private final ProcessNode node;

	private final long every;

	private long next;

	private int count;

	/**
	 * Faults of a node.
	 * @param node one that runs on a device
	 * @param every how many scores there are from a fault to the next one, at least
	 */
	DeviceFaults(ProcessNode node, long every) {
		this.node = node;
		this.every = every;
		this.next = every;
	}

	/**
	 * Ends the host if it is time.
	 * @param scores how many scores have arrived
	 */
	void look(long scores) {
		if (scores >= this.next && occurrences(BACK) == this.count) {
			this.node.killHost();
			this.count++;
			this.next = scores + this.every;
		}
	}

	/**
	 * Returns how many times the host was ended.
	 */
	int count() {
		return this.count;
	}

	/**
	 * Returns how many times the node has found that its kernel had lost the state.
	 */
	long statesLost() {
		return occurrences(LOST);
	}

	private long occurrences(Pattern message) {
		return message.matcher(this.node.output()).results().count();
	}

}
