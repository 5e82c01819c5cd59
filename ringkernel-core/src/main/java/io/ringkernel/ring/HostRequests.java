package io.ringkernel.ring;

import java.util.Arrays;

import io.ringkernel.message.MessageLayout;
import io.ringkernel.message.inplace.FrameBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The requests of a ring, as the host sees them: encodes a request, publishes it at a
 * claimed position, and takes back what was published.
 *
 * @since 0.2.0
 */
public final class HostRequests {

	private final RingLayout layout;

	private final RingLane requests;

	private final RingLane responses;

	private final SlotWords slots;

	private final SkippedLaps skippedLaps;

	private final Drafts drafts;

	/** The half of the tag space in which each slot was last used; see {@link LapTag}. */
	private final byte[] halves;

	HostRequests(RingLayout layout, RingLane requests, RingLane responses, SlotWords slots, SkippedLaps skippedLaps,
			Drafts drafts, long startPosition) {
		this.layout = layout;
		this.requests = requests;
		this.responses = responses;
		this.slots = slots;
		this.skippedLaps = skippedLaps;
		this.drafts = drafts;
		this.halves = new byte[layout.slots()];
		Arrays.fill(this.halves, (byte) LapTag.half(layout.tag(startPosition)));
	}

	/**
	 * Validates a request and makes everything that publishing it needs. Call it before
	 * {@linkplain SlotClaims claiming} a position: it runs the record's accessors and may
	 * allocate and throw.
	 * @param <T> the type of the request
	 * @param message the request
	 * @param messages the layout of requests
	 * @param own the caller's {@linkplain HostRing#draft own draft}, or {@code null} to
	 * take one that threads share
	 * @return the draft; if it is shared, to be {@linkplain Draft#giveBack given back}
	 * @throws io.ringkernel.exception.InvalidMessageException if the request does not fit
	 * its layout
	 */
	public <T extends Record> Draft encode(T message, MessageLayout<T> messages, @Nullable Draft own) {
		Draft draft = (own != null) ? own : this.drafts.take();
		boolean encoded = false;
		try {
			draft.encode(this.requests, message, messages);
			encoded = true;
		}
		finally {
			if (!encoded) {
				draft.giveBack();
			}
		}
		return draft;
	}

	/**
	 * Publishes a request at a claimed position. Publishing a request that fits into a
	 * slot only copies words: it allocates nothing, runs no code of a user and does not
	 * throw. A request that is too large for a slot is encoded here, so its record's
	 * accessors may throw; the position then has no request, and needs {@link #retract}.
	 * So it does if this fails later, when a device may have begun to fetch the request.
	 * @param position the position
	 * @param draft the request; it remains the caller's
	 * @throws io.ringkernel.exception.InvalidMessageException if a large request has
	 * changed since it was measured; nothing was published
	 */
	public void publish(long position, Draft draft) {
		prepare(position);
		draft.publishInParts(this.requests, this.layout.slot(position), this.layout.tag(position));
	}

	/**
	 * Publishes a request of a {@linkplain MessageLayout#isPacked packed} layout at a
	 * claimed position, encoding it there. That allocates nothing, runs no code of a user
	 * and does not throw.
	 * @param <T> the type of the request
	 * @param position the position
	 * @param message the request
	 * @param messages the layout of requests
	 */
	public <T extends Record> void publish(long position, T message, MessageLayout<T> messages) {
		prepare(position);
		this.requests.pack(this.layout.slot(position), this.layout.tag(position), message, messages);
	}

	/**
	 * Publishes a request that was made as a frame at a claimed position. That copies it,
	 * allocates nothing, runs no code of a user and does not throw. The payload of a slot
	 * is written by plain stores before the header is published, as {@link RingLane}
	 * describes.
	 * @param position the position
	 * @param frame the request, {@linkplain FrameBuffer#encode encoded}; it remains the
	 * caller's
	 */
	public void publish(long position, FrameBuffer frame) {
		prepare(position);
		RingLane lane = this.requests;
		int slot = this.layout.slot(position);
		int length = frame.encodedSize();
		if (!lane.isInline(length)) {
			lane.memory().bytes().put(lane.payloadOffset(slot), frame.bytes(), frame.begin(), length);
		}
		lane.publish(slot, this.layout.tag(position), length, MessageKind.DATA, 0, frame.bytes(), frame.begin());
	}

	/**
	 * Publishes an empty, withdrawn request at a claimed position for which there is none
	 * after all. It is answered, and its slot released, like any other that was
	 * withdrawn.
	 * <p>
	 * A void position would not do: a slot has one range of them, which begins anew after
	 * each request, so every position that is claimed must leave a request in its slot.
	 * Otherwise a worker that is still before an older range of the slot would find
	 * neither that range nor a later request, and wait for ever.
	 * @param position the position, claimed and not published
	 */
	public void retract(long position) {
		prepare(position);
		int slot = this.layout.slot(position);
		this.requests.publish(slot, this.layout.tag(position), MessageKind.WITHDRAWN, 0);
	}

	/**
	 * Asks that a published request is not begun, if it is not yet begun. Its header says
	 * so from then on. It is answered all the same, so its slot is released in the usual
	 * way, and by the same thread: a later withdrawal would speak of another request.
	 * @param position the position, not yet released
	 */
	public void withdraw(long position) {
		this.requests.changeKind(this.layout.slot(position), MessageKind.WITHDRAWN.code());
	}

	/**
	 * {@return whether the request of a position is there in whole, and its slot not yet
	 * used by a later one}
	 * @param position a position before the {@linkplain SlotClaims#head head}
	 */
	public boolean isPublished(long position) {
		return this.requests.isComplete(this.layout.slot(position), this.layout.tag(position));
	}

	/**
	 * {@return whether the latest request of a slot, of whatever lap, is there in whole}
	 * @param slot the slot
	 */
	public boolean hasRequest(int slot) {
		int tag = this.requests.headerTag(slot);
		return tag != LapTag.NONE && this.requests.isComplete(slot, tag);
	}

	/**
	 * {@return whether a slot holds a request, of whatever lap, that is published and not
	 * answered: then it is a loop's to answer}
	 * @param slot the slot
	 */
	public boolean isUnanswered(int slot) {
		return hasRequest(slot) && !this.responses.isComplete(slot, this.requests.headerTag(slot));
	}

	/**
	 * Forgets what a slot holds from the half of the tag space before, so that an old tag
	 * is not taken for a new one. Does nothing but once in 2<sup>31</sup> laps.
	 */
	void prepare(long position) {
		int slot = this.layout.slot(position);
		int tag = this.layout.tag(position);
		int half = LapTag.half(tag);
		if (this.halves[slot] != half) {
			this.requests.clear(slot);
			this.responses.clear(slot);
			this.slots.forget(position);
			this.skippedLaps.forgetBefore(slot, tag);
			this.halves[slot] = (byte) half;
		}
	}

}
