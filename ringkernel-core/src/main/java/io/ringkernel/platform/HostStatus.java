package io.ringkernel.platform;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * How the kernel host of a provider is: the process that uses devices in place of the
 * application.
 *
 * @param pid the process that runs; 0 if none does
 * @param startedAt when it was started; {@code null} if none runs
 * @param devices the devices that backends use from it, in ascending order
 * @param crashes how many hosts have ended without being asked to
 * @param restarts how many of these were replaced by a new one
 * @param outage for how long, altogether, there was no host after one of these had ended
 * @param lastExit how the last one of these has ended, and why: a clause; {@code null} if
 * none has
 * @param quarantined the ids of the kernels that are kept from the host
 * @since 0.2.0
 */
public record HostStatus(long pid, @Nullable Instant startedAt, List<Integer> devices, int crashes, int restarts,
		Duration outage, @Nullable String lastExit, Set<String> quarantined) {

	/**
	 * Creates the status.
	 * @param pid the process that runs; 0 if none does
	 * @param startedAt when it was started
	 * @param devices the devices that backends use from it
	 * @param crashes how many hosts have ended without being asked to
	 * @param restarts how many of these were replaced
	 * @param outage for how long there was no host
	 * @param lastExit how the last one has ended
	 * @param quarantined the kernels that are kept from the host
	 */
	public HostStatus {
		devices = List.copyOf(devices);
		quarantined = Set.copyOf(quarantined);
	}

	/**
	 * {@return whether the devices are in use and out of reach: the host has ended
	 * without being asked to, and no other one runs yet}
	 */
	public boolean isLost() {
		return this.pid == 0 && this.lastExit != null && !this.devices.isEmpty();
	}

}
