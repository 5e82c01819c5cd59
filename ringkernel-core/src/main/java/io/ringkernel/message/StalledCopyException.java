package io.ringkernel.message;

import java.time.Duration;

/**
 * Thrown when a thread that helps to copy an array has begun a part and does not end it:
 * threads of the common pool were not run for seconds.
 */
final class StalledCopyException extends IllegalStateException {

	private static final long serialVersionUID = 1L;

	StalledCopyException(int part, int parts, Duration waited) {
		super("Part %d of %d of an array was begun and is not copied after %s: ".formatted(part, parts, waited)
				+ "the threads of the common pool do not run. Give the process more of a processor, "
				+ "or set java.util.concurrent.ForkJoinPool.common.parallelism to 0.");
	}

}
