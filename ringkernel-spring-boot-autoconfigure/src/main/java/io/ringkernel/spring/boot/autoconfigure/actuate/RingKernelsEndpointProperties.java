package io.ringkernel.spring.boot.autoconfigure.actuate;

import java.util.LinkedHashSet;
import java.util.Set;

import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Configuration of {@link RingKernelsEndpoint}.
 *
 * @since 0.2.0
 */
@ConfigurationProperties("management.endpoint.ringkernels")
public class RingKernelsEndpointProperties {

	/**
	 * When to show the messages of a kernel's last errors, which are those of exceptions
	 * that handlers throw.
	 */
	private Show showValues = Show.NEVER;

	/**
	 * Roles that authorize a user to see these messages. When empty, all authenticated
	 * users are authorized.
	 */
	private final Set<String> roles = new LinkedHashSet<>();

	/** Creates the configuration, under which nobody sees the messages. */
	public RingKernelsEndpointProperties() {
	}

	/**
	 * {@return when the messages of a kernel's last errors are shown}
	 */
	public Show getShowValues() {
		return this.showValues;
	}

	/**
	 * Sets when the messages of a kernel's last errors are shown.
	 * @param showValues when
	 */
	public void setShowValues(Show showValues) {
		this.showValues = showValues;
	}

	/**
	 * {@return roles of which a user needs one to see the messages when authorized}
	 */
	public Set<String> getRoles() {
		return this.roles;
	}

}
