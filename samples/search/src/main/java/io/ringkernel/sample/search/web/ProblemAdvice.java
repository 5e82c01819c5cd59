package io.ringkernel.sample.search.web;

import io.ringkernel.exception.RingKernelException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;

/**
 * Tells every error as {@code application/problem+json}, whose detail says what is wrong
 * and what to do. What a caller did wrong is 400 or 404, what the application lacks 503.
 */
@RestControllerAdvice
class ProblemAdvice extends ResponseEntityExceptionHandler {

	private static final Logger log = LoggerFactory.getLogger(ProblemAdvice.class);

	@ExceptionHandler
	ProblemDetail unavailable(RingKernelException ex) {
		log.warn("A search was not answered", ex);
		return ProblemDetail.forStatusAndDetail(HttpStatus.SERVICE_UNAVAILABLE, ex.getMessage());
	}

}
