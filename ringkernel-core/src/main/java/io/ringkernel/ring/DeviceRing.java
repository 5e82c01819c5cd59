package io.ringkernel.ring;

import io.ringkernel.CorruptMessageException;
import io.ringkernel.message.MessageBuffer;
import io.ringkernel.message.MessageLayout;

/**
 * The device's half of a ring, in Java. A CUDA kernel speaks the same protocol; what is
 * written here is its specification.
 * <p>
 * A position is looked at by one worker at a time. Workers are numbered, and each has a
 * place of its own where messages are made contiguous.
 */
public final class DeviceRing {

	private final RingLayout layout;

	private final RingLane requests;

	private final RingLane responses;

	private final VoidRanges voidRanges;

	private final Staging staging;

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
		this.voidRanges = new VoidRanges(memory, layout);
		this.staging = new Staging(workers,
				Math.max(layout.requests().inlineBytes(), layout.responses().inlineBytes()));
	}

	/**
	 * Looks at a position.
	 * <p>
	 * A position is void if the host has passed over it, which its slot's range tells, or
	 * a request of a later lap: the host claims a slot again only when it is done with
	 * the lap before.
	 * @param position the position
	 * @return what is there
	 */
	public RequestState poll(long position) {
		int slot = this.layout.slot(position);
		int tag = this.layout.tag(position);
		if (this.requests.isComplete(slot, tag)) {
			return (this.requests.kind(slot) == ResponseKind.WITHDRAWN.code()) ? RequestState.WITHDRAWN
					: RequestState.PRESENT;
		}
		int found = this.requests.headerTag(slot);
		boolean later = found != LapTag.NONE && LapTag.isLater(found, tag);
		return (later || this.voidRanges.contains(slot, tag)) ? RequestState.VOID : RequestState.ABSENT;
	}

	/**
	 * Whether a position was answered already, by this device or another one before it.
	 * @param position a position whose request is there
	 * @return whether its response is there in whole
	 */
	public boolean isAnswered(long position) {
		return this.responses.isComplete(this.layout.slot(position), this.layout.tag(position));
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
		T request = this.staging.read(this.requests, this.layout.slot(position), this.layout.tag(position), worker,
				messages);
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
	 * @throws io.ringkernel.InvalidMessageException if the response does not fit its
	 * layout; nothing was written
	 */
	public <T extends Record> void answer(long position, int worker, T message, MessageLayout<T> messages) {
		int slot = this.layout.slot(position);
		this.staging.write(this.responses, slot, this.layout.tag(position), worker, message, messages.measure(message),
				ResponseKind.ANSWER, messages);
	}

	/**
	 * Answers a position with a response that has no message.
	 * @param position the position
	 * @param kind what the response is
	 * @param detail its detail, such as an error code
	 */
	public void answer(long position, ResponseKind kind, int detail) {
		this.responses.publish(this.layout.slot(position), this.layout.tag(position), kind, detail);
	}

	/**
	 * What a worker finds at a position.
	 */
	public enum RequestState {

		/** Nothing yet. */
		ABSENT,

		/** A request, to be answered. */
		PRESENT,

		/** A request that needs no work, but an answer all the same. */
		WITHDRAWN,

		/** Nothing, and nothing will come: go on with the next position. */
		VOID

	}

}
