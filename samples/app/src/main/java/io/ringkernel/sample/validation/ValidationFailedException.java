package io.ringkernel.sample.validation;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A kernel does not compute what plain Java computes. Thrown at startup, which it ends.
 */
class ValidationFailedException extends IllegalStateException {

	ValidationFailedException(String kernelId, List<ValidationResult> results) {
		super("Ring kernel '%s' failed its validation: %s. Correct its handler or image, or skip the check with sample.validation.enabled=false."
			.formatted(kernelId, results.stream()
				.filter((result) -> !result.passed())
				.map((result) -> "%d elements: %s".formatted(result.validationCase().elements(), result.problem()))
				.collect(Collectors.joining("; "))));
	}

}
