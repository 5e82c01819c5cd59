package io.ringkernel.models.autoconfigure;

import java.util.LinkedHashMap;

import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * The properties of models, by the names of their beans.
 *
 * @since 0.2.0
 */
@ConfigurationProperties(RingKernelModelsProperties.PREFIX)
public final class RingKernelModelsProperties extends LinkedHashMap<String, ModelProperties> {

	/** What the names of all properties begin with. */
	public static final String PREFIX = "ringkernel.models";

	private static final long serialVersionUID = 1L;

	/** Creates the properties of no models. */
	public RingKernelModelsProperties() {
	}

}
