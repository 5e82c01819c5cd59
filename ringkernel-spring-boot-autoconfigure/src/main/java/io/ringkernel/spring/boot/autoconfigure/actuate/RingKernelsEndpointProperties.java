package io.ringkernel.spring.boot.autoconfigure.actuate;

import java.util.Set;

import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration of {@link RingKernelsEndpoint}.
 *
 * @param showValues When to show the messages of a kernel's last errors, which are those
 * of exceptions that handlers throw.
 * @param roles Roles that authorize a user to see these messages. When empty, all
 * authenticated users are authorized.
 * @since 0.2.0
 */
@ConfigurationProperties("management.endpoint.ringkernels")
public record RingKernelsEndpointProperties(@DefaultValue("never") Show showValues, @DefaultValue Set<String> roles) {

}
