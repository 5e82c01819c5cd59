package io.ringkernel.sample.validation;

import java.util.Locale;

import org.jspecify.annotations.Nullable;

/**
 * How a case ended.
 *
 * @param validationCase the case
 * @param nanos the median latency of its rounds
 * @param problem what went wrong, or {@code null} if every element was right
 */
record ValidationResult(ValidationCase validationCase, long nanos, @Nullable String problem) {

	boolean passed() {
		return this.problem == null;
	}

	String row() {
		return String.format(Locale.ROOT, "%-10s %10d %14.1f  %s", this.validationCase.name().toLowerCase(Locale.ROOT),
				this.validationCase.elements(), this.nanos / 1000.0, passed() ? "passed" : "FAILED: " + this.problem);
	}

}
