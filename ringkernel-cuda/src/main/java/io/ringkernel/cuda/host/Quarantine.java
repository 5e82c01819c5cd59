package io.ringkernel.cuda.host;

import java.util.HashSet;
import java.util.Set;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The kernels that are kept from the host because they have ended it. A device does not
 * tell which kernel has met a fault. So a kernel is kept away if it alone was at work
 * when the host ended, twice in a row.
 */
final class Quarantine {

	private static final Logger logger = LoggerFactory.getLogger(Quarantine.class);

	private final Set<String> kernels = new HashSet<>();

	/** Those that were at work when the host ended last. */
	private Set<String> suspects = Set.of();

	/**
	 * Notes that the host has ended.
	 * @param atWork the kernels that may have been handling a request when a fault ended
	 * it; none if something else did
	 * @return those that are kept from the host from now on: one or none
	 */
	synchronized Set<String> hostEnded(Set<String> atWork) {
		boolean repeated = atWork.size() == 1 && atWork.equals(this.suspects);
		this.suspects = atWork;
		if (repeated) {
			this.kernels.addAll(atWork);
			logger.error(
					"Ring kernel {} was at work alone when the kernel host ended twice in a row, and is kept from it "
							+ "until it is relaunched",
					atWork);
		}
		return repeated ? atWork : Set.of();
	}

	synchronized Set<String> kernels() {
		return Set.copyOf(this.kernels);
	}

	synchronized boolean contains(String kernelId) {
		return this.kernels.contains(kernelId);
	}

	synchronized void readmit(String kernelId) {
		this.kernels.remove(kernelId);
	}

}
