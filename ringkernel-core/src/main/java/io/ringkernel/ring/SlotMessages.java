package io.ringkernel.ring;

import java.nio.ByteBuffer;
import java.util.function.Consumer;

import io.ringkernel.InPlaceRequest;
import io.ringkernel.exception.CorruptMessageException;
import io.ringkernel.message.buffer.MessageBuffer;
import io.ringkernel.message.inplace.SlotRequest;
import io.ringkernel.message.inplace.SlotResponse;

/**
 * Has messages written and read in the payloads of a ring's slots, for one thread at a
 * time. A message that is short enough to travel inside its slot lies between the tags of
 * chunks there, so it goes through memory of this object.
 * <p>
 * The payload of a slot is written by plain stores before the header is published and
 * read by plain loads after the progress was found, as {@link RingLane} describes.
 *
 * @since 0.2.0
 */
public final class SlotMessages {

	private final RingLayout layout;

	private final HostRequests host;

	private final RingLane requests;

	private final RingLane responses;

	private final MessageBuffer shortRequest;

	private final MessageBuffer shortResponse;

	/** What readers see of {@link #shortResponse}, and of the payloads. */
	private final MessageBuffer readOnlyShort;

	private final MessageBuffer readOnlyPayloads;

	/** A short message as it goes in and out of chunks, in whole pairs of them. */
	private final byte[] contiguous;

	SlotMessages(RingLayout layout, HostRequests host, RingLane requests, RingLane responses) {
		this.layout = layout;
		this.host = host;
		this.requests = requests;
		this.responses = responses;
		int inline = Math.max(layout.requests().inlineBytes(), layout.responses().inlineBytes());
		this.contiguous = new byte[RingLayout.dataChunks(inline) * RingLayout.CHUNK_DATA_BYTES + Long.BYTES];
		this.shortRequest = MessageBuffer.allocate(this.contiguous.length);
		this.shortResponse = MessageBuffer.allocate(this.contiguous.length);
		this.readOnlyPayloads = readOnly(responses.memory());
		this.readOnlyShort = readOnly(this.shortResponse);
	}

	private static MessageBuffer readOnly(MessageBuffer memory) {
		return MessageBuffer.wrap(memory.bytes().asReadOnlyBuffer());
	}

	/**
	 * Has a request written at a claimed position and publishes it.
	 * @param position the position. If the writer throws, it has no request, and needs
	 * {@link HostRequests#retract}
	 * @param request the request, which is in no slot
	 * @param writer writes it
	 */
	public void publish(long position, SlotRequest request, Consumer<? super InPlaceRequest> writer) {
		this.host.prepare(position);
		RingLane lane = this.requests;
		int slot = this.layout.slot(position);
		MessageBuffer memory = lane.hasPayloads() ? lane.memory() : this.shortRequest;
		int at = lane.hasPayloads() ? lane.payloadOffset(slot) : 0;
		int length;
		request.begin(memory, at);
		try {
			writer.accept(request);
			length = request.encode();
		}
		finally {
			request.release();
		}
		if (lane.isInline(length)) {
			memory.bytes().get(at, this.contiguous, 0, length);
		}
		lane.publish(slot, this.layout.tag(position), length, MessageKind.DATA, 0, this.contiguous, 0);
	}

	/**
	 * Opens the response at a position that is being answered.
	 * @param position the position
	 * @param response what is opened, to be {@linkplain SlotResponse#release released}
	 * before the slot is given back
	 * @return whether the response is there in whole; if not, it is not open
	 * @throws CorruptMessageException if it is no valid message of its layout
	 */
	public boolean open(long position, SlotResponse response) {
		RingLane lane = this.responses;
		int slot = this.layout.slot(position);
		int tag = this.layout.tag(position);
		int length = lane.validLength(slot);
		if (lane.isInline(length)) {
			if (!lane.gather(slot, tag, length, this.contiguous, 0)) {
				return false;
			}
			ByteBuffer target = this.shortResponse.bytes();
			target.put(0, this.contiguous, 0, length);
			response.decode(this.readOnlyShort, 0, length);
		}
		else if (!lane.hasArrived(slot, tag, length)) {
			return false;
		}
		else {
			response.decode(this.readOnlyPayloads, lane.payloadOffset(slot), length);
		}
		return true;
	}

}
