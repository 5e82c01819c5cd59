package io.ringkernel.sample.web;

import org.jspecify.annotations.Nullable;

/**
 * What a caller sent cannot be used; answered with status 400.
 */
public class InvalidInputException extends RuntimeException {

	private final String field;

	private final @Nullable Object limit;

	private final @Nullable Object value;

	/**
	 * Creates the exception.
	 * @param field the path of the field at fault, as in {@code vectors[2].id}
	 * @param problem the rest of the sentence that begins with the field; repeats nothing
	 * of unbounded length
	 * @param limit what would have been allowed, if that is one value
	 * @param value what was found, if that is short
	 */
	public InvalidInputException(String field, String problem, @Nullable Object limit, @Nullable Object value) {
		super(problem);
		this.field = field;
		this.limit = limit;
		this.value = value;
	}

	String field() {
		return this.field;
	}

	@Nullable Object limit() {
		return this.limit;
	}

	@Nullable Object value() {
		return this.value;
	}

}
