package io.ringkernel.sample.web;

import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.databind.exc.MismatchedInputException;

import org.springframework.beans.TypeMismatchException;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.converter.HttpMessageNotReadableException;

/**
 * Says what is wrong with the input: the field, and the limit and the value where there
 * are any. Nothing of the input itself is repeated, however long it is.
 */
final class InputProblem {

	private static final String BODY = "body";

	private InputProblem() {
	}

	static ProblemDetail of(String field, InvalidInputException ex) {
		ProblemDetail problem = of(field, field + " " + ex.getMessage() + ".");
		setIfPresent(problem, "limit", ex.limit());
		setIfPresent(problem, "value", ex.value());
		return problem;
	}

	static ProblemDetail of(String field, @Nullable String detail) {
		ProblemDetail problem = ProblemDetail.forStatusAndDetail(HttpStatus.BAD_REQUEST, detail);
		problem.setTitle("Invalid input");
		problem.setProperty("field", field);
		return problem;
	}

	static ProblemDetail of(TypeMismatchException ex) {
		String field = Objects.requireNonNullElse(ex.getPropertyName(), "parameter");
		return of(field, field + " is no " + typeName(ex.getRequiredType()) + ".");
	}

	static ProblemDetail of(HttpMessageNotReadableException ex) {
		if (!(ex.getCause() instanceof JacksonException cause)) {
			return of(BODY, "body is missing or could not be read.");
		}
		String field = path(cause.getPath());
		if (cause.getCause() instanceof InvalidInputException invalid) {
			return of(field + invalid.field(), invalid);
		}
		if (cause instanceof MismatchedInputException mismatch) {
			return mismatch(field, mismatch.getTargetType());
		}
		if (cause instanceof InputCoercionException coercion) {
			return mismatch(field, coercion.getTargetType());
		}
		if (cause instanceof StreamConstraintsException) {
			return of(BODY, "body exceeds a limit of the JSON parser: " + cause.getOriginalMessage());
		}
		if (cause instanceof StreamReadException) {
			return of(BODY, "body is no valid JSON: see line %d, column %d.".formatted(cause.getLocation().getLineNr(),
					cause.getLocation().getColumnNr()));
		}
		return of(BODY, "body could not be read.");
	}

	private static ProblemDetail mismatch(String path, @Nullable Class<?> type) {
		String field = path.isEmpty() ? BODY : path;
		return of(field, "%s is required and has to be %s.".formatted(field, typeName(type)));
	}

	private static void setIfPresent(ProblemDetail problem, String name, @Nullable Object value) {
		if (value != null) {
			problem.setProperty(name, value);
		}
	}

	private static String path(List<JacksonException.Reference> references) {
		StringBuilder path = new StringBuilder();
		for (JacksonException.Reference reference : references) {
			if (reference.getPropertyName() == null) {
				path.append('[').append(reference.getIndex()).append(']');
			}
			else {
				path.append(path.isEmpty() ? "" : ".").append(reference.getPropertyName());
			}
		}
		return path.toString();
	}

	private static String typeName(@Nullable Class<?> type) {
		if (type == null || type.isRecord() || Map.class.isAssignableFrom(type)) {
			return "a JSON object";
		}
		if (type.isArray() || Iterable.class.isAssignableFrom(type)) {
			return "an array";
		}
		return type.getSimpleName();
	}

}
