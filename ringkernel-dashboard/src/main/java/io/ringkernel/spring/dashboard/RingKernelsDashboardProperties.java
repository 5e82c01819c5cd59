package io.ringkernel.spring.dashboard;

import java.time.Duration;

import io.ringkernel.Durations;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * {@link ConfigurationProperties @ConfigurationProperties} of the dashboard.
 *
 * @param maxClients How many pages may be open at once, from 1 to 64. Each takes a
 * connection, and a thread while something is written to it.
 * @param interval How long a page waits for the next figures, from 100 ms to 10 s.
 * @since 0.2.0
 */
@ConfigurationProperties(RingKernelsDashboardProperties.PREFIX)
public record RingKernelsDashboardProperties(@DefaultValue("8") int maxClients, @DefaultValue("1s") Duration interval) {

	static final String PREFIX = "management.endpoint.ringkernelsdashboard";

	private static final int MOST_CLIENTS = 64;

	private static final Duration SHORTEST_INTERVAL = Duration.ofMillis(100);

	/** A page takes an application for silent after 15 s. */
	private static final Duration LONGEST_INTERVAL = Duration.ofSeconds(10);

	/**
	 * Checks the values.
	 * @param maxClients how many pages may be open at once
	 * @param interval how long a page waits for the next figures
	 */
	public RingKernelsDashboardProperties {
		if (maxClients < 1 || maxClients > MOST_CLIENTS) {
			throw new IllegalArgumentException("%s.max-clients = %d is out of range. Set it to a value from 1 to %d."
				.formatted(PREFIX, maxClients, MOST_CLIENTS));
		}
		if (interval.compareTo(SHORTEST_INTERVAL) < 0 || interval.compareTo(LONGEST_INTERVAL) > 0) {
			throw new IllegalArgumentException("%s.interval = %s is out of range. Set it to a duration from %s to %s."
				.formatted(PREFIX, Durations.format(interval), Durations.format(SHORTEST_INTERVAL),
						Durations.format(LONGEST_INTERVAL)));
		}
	}

}
