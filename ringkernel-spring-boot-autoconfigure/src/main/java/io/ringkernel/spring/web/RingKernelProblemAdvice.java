package io.ringkernel.spring.web;

import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

import io.ringkernel.KernelState;
import io.ringkernel.exception.HandlerFailedException;
import io.ringkernel.exception.InvalidMessageException;
import io.ringkernel.exception.KernelNotActiveException;
import io.ringkernel.exception.KernelTerminatedException;
import io.ringkernel.exception.RequestInterruptedException;
import io.ringkernel.exception.RequestLostException;
import io.ringkernel.exception.RequestTimeoutException;
import io.ringkernel.exception.RingFullException;
import io.ringkernel.exception.RingKernelException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;

/**
 * {@link ControllerAdvice @ControllerAdvice} that answers a failed call of a ring kernel
 * with {@code application/problem+json}, in Spring MVC and in WebFlux.
 * <ul>
 * <li>400: the message does not fit its layout, with {@code field}, and {@code value} and
 * {@code limit} for a length; or the handler threw an
 * {@link IllegalArgumentException}.</li>
 * <li>503: the kernel takes no request now, with {@code Retry-After} unless it has
 * failed. Without that header: the kernel ended before it answered, the wait was
 * interrupted, or the request is lost. It may then have been handled, and a client that
 * sends it again has it handled twice.</li>
 * <li>504: the kernel did not answer in time.</li>
 * <li>500: everything else. The log has the reason and the response has not.</li>
 * </ul>
 * An exception of the application's own that has one of these as its cause is left alone.
 * An advice of the application's own that handles {@link RingKernelException} comes
 * first.
 *
 * @since 0.2.0
 */
@ControllerAdvice
public class RingKernelProblemAdvice {

	private static final Logger log = LoggerFactory.getLogger(RingKernelProblemAdvice.class);

	private static final String RETRY_AFTER_SECONDS = "1";

	/** Creates the advice. */
	public RingKernelProblemAdvice() {
	}

	/**
	 * Answers a failed call.
	 * @param failure why the call failed
	 * @param thrown what the controller threw
	 * @return the response
	 * @throws Exception what the controller threw, if that is an exception of its own
	 */
	@ExceptionHandler(RingKernelException.class)
	public ResponseEntity<ProblemDetail> answer(RingKernelException failure, Exception thrown) throws Exception {
		if (!(thrown instanceof RingKernelException) && !(thrown instanceof CompletionException)
				&& !(thrown instanceof ExecutionException)) {
			throw thrown;
		}
		if (failure instanceof InvalidMessageException invalid) {
			return ResponseEntity.badRequest().body(invalidMessage(invalid));
		}
		if (failure instanceof HandlerFailedException && failure.getCause() instanceof IllegalArgumentException) {
			log.info("A request was answered with status 400: {}", failure.getMessage());
			return ResponseEntity.badRequest()
				.body(invalidInput("The kernel cannot handle the values of this request."));
		}
		if (failure instanceof KernelNotActiveException inactive && inactive.state() == KernelState.FAILED) {
			return unavailable("Ring kernel '%s' has failed.".formatted(inactive.kernelId()));
		}
		if (failure instanceof KernelNotActiveException || failure instanceof RingFullException) {
			return ResponseEntity.status(HttpStatus.SERVICE_UNAVAILABLE)
				.header(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS)
				.body(problem(HttpStatus.SERVICE_UNAVAILABLE, failure.getMessage()));
		}
		if (failure instanceof KernelTerminatedException || failure instanceof RequestInterruptedException
				|| failure instanceof RequestLostException) {
			return unavailable(failure.getMessage());
		}
		if (failure instanceof RequestTimeoutException) {
			return ResponseEntity.status(HttpStatus.GATEWAY_TIMEOUT)
				.body(problem(HttpStatus.GATEWAY_TIMEOUT, failure.getMessage()));
		}
		log.error("A request to a ring kernel failed", failure);
		return ResponseEntity.internalServerError()
			.body(problem(HttpStatus.INTERNAL_SERVER_ERROR,
					"The kernel failed on this request; the log of the application says why."));
	}

	private static ProblemDetail invalidMessage(InvalidMessageException invalid) {
		ProblemDetail problem = invalidInput(invalid.getMessage());
		problem.setProperty("field", invalid.component().isEmpty() ? "body" : invalid.component());
		invalid.value().ifPresent((value) -> problem.setProperty("value", value));
		invalid.limit().ifPresent((limit) -> problem.setProperty("limit", limit));
		return problem;
	}

	private static ProblemDetail invalidInput(@Nullable String detail) {
		ProblemDetail problem = problem(HttpStatus.BAD_REQUEST, detail);
		problem.setTitle("Invalid input");
		return problem;
	}

	private static ResponseEntity<ProblemDetail> unavailable(@Nullable String detail) {
		return ResponseEntity.status(HttpStatus.SERVICE_UNAVAILABLE)
			.body(problem(HttpStatus.SERVICE_UNAVAILABLE, detail));
	}

	private static ProblemDetail problem(HttpStatus status, @Nullable String detail) {
		return ProblemDetail.forStatusAndDetail(status, detail);
	}

}
