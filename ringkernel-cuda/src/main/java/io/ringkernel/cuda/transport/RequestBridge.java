package io.ringkernel.cuda.transport;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.BitSet;

import io.ringkernel.message.buffer.MessageBuffer;
import io.ringkernel.ring.HostRequests;
import io.ringkernel.ring.HostRing;
import io.ringkernel.ring.LaneLayout;
import io.ringkernel.ring.LapTag;
import io.ringkernel.ring.RingLayout;
import io.ringkernel.ring.SlotClaims;
import io.ringkernel.ring.order.PositionCursor;

/**
 * Brings what the host has published to the device: requests, their payloads, and the
 * words of skipped laps.
 * <p>
 * <strong>No request is read while it is written.</strong> A slot is taken once an
 * acquire load finds a tag in its header that was not sent yet. That load pairs with the
 * release store of the header, the last one of {@code RingLane.publish}: chunks and
 * payload are there in whole, and nobody writes them again before the response has been
 * delivered, which is done by this bridge, later. The chunks in use are copied into the
 * image at once and sent from there. Payloads are sent from where they lie.
 * <p>
 * <strong>No header overtakes its payload.</strong> A copy may still be under way when
 * the next step takes more requests into the image. So it is of the slots alone that are
 * sent by it, and not of those between: what is taken into one of these meanwhile would
 * reach the device with it, before its payload does.
 * <p>
 * <strong>Withdrawals</strong> change the header of a request that was sent, perhaps;
 * then the header is sent again. A word of skipped laps stands for itself: there is no
 * request at a position that was skipped.
 * <p>
 * <strong>A ring that is in use already</strong> is taken as it is by the first step: of
 * each slot, the latest request. One that was answered before is sent as well, as its tag
 * tells the device of positions that were passed over, but no response is expected to it.
 * <p>
 * <strong>Old tags.</strong> The first request that a slot carries in a half of the tag
 * space is sent with the slot's other chunks cleared, and so is the slot of the response;
 * {@link LapTag} says why that suffices. No clearing of its own comes before the message:
 * until then, the device's slot has tags of the other half only, which none of the
 * message's is taken for.
 */
final class RequestBridge {

	private static final VarHandle WORD = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

	private final ByteBuffer host;

	private final MessageBuffer imageMemory;

	private final ByteBuffer image;

	private final RingLayout layout;

	private final LaneLayout lane;

	private final ForwardedRequests requests;

	private final RegionCopies copies;

	private final CopyRun slotRun;

	private final CopyRun payloadRun;

	/** The slots that this step sends. */
	private final BitSet found;

	/** Those of them that begin a half of the tag space. */
	private final BitSet renewed;

	/** The one that was last added to a copy. */
	private int previousSlot;

	private final SlotClaims claims;

	private final HostRequests published;

	private final PositionCursor unsettled;

	RequestBridge(MessageBuffer memory, MessageBuffer image, HostRing ring, long startPosition,
			ForwardedRequests requests, RegionCopies copies) {
		RingLayout layout = ring.layout();
		this.claims = ring.claims();
		this.published = ring.requests();
		this.unsettled = new PositionCursor(layout, PositionCursor.first(ring, startPosition), this::isSettled);
		this.host = memory.bytes();
		this.imageMemory = image;
		this.image = image.bytes();
		this.layout = layout;
		this.lane = layout.requests();
		this.requests = requests;
		this.copies = copies;
		this.found = new BitSet(layout.slots());
		this.renewed = new BitSet(layout.slots());
		this.slotRun = new CopyRun((offset, bytes) -> copies.toDevice(image, offset, bytes));
		this.payloadRun = new CopyRun((offset, bytes) -> copies.toDevice(memory, offset, bytes));
	}

	/**
	 * Sends what was published, or passed over, since the last time; returns how many
	 * requests were sent. It looks at the slots of the positions between the first that
	 * is neither and the head: few, unless a producer was preempted between claim and
	 * publication.
	 */
	int forward() {
		int firstRange = Integer.MAX_VALUE;
		int lastRange = -1;
		sendWithdrawals();
		long end = this.claims.head();
		for (long position = this.unsettled.before(end); position < end; position++) {
			int slot = this.layout.slot(position);
			take(slot);
			if (takeSkippedLaps(slot)) {
				firstRange = Math.min(firstRange, slot);
				lastRange = Math.max(lastRange, slot);
			}
		}
		int count = send();
		if (lastRange >= 0) {
			this.copies.toDevice(this.imageMemory, this.layout.skippedLapsOffset(firstRange),
					this.layout.skippedLapsOffset(lastRange + 1) - this.layout.skippedLapsOffset(firstRange));
		}
		return count;
	}

	/**
	 * Whether the device has been told of a position, except for a withdrawal: of its
	 * request, or a later one in its slot, or that it was skipped.
	 */
	private boolean isSettled(long position) {
		int slot = this.layout.slot(position);
		int tag = this.layout.tag(position);
		int sent = this.requests.tag(slot);
		return (sent != LapTag.NONE && !LapTag.isLater(tag, sent))
				|| LapTag.isWithin(this.image.getLong(this.layout.skippedLapsOffset(slot)), tag);
	}

	/** Sends the headers of requests that have changed since they were sent. */
	private void sendWithdrawals() {
		for (int slot = this.requests.nextUnanswered(0); slot >= 0; slot = this.requests.nextUnanswered(slot + 1)) {
			if (isWithdrawn(slot)) {
				int header = this.lane.slotOffset(slot);
				mayJoin(slot);
				this.image.putLong(header, (long) WORD.getAcquire(this.host, header));
				this.slotRun.add(header, header + RingLayout.CHUNK_BYTES);
			}
		}
		this.slotRun.flush();
	}

	/**
	 * Whether the header of a request that is not answered differs from what was sent.
	 */
	private boolean isWithdrawn(int slot) {
		int header = this.lane.slotOffset(slot);
		return (long) WORD.getAcquire(this.host, header) != this.image.getLong(header);
	}

	private boolean takeSkippedLaps(int slot) {
		int offset = this.layout.skippedLapsOffset(slot);
		long range = (long) WORD.getAcquire(this.host, offset);
		if (range == this.image.getLong(offset)) {
			return false;
		}
		this.image.putLong(offset, range);
		return true;
	}

	/**
	 * Takes the request of a slot into the image, if there is one that was not sent yet.
	 * One of which the host still copies a part is taken when it is there in whole. The
	 * producer of a request skips earlier laps of its slot before it publishes.
	 */
	private void take(int slot) {
		int offset = this.lane.slotOffset(slot);
		int tag = headerTag(slot);
		int sent = this.requests.tag(slot);
		if (tag == LapTag.NONE || tag == sent || !this.published.hasRequest(slot)) {
			return;
		}
		if (LapTag.half(tag) != LapTag.half(sent)) {
			this.renewed.set(slot);
			clear(offset, this.lane);
			clear(this.layout.responses().slotOffset(slot), this.layout.responses());
		}
		this.image.put(offset, this.host, offset, bytesInSlot(this.host, offset));
		this.requests.sent(slot, tag);
		if (!this.published.isUnanswered(slot)) {
			// A loop before the device has answered it.
			this.requests.answered(slot);
		}
		this.found.set(slot);
	}

	private int headerTag(int slot) {
		return (int) ((long) WORD.getAcquire(this.host, this.lane.slotOffset(slot) + Long.BYTES) >>> 32);
	}

	private void clear(int offset, LaneLayout cleared) {
		for (int at = 0; at < cleared.slotBytes(); at += Long.BYTES) {
			this.image.putLong(offset + at, 0);
		}
	}

	private int bytesInSlot(ByteBuffer bytes, int offset) {
		return this.lane.usedSlotBytes(bytes.getInt(offset));
	}

	/** Sends what was found: payloads before the headers that tell of them. */
	private int send() {
		int count = 0;
		int previous = -1;
		for (int slot = this.found.nextSetBit(0); slot >= 0; slot = this.found.nextSetBit(slot + 1)) {
			count++;
			int length = this.image.getInt(this.lane.slotOffset(slot));
			if (this.lane.isInPayload(length) && this.requests.isUnanswered(slot)) {
				// A payload between two that are not neighbours may be written just now.
				if (previous != slot - 1) {
					this.payloadRun.flush();
				}
				previous = slot;
				int offset = this.lane.payloadOffset(slot);
				this.payloadRun.add(offset, offset + RegionBridge.payloadBytes(length));
			}
			if (this.renewed.get(slot)) {
				this.copies.toDevice(this.imageMemory, this.layout.responses().slotOffset(slot),
						this.layout.responses().slotBytes());
			}
		}
		this.payloadRun.flush();
		for (int slot = this.found.nextSetBit(0); slot >= 0; slot = this.found.nextSetBit(slot + 1)) {
			int offset = this.lane.slotOffset(slot);
			mayJoin(slot);
			this.slotRun.add(offset,
					offset + (this.renewed.get(slot) ? this.lane.slotBytes() : bytesInSlot(this.image, offset)));
		}
		this.slotRun.flush();
		this.found.clear();
		this.renewed.clear();
		return count;
	}

	/** Begins a new copy where some slots lie between that are not sent now. */
	private void mayJoin(int slot) {
		if (this.previousSlot != slot - 1) {
			this.slotRun.flush();
		}
		this.previousSlot = slot;
	}

}
