package io.ringkernel.ring;

import java.util.Arrays;

import io.ringkernel.exception.CorruptMessageException;
import io.ringkernel.message.MessageLayout;
import io.ringkernel.message.buffer.MessageBuffer;

/**
 * The device's half of a ring, in Java. A CUDA kernel speaks the same protocol; what is
 * written here is its specification.
 * <p>
 * A position is looked at by one worker at a time. Workers are numbered, and each has a
 * place of its own where messages are made contiguous.
 *
 * @since 0.1.0
 */
public final class DeviceRing {

	private final RingLayout layout;

	private final RingLane requests;

	private final RingLane responses;

	private final SkippedLaps skippedLaps;

	/** One for each worker. */
	private final Draft[] drafts;

	/**
	 * Creates the device's half.
	 * @param memory the memory that the host's half lies in as well
	 * @param layout where the ring lies in it
	 * @param workers the number of workers
	 */
	public DeviceRing(MessageBuffer memory, RingLayout layout, int workers) {
		this.layout = layout;
		this.requests = new RingLane(memory, layout.requests());
		this.responses = new RingLane(memory, layout.responses());
		this.skippedLaps = new SkippedLaps(memory, layout);
		int inlineBytes = Math.max(layout.requests().inlineBytes(), layout.responses().inlineBytes());
		this.drafts = new Draft[workers];
		Arrays.setAll(this.drafts, (i) -> new Draft(inlineBytes));
	}

	/**
	 * Looks at a position.
	 * <p>
	 * A position is skipped if the word of its slot's skipped laps contains it, or if its
	 * slot holds a request of a later lap: the host claims a slot again only when it is
	 * done with the lap before.
	 * @param position the position
	 * @return what is there
	 */
	public RequestState poll(long position) {
		int slot = this.layout.slot(position);
		int tag = this.layout.tag(position);
		if (this.requests.isComplete(slot, tag)) {
			return (this.requests.kind(slot) == MessageKind.WITHDRAWN.code()) ? RequestState.WITHDRAWN
					: RequestState.PRESENT;
		}
		int found = this.requests.headerTag(slot);
		boolean later = found != LapTag.NONE && LapTag.isLater(found, tag);
		return (later || this.skippedLaps.contains(slot, tag)) ? RequestState.SKIPPED : RequestState.ABSENT;
	}

	/** How many laps a position is behind what was published in its slot, or 0. */
	int lapsBehind(long position) {
		int found = this.requests.headerTag(this.layout.slot(position));
		int behind = found - this.layout.tag(position);
		return (found != LapTag.NONE && behind > 0) ? behind >>> 1 : 0;
	}

	/**
	 * {@return whether a request that was found, and is not answered, has been withdrawn}
	 * @param position a position whose request is present or withdrawn
	 * @since 0.2.0
	 */
	public boolean isWithdrawn(long position) {
		return this.requests.kind(this.layout.slot(position)) == MessageKind.WITHDRAWN.code();
	}

	/**
	 * Decodes the request of a position.
	 * @param <T> the type of the request
	 * @param position a position whose request is present
	 * @param worker the worker that reads it
	 * @param messages the layout of requests
	 * @return the request
	 * @throws CorruptMessageException if it is no valid message of that layout
	 */
	public <T extends Record> T request(long position, int worker, MessageLayout<T> messages) {
		int slot = this.layout.slot(position);
		int tag = this.layout.tag(position);
		T packed = messages.isPacked() ? this.requests.unpackData(slot, tag, messages) : null;
		if (packed != null) {
			return packed;
		}
		T request = this.drafts[worker].read(this.requests, slot, tag, messages, null);
		if (request == null) {
			throw new CorruptMessageException(
					"The request at position %d changed while it was read.".formatted(position));
		}
		return request;
	}

	/**
	 * Answers a position.
	 * @param <T> the type of the response
	 * @param position the position
	 * @param worker the worker that answers it
	 * @param message the response
	 * @param messages the layout of responses
	 * @throws io.ringkernel.exception.InvalidMessageException if the response does not
	 * fit its layout; nothing was published
	 */
	public <T extends Record> void answer(long position, int worker, T message, MessageLayout<T> messages) {
		if (messages.isPacked() && message != null) {
			this.responses.pack(this.layout.slot(position), this.layout.tag(position), message, messages);
			return;
		}
		Draft draft = this.drafts[worker];
		draft.encode(this.responses, message, messages);
		try {
			draft.publish(this.responses, this.layout.slot(position), this.layout.tag(position));
		}
		finally {
			draft.giveBack();
		}
	}

	/**
	 * Answers a position with a response that has no message.
	 * @param position the position
	 * @param kind what the response is
	 * @param detail its detail, such as an error code
	 */
	public void answer(long position, MessageKind kind, int detail) {
		this.responses.publish(this.layout.slot(position), this.layout.tag(position), kind, detail);
	}

	/** What a worker finds at a position. */
	public enum RequestState {

		/** Nothing yet. */
		ABSENT,

		/** A request, to be answered. */
		PRESENT,

		/** A request that needs no work, but an answer all the same. */
		WITHDRAWN,

		/** Nothing, and nothing will come: go on with the next position. */
		SKIPPED

	}

}
