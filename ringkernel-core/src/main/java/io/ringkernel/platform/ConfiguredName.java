package io.ringkernel.platform;

import java.util.Locale;

/**
 * How a constant is written in configuration: {@code event-driven} for
 * {@code EVENT_DRIVEN}. What is shown to a user is written the same way, so that it can
 * be copied.
 *
 * @since 0.1.0
 */
public final class ConfiguredName {

	private ConfiguredName() {
	}

	/**
	 * {@return the name of a constant in configuration: in lower case, with hyphens}
	 * @param constant the constant
	 */
	public static String of(Enum<?> constant) {
		return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

}
