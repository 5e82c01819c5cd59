package io.ringkernel.sample.web;

import io.ringkernel.InvalidMessageException;
import io.ringkernel.KernelNotActiveException;
import io.ringkernel.KernelState;
import io.ringkernel.KernelTerminatedException;
import io.ringkernel.RequestInterruptedException;
import io.ringkernel.RequestLostException;
import io.ringkernel.RequestTimeoutException;
import io.ringkernel.RingFullException;
import io.ringkernel.RingKernelException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.TypeMismatchException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;

/**
 * Tells every error as {@code application/problem+json}. What a caller did wrong is 400;
 * what passes by itself is 503 with {@code Retry-After}; a kernel that has failed is 503
 * without; a slow kernel is 504; a failed handler is 500, with its stack trace in the log
 * and nowhere else.
 */
@RestControllerAdvice
class ProblemAdvice extends ResponseEntityExceptionHandler {

	private static final Logger log = LoggerFactory.getLogger(ProblemAdvice.class);

	private static final String RETRY_AFTER_SECONDS = "1";

	@ExceptionHandler
	ProblemDetail invalidInput(InvalidInputException ex) {
		return InputProblem.of(ex.field(), ex);
	}

	@ExceptionHandler
	ProblemDetail invalidMessage(InvalidMessageException ex) {
		return InputProblem.of(ex.component(), ex.getMessage());
	}

	@ExceptionHandler
	ProblemDetail unknownVector(UnknownResourceException ex) {
		return problem(HttpStatus.NOT_FOUND, ex);
	}

	@ExceptionHandler
	ProblemDetail full(CapacityExceededException ex) {
		ProblemDetail problem = problem(HttpStatus.CONFLICT, ex);
		problem.setProperty("limit", ex.limit());
		return problem;
	}

	@ExceptionHandler({ KernelNotActiveException.class, KernelTerminatedException.class, RingFullException.class,
			RequestInterruptedException.class })
	ResponseEntity<ProblemDetail> unavailable(RingKernelException ex) {
		ResponseEntity.BodyBuilder response = ResponseEntity.status(HttpStatus.SERVICE_UNAVAILABLE);
		boolean passes = !(ex instanceof KernelNotActiveException inactive) || inactive.state() != KernelState.FAILED;
		if (passes) {
			response.header(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS);
		}
		return response.body(problem(HttpStatus.SERVICE_UNAVAILABLE, ex));
	}

	@ExceptionHandler
	ProblemDetail timeout(RequestTimeoutException ex) {
		return problem(HttpStatus.GATEWAY_TIMEOUT, ex);
	}

	/** The next one is handled: the kernel goes on. */
	@ExceptionHandler
	ProblemDetail lost(RequestLostException ex) {
		return problem(HttpStatus.SERVICE_UNAVAILABLE, ex);
	}

	@ExceptionHandler
	ProblemDetail failed(RingKernelException ex) {
		log.error("A request failed", ex);
		return ProblemDetail.forStatusAndDetail(HttpStatus.INTERNAL_SERVER_ERROR,
				"The kernel failed on this request; the log of the application says why.");
	}

	private static ProblemDetail problem(HttpStatus status, RuntimeException ex) {
		return ProblemDetail.forStatusAndDetail(status, ex.getMessage());
	}

	@Override
	protected @Nullable ResponseEntity<Object> handleHttpMessageNotReadable(HttpMessageNotReadableException ex,
			HttpHeaders headers, HttpStatusCode status, WebRequest request) {
		return handleExceptionInternal(ex, InputProblem.of(ex), headers, status, request);
	}

	@Override
	protected @Nullable ResponseEntity<Object> handleTypeMismatch(TypeMismatchException ex, HttpHeaders headers,
			HttpStatusCode status, WebRequest request) {
		return handleExceptionInternal(ex, InputProblem.of(ex), headers, status, request);
	}

}
