package io.ringkernel.backend;

import java.time.Duration;

import io.ringkernel.Durations;
import io.ringkernel.exception.InvalidConfigurationException;

/**
 * Refuses values of settings that are out of range, and says what to set instead.
 */
final class SettingRange {

	/** A year: far below what overflows a count of nanoseconds. */
	private static final Duration LONGEST = Duration.ofDays(365);

	private SettingRange() {
	}

	static void number(String setting, long value, long min, long max) {
		if (value < min || value > max) {
			throw new InvalidConfigurationException(setting, value, "is out of range",
					"Set it to a value from %d to %d.".formatted(min, max));
		}
	}

	static void size(String setting, long bytes, long max, String maxAsWritten) {
		if (bytes < 0 || bytes > max) {
			throw new InvalidConfigurationException(setting, bytes + "B", "is out of range",
					"Set it to a size from 0B to %s; 0B stands for the default.".formatted(maxAsWritten));
		}
	}

	static void positive(String setting, Duration value, Duration example) {
		if (value.isZero() || isOutOfRange(value)) {
			throw new InvalidConfigurationException(setting, value, "is out of range",
					"Set it to more than 0s and at most %s, such as %s.".formatted(Durations.format(LONGEST),
							Durations.format(example)));
		}
	}

	static void notNegative(String setting, Duration value, Duration example) {
		if (isOutOfRange(value)) {
			throw new InvalidConfigurationException(setting, value, "is out of range",
					"Set it to a duration from 0s to %s, such as %s.".formatted(Durations.format(LONGEST),
							Durations.format(example)));
		}
	}

	private static boolean isOutOfRange(Duration value) {
		return value.isNegative() || value.compareTo(LONGEST) > 0;
	}

}
