package io.ringkernel.exception;

import java.util.OptionalLong;

import org.jspecify.annotations.Nullable;

/**
 * A message does not fit its layout: a component is longer than its capacity, or
 * {@code null} where a value is required. Thrown before anything is sent.
 *
 * @since 0.1.0
 */
public class InvalidMessageException extends RingKernelException {

	private final Class<?> recordType;

	private final String component;

	private final OptionalLong value;

	private final OptionalLong limit;

	/**
	 * Creates the exception.
	 * @param recordType the record whose component is invalid
	 * @param component the path of the component, {@code "corner.x"} for a nested one;
	 * empty for the record itself
	 * @param problem the rest of the sentence: the value, the limit and the remedy
	 */
	public InvalidMessageException(Class<?> recordType, String component, String problem) {
		this(recordType, component, problem, null);
	}

	/**
	 * Creates the exception.
	 * @param recordType the record whose component is invalid
	 * @param component the path of the component, {@code "corner.x"} for a nested one;
	 * empty for the record itself
	 * @param problem the rest of the sentence: the value, the limit and the remedy
	 * @param cause what led to it, if anything
	 */
	public InvalidMessageException(Class<?> recordType, String component, String problem, @Nullable Throwable cause) {
		this(recordType, component, problem, OptionalLong.empty(), OptionalLong.empty(), cause);
	}

	/**
	 * Creates the exception for a component of the wrong length.
	 * @param recordType the record whose component is invalid
	 * @param component the path of the component, {@code "corner.x"} for a nested one
	 * @param problem the rest of the sentence: the value, the limit and the remedy
	 * @param value the length that was found
	 * @param limit the length that is allowed
	 */
	public InvalidMessageException(Class<?> recordType, String component, String problem, long value, long limit) {
		this(recordType, component, problem, OptionalLong.of(value), OptionalLong.of(limit), null);
	}

	private InvalidMessageException(Class<?> recordType, String component, String problem, OptionalLong value,
			OptionalLong limit, @Nullable Throwable cause) {
		super(recordType.getSimpleName() + (component.isEmpty() ? "" : ".") + component + " " + problem, cause);
		this.recordType = recordType;
		this.component = component;
		this.value = value;
		this.limit = limit;
	}

	/**
	 * {@return the record whose component is invalid}
	 */
	public Class<?> recordType() {
		return this.recordType;
	}

	/**
	 * {@return the path of the component that is invalid, {@code "corner.x"} for a nested
	 * one; empty for the record itself}
	 */
	public String component() {
		return this.component;
	}

	/**
	 * {@return the elements of the component, or bytes for text; empty if the length is
	 * not what is invalid}
	 */
	public OptionalLong value() {
		return this.value;
	}

	/**
	 * {@return the elements that the component may have, or bytes for text; empty if the
	 * length is not what is invalid}
	 */
	public OptionalLong limit() {
		return this.limit;
	}

}
