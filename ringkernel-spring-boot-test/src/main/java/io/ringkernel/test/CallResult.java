package io.ringkernel.test;

import java.util.concurrent.Callable;

import io.ringkernel.exception.HandlerFailedException;
import io.ringkernel.exception.RingKernelException;
import org.jspecify.annotations.Nullable;

/**
 * How one side took a request.
 *
 * @param response what it answered; {@code null} if it failed
 * @param failure how it failed; {@code null} if it answered
 */
record CallResult(@Nullable Record response, @Nullable Exception failure) {

	/**
	 * Asks one side.
	 * @throws RingKernelException if it could not be asked, which says nothing about what
	 * it computes
	 */
	static CallResult of(Callable<? extends Record> side) {
		try {
			return new CallResult(side.call(), null);
		}
		catch (HandlerFailedException ex) {
			return new CallResult(null, ex);
		}
		catch (RingKernelException ex) {
			throw ex;
		}
		catch (Exception ex) {
			return new CallResult(null, ex);
		}
	}

}
