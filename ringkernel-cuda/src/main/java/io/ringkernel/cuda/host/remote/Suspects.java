package io.ringkernel.cuda.host.remote;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.ringkernel.backend.DeviceLostException;
import org.jspecify.annotations.Nullable;

/**
 * The kernels that may have ended a host: those that a fault found at work, be it one of
 * the device or one of the process, or the one that did not get done with a request or
 * its load. Any number of threads.
 */
final class Suspects {

	/**
	 * The exit statuses of a process that has ended by a fault of its own: 1 of a JVM
	 * that has reported one and dumps no core, otherwise 128 and SIGILL, SIGTRAP,
	 * SIGABRT, SIGBUS, SIGFPE or SIGSEGV.
	 */
	private static final Set<Integer> OWN_FAULTS = Set.of(1, 132, 133, 134, 135, 136, 139);

	/** The kernels that are being loaded or started, or were when the device was lost. */
	private final Set<String> beginning = ConcurrentHashMap.newKeySet();

	/** Whether the host has told that it has lost its device. */
	private volatile boolean deviceLost;

	/** The kernel that has not got done with a request, or with its load. */
	private volatile @Nullable String stuck;

	/** Loads or starts a kernel, which is suspect if the host is lost meanwhile. */
	<T> T during(String kernelId, Supplier<T> begin) {
		this.beginning.add(kernelId);
		boolean hostLost = false;
		try {
			return begin.get();
		}
		catch (DeviceLostException ex) {
			hostLost = true;
			throw ex;
		}
		finally {
			if (!hostLost) {
				this.beginning.remove(kernelId);
			}
		}
	}

	void deviceLost() {
		this.deviceLost = true;
	}

	/**
	 * Something that was to be done for a kernel has not come to its end in time. Loads
	 * and starts are called in order, so the first that is late is what the others wait
	 * for.
	 */
	void late(String kernelId) {
		if (this.stuck == null && this.beginning.contains(kernelId)) {
			this.stuck = kernelId;
		}
	}

	void stuck(String kernelId) {
		this.stuck = kernelId;
	}

	/**
	 * The suspects of a host that has ended. One that was killed from outside, or was
	 * stopped, leaves none.
	 */
	Set<String> of(int exitStatus, Stream<RemoteLoop> served) {
		String culprit = this.stuck;
		if (culprit != null) {
			return Set.of(culprit);
		}
		if (!this.deviceLost && !OWN_FAULTS.contains(exitStatus)) {
			return Set.of();
		}
		Stream<String> handling = served.filter((loop) -> loop.begun().length > 0).map(RemoteLoop::kernelId);
		return Stream.concat(handling, this.beginning.stream()).collect(Collectors.toUnmodifiableSet());
	}

}
