package io.ringkernel.cuda.memory;

import java.util.concurrent.ConcurrentLinkedQueue;

import io.ringkernel.cuda.driver.CudaDeadlineException;
import io.ringkernel.exception.RingKernelException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What to give back to the driver once no kernel runs: until then the driver would hold
 * up the call. No other class refers to what is reachable from here.
 *
 * @since 0.2.0
 */
public final class DeferredReleases {

	private static final Logger logger = LoggerFactory.getLogger(DeferredReleases.class);

	private final ConcurrentLinkedQueue<Runnable> releases = new ConcurrentLinkedQueue<>();

	void add(Runnable release) {
		this.releases.add(release);
	}

	public boolean isEmpty() {
		return this.releases.isEmpty();
	}

	/**
	 * Gives everything back. Only called while no kernel runs. What a driver that does
	 * not return has not been asked for waits for the next time.
	 */
	public void run() {
		Runnable release = this.releases.poll();
		while (release != null) {
			try {
				release.run();
			}
			catch (CudaDeadlineException ex) {
				logger.debug("Memory of a ring kernel is given back later", ex);
				if (!ex.isMade()) {
					this.releases.add(release);
				}
				return;
			}
			catch (RingKernelException ex) {
				logger.warn("Memory of a ring kernel could not be given back", ex);
			}
			release = this.releases.poll();
		}
	}

}
