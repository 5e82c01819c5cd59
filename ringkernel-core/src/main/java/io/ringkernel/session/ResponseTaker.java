package io.ringkernel.session;

import io.ringkernel.backend.FailurePoint;
import io.ringkernel.backend.HandlerFailures;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.exception.CorruptMessageException;
import io.ringkernel.exception.HandlerFailedException;
import io.ringkernel.exception.RequestLostException;
import io.ringkernel.message.buffer.ArraysAhead;
import io.ringkernel.observe.KernelCounters;
import io.ringkernel.ring.Draft;
import io.ringkernel.ring.HostResponses;
import io.ringkernel.ring.HostRing;
import io.ringkernel.ring.SlotClaims;
import io.ringkernel.session.encoding.ResponseDecoding;
import org.jspecify.annotations.Nullable;

/**
 * Takes the response at a position that is being answered: decodes it, or says why there
 * is none, and frees its slot.
 */
final class ResponseTaker<O> {

	private final KernelSpec<?, ?> kernel;

	private final ResponseDecoding<O> decoding;

	private final HostRing ring;

	private final HostResponses responses;

	private final SlotClaims claims;

	private final HandlerFailures failures;

	private final SlotWaiters waiters;

	private final KernelCounters counters;

	private final SessionTimings timings;

	ResponseTaker(KernelSpec<?, ?> kernel, ResponseDecoding<O> decoding, HostRing ring, HandlerFailures failures,
			SlotWaiters waiters, KernelCounters counters, SessionTimings timings) {
		this.kernel = kernel;
		this.decoding = decoding;
		this.ring = ring;
		this.responses = ring.responses();
		this.claims = ring.claims();
		this.failures = failures;
		this.waiters = waiters;
		this.counters = counters;
		this.timings = timings;
	}

	<F> ResponseTaker<F> decoding(ResponseDecoding<F> other) {
		return new ResponseTaker<>(this.kernel, other, this.ring, this.failures, this.waiters, this.counters,
				this.timings);
	}

	@Nullable ArraysAhead ahead() {
		return this.decoding.ahead();
	}

	O take(long position) {
		O response = tryTake(position);
		if (response == null) {
			free(position);
			throw this.counters.failed(new CorruptMessageException(
					"The response at position %d changed while it was read.".formatted(position)));
		}
		return response;
	}

	/**
	 * Takes the response at a position and frees its slot, if the response is there in
	 * whole; returns {@code null} if a part of it is missing.
	 */
	@Nullable O tryTake(long position) {
		return tryTake(position, null);
	}

	/**
	 * Takes the response as {@link #tryTake(long)} does, with what {@link #ahead} has
	 * made.
	 */
	@Nullable O tryTake(long position, @Nullable ArraysAhead arrays) {
		if (!this.responses.isAnswering(position)) {
			return null;
		}
		O response;
		try {
			response = read(position, null, arrays);
		}
		catch (RuntimeException | Error ex) {
			free(position);
			throw ex;
		}
		if (response != null) {
			free(position);
		}
		return response;
	}

	/**
	 * Decodes the response at a position that is being answered; {@code null} if a part
	 * of it is still on its way. The position is still the caller's, whatever comes of
	 * it.
	 */
	@Nullable O read(long position, @Nullable Draft own) {
		return read(position, own, null);
	}

	private @Nullable O read(long position, @Nullable Draft own, @Nullable ArraysAhead arrays) {
		try {
			O response = readData(position, own, arrays);
			RuntimeException failure = (response != null) ? null : failure(position);
			if (failure != null) {
				throw failure;
			}
			return response;
		}
		catch (CorruptMessageException ex) {
			throw this.counters.failed(ex);
		}
	}

	/** What a response says that is no message; {@code null} if it is one. */
	private @Nullable RuntimeException failure(long position) {
		return switch (this.responses.kind(position)) {
			case DATA -> null;
			case WITHDRAWN -> new CorruptMessageException(
					"The response at position %d says that its request was withdrawn; it was not.".formatted(position));
			case HANDLER_FAILED -> failed(position, "the handler failed");
			case INVALID_REQUEST -> failed(position, "the request did not arrive as a valid message");
			case LOST -> this.counters.failed(new RequestLostException(this.kernel.id(), position));
			case INVALID_RESPONSE -> failed(position, "the handler's response does not fit its layout");
		};
	}

	/**
	 * Reads a response that is a message. A header that a loop had begun an answer with
	 * when it was ended by force is replaced by that of the answer which counts. If that
	 * happens between two looks at it, they do not fit together: the next ones do.
	 */
	private @Nullable O readData(long position, @Nullable Draft own, @Nullable ArraysAhead arrays) {
		try {
			O packed = this.decoding.decodePacked(position);
			if (packed != null) {
				return packed;
			}
			return this.responses.isData(position) ? this.decoding.decode(position, own, arrays) : null;
		}
		catch (CorruptMessageException ex) {
			if (this.responses.isData(position)) {
				throw ex;
			}
			return null;
		}
	}

	/**
	 * Frees the slot of a position that is answered. If anything fails before it is free,
	 * the position is given up, and the dispatcher frees it.
	 */
	private void free(long position) {
		int slot = (int) position & (this.waiters.owned.length - 1);
		boolean freed = false;
		try {
			this.timings.answered(position);
			this.waiters.owned[slot] = 0;
			if (this.waiters.since[slot] != 0) {
				this.waiters.since[slot] = 0;
			}
			this.claims.free(position);
			freed = true;
		}
		finally {
			if (!freed) {
				this.waiters.owned[slot] = 0;
				this.waiters.givenUp[slot] = position + 1;
			}
		}
		this.claims.signalFreed();
	}

	/**
	 * Frees the slots of positions in a row whose responses were taken, without a fence
	 * for each. If anything fails before one of them is free, it and those behind it are
	 * given up.
	 */
	void freeRun(long first, int count) {
		long[] owned = this.waiters.owned;
		long[] givenUp = this.waiters.givenUp;
		long end = first + count;
		long position = first;
		try {
			while (position < end) {
				this.timings.answered(position);
				int slot = (int) position & (owned.length - 1);
				owned[slot] = 0;
				if (this.waiters.since[slot] != 0) {
					this.waiters.since[slot] = 0;
				}
				this.claims.freeInRun(position);
				position++;
			}
		}
		finally {
			for (; position < end; position++) {
				owned[(int) position & (owned.length - 1)] = 0;
				givenUp[(int) position & (owned.length - 1)] = position + 1;
			}
		}
	}

	private HandlerFailedException failed(long position, String problem) {
		int code = this.responses.detail(position);
		Throwable cause = this.failures.take(this.ring.layout().slot(position));
		FailurePoint point = this.failures.point(code);
		if (point != null) {
			return this.counters
				.failed(new HandlerFailedException(this.kernel.id(), "%s: %s".formatted(problem, point), 0, null));
		}
		return this.counters.failed(new HandlerFailedException(this.kernel.id(),
				problem + ((cause != null) ? ": " + describe(cause) : " with error code " + code), code, cause));
	}

	/** What an exception of the handler's says; it may fail at that, too. */
	private static String describe(Throwable cause) {
		try {
			return cause.toString();
		}
		catch (RuntimeException ex) {
			return cause.getClass().getName();
		}
	}

}
