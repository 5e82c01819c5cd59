package io.ringkernel.session.serving;

import java.util.function.LongPredicate;

import io.ringkernel.backend.KernelRegion;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.backend.Replay;
import io.ringkernel.backend.ReplayPolicy;
import io.ringkernel.ring.DeviceRing;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides whether a request that a loop may have begun when it was ended may be handled
 * again: as the options of the kernel say, else as its policy says of what the slot
 * holds.
 *
 * @since 0.2.0
 */
public final class ReplayDecision implements LongPredicate {

	private static final Logger logger = LoggerFactory.getLogger(ReplayDecision.class);

	private final KernelSpec<?, ?> kernel;

	private final KernelRegion region;

	/**
	 * Creates the decision for one session.
	 * @param kernel the kernel
	 * @param region what the loop serves
	 */
	public ReplayDecision(KernelSpec<?, ?> kernel, KernelRegion region) {
		this.kernel = kernel;
		this.region = region;
	}

	@Override
	public boolean test(long position) {
		ReplayPolicy policy = this.kernel.replay();
		return this.kernel.options().replay() == Replay.IDEMPOTENT || (policy != null && admits(policy, position));
	}

	/**
	 * The policy is the application's, and the request is what a lost device has left in
	 * its memory. Neither may keep the other requests from being handled.
	 */
	private boolean admits(ReplayPolicy policy, long position) {
		try {
			DeviceRing ring = new DeviceRing(this.region.memory().buffer(), this.region.ring(), 1);
			return policy.mayHandleAgain(this.kernel.kernelId(), ring.request(position, 0, this.kernel.requests()));
		}
		catch (RuntimeException | Error ex) {
			logger.warn(
					"A request of ring kernel '{}' is not handled again, because it could not be decided whether it may be",
					this.kernel.id(), ex);
			return false;
		}
	}

}
