package io.ringkernel.cuda.memory;

import java.util.concurrent.ConcurrentLinkedQueue;

import io.ringkernel.RingKernelException;
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
	 * Gives everything back. Only called while no kernel runs.
	 */
	public void run() {
		Runnable release = this.releases.poll();
		while (release != null) {
			try {
				release.run();
			}
			catch (RingKernelException ex) {
				logger.warn("Memory of a ring kernel could not be given back", ex);
			}
			release = this.releases.poll();
		}
	}

}
