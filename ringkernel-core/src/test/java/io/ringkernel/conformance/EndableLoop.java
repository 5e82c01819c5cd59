package io.ringkernel.conformance;

import io.ringkernel.backend.DeviceLoop;
import io.ringkernel.backend.PlanFailedException;

/**
 * A loop that a test ends, and that reports its plan as failed from then on.
 */
public interface EndableLoop extends DeviceLoop {

	/**
	 * Ends the loop; when this returns, it has ended.
	 */
	void end(PlanFailedException why) throws InterruptedException;

}
