package io.ringkernel.cuda.host;

import java.util.HashSet;
import java.util.Set;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The kernels that are kept from the host because they have ended it. A device does not
 * tell which kernel has met a fault. So a kernel is kept away if it is the only one that
 * was at work both times when the host ended twice in a row, and was alone at one of
 * them: the other time, a kernel may have been on its way back to the device.
 */
final class Quarantine {

	private static final Logger logger = LoggerFactory.getLogger(Quarantine.class);

	private final Set<String> kernels = new HashSet<>();

	/** Those that were at work when the host ended last. */
	private Set<String> suspects = Set.of();

	/**
	 * Notes that the host has ended, and tells which kernels are kept from it from now
	 * on: one or none.
	 * @param atWork the kernels that may have been handling a request, or were being
	 * loaded, when a fault ended it; none if something else did
	 */
	synchronized Set<String> hostEnded(Set<String> atWork) {
		Set<String> repeated = new HashSet<>(atWork);
		repeated.retainAll(this.suspects);
		boolean wasAlone = atWork.size() == 1 || this.suspects.size() == 1;
		this.suspects = atWork;
		if (!wasAlone || repeated.isEmpty()) {
			return Set.of();
		}
		this.kernels.addAll(repeated);
		logger.error("Ring kernel {} was at work when the kernel host ended twice in a row, and is kept from it "
				+ "until it is relaunched", repeated);
		return Set.copyOf(repeated);
	}

	synchronized Set<String> kernels() {
		return Set.copyOf(this.kernels);
	}

	synchronized boolean contains(String kernelId) {
		return this.kernels.contains(kernelId);
	}

	/**
	 * Lets a kernel to the host again. If it was kept away, the end that this was for
	 * counts no more, for it and for those that were at work beside it.
	 */
	synchronized void readmit(String kernelId) {
		if (this.kernels.remove(kernelId) && this.suspects.contains(kernelId)) {
			this.suspects = Set.of();
		}
	}

}
