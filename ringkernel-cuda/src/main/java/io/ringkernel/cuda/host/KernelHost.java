package io.ringkernel.cuda.host;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;

import io.ringkernel.Durations;
import io.ringkernel.cuda.host.remote.HostProcess;
import io.ringkernel.cuda.host.wire.HostFailureException;
import io.ringkernel.platform.HostEvent;
import io.ringkernel.platform.HostStatus;
import io.ringkernel.platform.KernelHostLost;
import io.ringkernel.platform.KernelHostRestarted;
import io.ringkernel.platform.KernelQuarantined;
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

	private final Function<Consumer<HostProcess>, HostProcess> launcher;

	private final CrashBudget budget;

	/** Held while a host is started, which takes long, and taken before the monitor. */
	private final ReentrantLock starting = new ReentrantLock();

	private @Nullable HostProcess current;

	private @Nullable Instant startedAt;

	private int crashes;

	private @Nullable String lastExit;

	/** How long there was no host, without the outage that lasts. */
	private Duration outage = Duration.ZERO;

	private int restarts;

	/** When the host was lost that no other one has replaced yet. */
	private @Nullable Long lostAt;

	/** The devices of the backends that use the host. */
	private final List<Integer> users = new ArrayList<>();

	private final Quarantine quarantine = new Quarantine();

	private final List<Consumer<HostEvent>> listeners = new CopyOnWriteArrayList<>();

	/**
	 * Creates the host, which does not run yet.
	 * @param launcher starts one, given what is told once it is lost
	 */
	KernelHost(Function<Consumer<HostProcess>, HostProcess> launcher, CrashBudget budget) {
		this.launcher = launcher;
		this.budget = budget;
	}

	/**
	 * The host that runs, or a new one. {@link HostBackend} asks for it: for the thread
	 * that takes a kernel back to its device, and for each launch.
	 * @throws HostFailureException if it cannot be started, or was lost too often
	 */
	HostProcess running() {
		this.starting.lock();
		try {
			HostProcess known = runningOrNone();
			return (known != null) ? known : started(this.launcher.apply(this::onLost));
		}
		finally {
			this.starting.unlock();
		}
	}

	private synchronized @Nullable HostProcess runningOrNone() {
		if (isRunning()) {
			return this.current;
		}
		HostFailureException spent = failure();
		if (spent != null) {
			throw spent;
		}
		return null;
	}

	private synchronized HostProcess started(HostProcess host) {
		this.current = host;
		this.startedAt = Instant.now();
		if (host.lost() == null) {
			restarted(host);
		}
		return host;
	}

	void addListener(Consumer<HostEvent> listener) {
		this.listeners.add(listener);
	}

	void removeListener(Consumer<HostEvent> listener) {
		this.listeners.remove(listener);
	}

	private void publish(HostEvent event) {
		this.listeners.forEach((listener) -> listener.accept(event));
	}

	/** Notes that a host runs again, if one was lost before. */
	private void restarted(HostProcess host) {
		Long since = this.lostAt;
		if (since != null) {
			Duration lasted = Duration.ofNanos(System.nanoTime() - since);
			this.lostAt = null;
			this.restarts++;
			this.outage = this.outage.plus(lasted);
			publish(new KernelHostRestarted(host.pid(), lasted));
		}
	}

	/** Whether a host runs, without starting one. */
	synchronized boolean isRunning() {
		HostProcess known = this.current;
		return known != null && !known.isEnding();
	}

	/** Why no host is started any more; {@code null} if one runs or may be started. */
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
		String why = Objects.requireNonNull(host.lost());
		Set<String> atWork = host.suspects();
		this.crashes++;
		this.lastExit = why;
		if (this.lostAt == null) {
			this.lostAt = System.nanoTime();
		}
		publish(new KernelHostLost(host.pid(), why, atWork));
		this.quarantine.hostEnded(atWork).forEach((kernel) -> publish(new KernelQuarantined(kernel, why)));
		HostProcess next = this.current;
		if (next != null && !next.isEnding()) {
			// It was started while the system still ended the last one.
			restarted(next);
		}
	}

	boolean isQuarantined(String kernelId) {
		return this.quarantine.contains(kernelId);
	}

	void readmit(String kernelId) {
		this.quarantine.readmit(kernelId);
	}

	synchronized HostStatus status() {
		HostProcess known = this.current;
		boolean runs = isRunning();
		Long since = this.lostAt;
		Duration down = (since != null) ? this.outage.plusNanos(System.nanoTime() - since) : this.outage;
		return new HostStatus((known != null && runs) ? known.pid() : 0, runs ? this.startedAt : null,
				this.users.stream().distinct().sorted().toList(), this.crashes, this.restarts, down,
				(known != null && !runs) ? known.ending() : this.lastExit, this.quarantine.kernels());
	}

	synchronized void use(int device) {
		this.users.add(device);
	}

	void release(int device) {
		synchronized (this) {
			this.users.remove(Integer.valueOf(device));
		}
		closeUnused();
	}

	void closeUnused() {
		HostProcess unused;
		this.starting.lock();
		try {
			unused = takeUnused();
		}
		finally {
			this.starting.unlock();
		}
		if (unused != null) {
			unused.close();
		}
	}

	private synchronized @Nullable HostProcess takeUnused() {
		if (!this.users.isEmpty()) {
			return null;
		}
		HostProcess unused = this.current;
		this.current = null;
		this.lostAt = null;
		return unused;
	}

}
