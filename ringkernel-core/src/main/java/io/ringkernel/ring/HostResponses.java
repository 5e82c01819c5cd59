package io.ringkernel.ring;

import java.nio.ByteBuffer;

import io.ringkernel.exception.CorruptMessageException;
import io.ringkernel.message.MessageLayout;
import io.ringkernel.message.buffer.ArraysAhead;
import io.ringkernel.message.inplace.FrameBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The responses of a ring, as the host sees them. A caller looks whether the response at
 * its position {@linkplain #isAnswering has begun to arrive}, reads it, and gives the
 * slot back ({@link SlotClaims#release}).
 *
 * @since 0.2.0
 */
public final class HostResponses {

	private final RingLayout layout;

	private final RingLane responses;

	private final Drafts drafts;

	HostResponses(RingLayout layout, RingLane responses, Drafts drafts) {
		this.layout = layout;
		this.responses = responses;
		this.drafts = drafts;
	}

	/**
	 * {@return whether the response to a published request is there in whole}
	 * @param position the position
	 */
	public boolean isAnswered(long position) {
		return this.responses.isComplete(this.layout.slot(position), this.layout.tag(position));
	}

	/**
	 * Whether the header of the response to a published request is there. What follows it
	 * may still be on its way: {@link #read} tells.
	 * @param position the position
	 * @return whether the response has begun to arrive
	 */
	public boolean isAnswering(long position) {
		return this.responses.headerTag(this.layout.slot(position)) == this.layout.tag(position);
	}

	/**
	 * {@return what the response is}
	 * @param position a position that is being answered
	 * @throws CorruptMessageException if the header states none that is known
	 */
	public MessageKind kind(long position) {
		int code = this.responses.kind(this.layout.slot(position));
		MessageKind kind = MessageKind.of(code);
		if (kind == null) {
			throw new CorruptMessageException(
					"The response at position %d states the unknown kind %d; known are 0 to %d.".formatted(position,
							code, MessageKind.values().length - 1));
		}
		return kind;
	}

	/**
	 * {@return whether the response is a message}
	 * @param position a position that is being answered
	 */
	public boolean isData(long position) {
		return this.responses.kind(this.layout.slot(position)) == MessageKind.DATA.code();
	}

	/**
	 * {@return the detail of the response: the error code of a handler that failed}
	 * @param position a position that is answered
	 */
	public int detail(long position) {
		return this.responses.detail(this.layout.slot(position));
	}

	/**
	 * Decodes the response.
	 * @param <T> the type of the response
	 * @param position a position that is being answered
	 * @param messages the layout of responses
	 * @param own the caller's {@linkplain HostRing#draft own draft}, or {@code null} to
	 * decode through one that threads share
	 * @param arrays what was made for a large response, if anything was
	 * @return the response, or {@code null} if it is not yet there in whole
	 * @throws CorruptMessageException if it is no valid message of that layout
	 */
	public <T extends Record> @Nullable T read(long position, MessageLayout<T> messages, @Nullable Draft own,
			@Nullable ArraysAhead arrays) {
		if (own != null) {
			return readThrough(own, position, messages, arrays);
		}
		Draft draft = this.drafts.take();
		try {
			return readThrough(draft, position, messages, arrays);
		}
		finally {
			draft.giveBack();
		}
	}

	private <T extends Record> @Nullable T readThrough(Draft draft, long position, MessageLayout<T> messages,
			@Nullable ArraysAhead arrays) {
		return draft.read(this.responses, this.layout.slot(position), this.layout.tag(position), messages, arrays);
	}

	/**
	 * Decodes a response of a {@linkplain MessageLayout#isPacked packed} layout.
	 * @param <T> the type of the response
	 * @param position a position that is being answered
	 * @param messages the layout of responses
	 * @return the response; {@code null} if it is not yet there in whole, or is none of
	 * that layout, which {@link #read} tells
	 * @throws CorruptMessageException if the record's constructor refuses the values
	 */
	public <T extends Record> @Nullable T readPacked(long position, MessageLayout<T> messages) {
		return this.responses.unpackData(this.layout.slot(position), this.layout.tag(position), messages);
	}

	/**
	 * Copies the response into a frame. The payload of a slot is read by plain loads
	 * after the header was found, as {@link RingLane} describes. It is copied out before
	 * it is looked at, and its length is read once, so nobody can change what was
	 * checked.
	 * @param position a position that is being answered
	 * @param frame the frame; what was in it is lost
	 * @return whether the response is there in whole; if not, the frame holds none
	 * @throws CorruptMessageException if it is no frame of that record
	 */
	public boolean read(long position, FrameBuffer frame) {
		RingLane lane = this.responses;
		int slot = this.layout.slot(position);
		int tag = this.layout.tag(position);
		int length = lane.validLength(slot);
		if (lane.isInline(length)) {
			if (!lane.gather(slot, tag, length, frame.bytes(), frame.begin())) {
				return false;
			}
		}
		else if (!lane.hasArrived(slot, tag, length)) {
			return false;
		}
		else {
			ByteBuffer memory = lane.memory().bytes();
			memory.get(lane.payloadOffset(slot), frame.bytes(), frame.begin(), length);
		}
		frame.decode(length);
		return true;
	}

	/**
	 * {@return whether the response lies outside its slot, where arrays are worth being
	 * made ahead of it}
	 * @param position a position that is being answered
	 */
	public boolean isLarge(long position) {
		return this.responses.hasPayloads()
				&& !this.responses.isInline(this.responses.length(this.layout.slot(position)));
	}

	/**
	 * Prepares the reading of a large response.
	 * @return room for its arrays
	 */
	public ArraysAhead arraysAhead() {
		return new ArraysAhead(this.responses.memory());
	}

	/**
	 * Answers a request in place of a loop that has ended by force and may have begun it.
	 * @param position a position that is not answered, and that no loop serves
	 */
	public void lose(long position) {
		this.responses.publish(this.layout.slot(position), this.layout.tag(position), MessageKind.LOST, 0);
	}

	/**
	 * Takes back what a loop had stored of an answer when it was ended.
	 * @param position a position that is not answered, and that no loop serves
	 */
	public void clear(long position) {
		this.responses.clear(this.layout.slot(position));
	}

}
