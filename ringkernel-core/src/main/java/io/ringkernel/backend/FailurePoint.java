package io.ringkernel.backend;

import org.jspecify.annotations.Nullable;

/**
 * An exception that the code of a handler may throw on a device.
 *
 * @param exception the class of the exception
 * @param message its message; {@code null} if it has none, or only Java can tell it
 * @param className the class of the code that throws it
 * @param methodName the method of the code
 * @param line the line of the code; 0 if it is not known
 * @since 0.2.0
 */
public record FailurePoint(String exception, @Nullable String message, String className, String methodName, int line) {

	@Override
	public String toString() {
		return "%s%s at %s.%s(line %d)".formatted(this.exception, (this.message != null) ? ": " + this.message : "",
				this.className, this.methodName, this.line);
	}

}
