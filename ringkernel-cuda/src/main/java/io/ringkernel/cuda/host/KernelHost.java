package io.ringkernel.cuda.host;

import java.time.Instant;

import io.ringkernel.Durations;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The host of an application: started when it is first needed, again when it was lost and
 * is needed once more, and closed when no backend uses it. A host that is lost too often
 * is given up.
 */
final class KernelHost {

	private static final Logger logger = LoggerFactory.getLogger(KernelHost.class);

	private final HostLauncher launcher;

	private final CrashBudget budget = new CrashBudget();

	private @Nullable HostProcess current;

	private @Nullable Instant startedAt;

	private int crashes;

	private @Nullable String lastExit;

	private int users;

	private final Quarantine quarantine = new Quarantine();

	KernelHost(HostLauncher launcher) {
		this.launcher = launcher;
	}

	/**
	 * The host that runs, or a new one.
	 * @throws HostFailureException if it cannot be started, or was lost too often
	 */
	synchronized HostProcess running() {
		HostProcess known = this.current;
		if (known != null && !known.isEnding()) {
			return known;
		}
		HostFailureException spent = failure();
		if (spent != null) {
			throw spent;
		}
		HostProcess started = this.launcher.launch(this::onLost);
		this.current = started;
		this.startedAt = Instant.now();
		return started;
	}

	/**
	 * Whether a host runs, without starting one.
	 */
	synchronized boolean isRunning() {
		HostProcess known = this.current;
		return known != null && !known.isEnding();
	}

	/**
	 * Why no host is started any more.
	 * @return the failure; {@code null} if one runs or may be started
	 */
	synchronized @Nullable HostFailureException failure() {
		return (!isRunning() && this.budget.isSpent(System.nanoTime())) ? new HostFailureException(
				"The kernel host has ended %d times within %s and is not started again before that has passed. The log says why."
					.formatted(CrashBudget.CRASHES, Durations.format(CrashBudget.FORGIVEN_AFTER)))
				: null;
	}

	private synchronized void onLost(HostProcess host) {
		if (host.wasClosed()) {
			return;
		}
		logger.error("The kernel host has ended: {}", host.lost());
		this.budget.spend(System.nanoTime());
		this.quarantine.hostEnded(host.suspects());
		this.crashes++;
		this.lastExit = host.lost();
	}

	/**
	 * Whether a kernel is kept from the host.
	 */
	boolean isQuarantined(String kernelId) {
		return this.quarantine.contains(kernelId);
	}

	/**
	 * Lets a kernel to the host again, since it is launched anew.
	 */
	void readmit(String kernelId) {
		this.quarantine.readmit(kernelId);
	}

	synchronized HostStatus status() {
		HostProcess known = this.current;
		if (known == null || known.isEnding()) {
			return new HostStatus(0, null, this.crashes, this.lastExit);
		}
		return new HostStatus(known.pid(), this.startedAt, this.crashes, this.lastExit);
	}

	synchronized void use() {
		this.users++;
	}

	/**
	 * A backend needs the host no more.
	 */
	void release() {
		synchronized (this) {
			this.users--;
		}
		closeUnused();
	}

	/**
	 * Ends the host if no backend uses it.
	 */
	void closeUnused() {
		HostProcess unused;
		synchronized (this) {
			if (this.users > 0) {
				return;
			}
			unused = this.current;
			this.current = null;
		}
		if (unused != null) {
			unused.close();
		}
	}

}
