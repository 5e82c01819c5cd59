package io.ringkernel.cuda.transport;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.BitSet;

import io.ringkernel.message.buffer.MessageBuffer;
import io.ringkernel.ring.LaneLayout;
import io.ringkernel.ring.RingLayout;

/**
 * Brings what the device has answered to the host, for the requests that it was sent and
 * nothing else: {@linkplain #fetch fetches} the slots into an image, {@linkplain #examine
 * examines} what came, and {@linkplain #deliver delivers} what is complete.
 * <p>
 * <strong>A response is delivered in whole or not at all.</strong> A slot may be copied
 * while the device writes it, and be looked at while it arrives, so each chunk is
 * believed by its own tag only, which no other message of its slot has carried: sixteen
 * aligned bytes cross the bus, and reach the host's memory, together. An incomplete
 * response is fetched again. The payload of a large one is fetched after its header was
 * seen, which the device has stored behind it. On the host, the chunks are stored first,
 * and the tag of the header last, with release. A reader that finds the tag by the
 * acquire load of {@code RingLane.isComplete} finds chunks and payload as well. No thread
 * reads the payload before, and the bridge alone writes there while the request is
 * unanswered.
 * <p>
 * <strong>Nothing the device says is trusted.</strong> A length that the lane cannot hold
 * is delivered as it is, with nothing behind it, for the reader to refuse.
 */
final class ResponseBridge {

	private static final int WORDS_PER_CHUNK = RingLayout.CHUNK_BYTES / Long.BYTES;

	private static final VarHandle WORD = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

	private final ByteBuffer host;

	private final ByteBuffer image;

	private final LongBuffer imageWords;

	private final LaneLayout lane;

	private final ForwardedRequests requests;

	private final CopyRun slotRun;

	private final CopyRun payloadRun;

	/** The slots that were fetched and not looked at since. */
	private final BitSet fetched;

	/** The slots whose response is to be delivered. */
	private final BitSet complete;

	ResponseBridge(MessageBuffer memory, MessageBuffer image, RingLayout layout, ForwardedRequests requests,
			RegionCopies copies) {
		this.host = memory.bytes();
		this.image = image.bytes();
		this.imageWords = image.longs();
		this.lane = layout.responses();
		this.requests = requests;
		this.fetched = new BitSet(layout.slots());
		this.complete = new BitSet(layout.slots());
		this.slotRun = new CopyRun((offset, bytes) -> copies.toHost(image, offset, bytes));
		this.payloadRun = new CopyRun((offset, bytes) -> copies.toHost(memory, offset, bytes));
	}

	/** Copies the response slots of all requests that are not answered into the image. */
	void fetch() {
		for (int slot = this.requests.nextUnanswered(0); slot >= 0; slot = this.requests.nextUnanswered(slot + 1)) {
			int offset = this.lane.slotOffset(slot);
			this.slotRun.add(offset, offset + this.lane.slotBytes());
			this.fetched.set(slot);
		}
		this.slotRun.flush();
	}

	/**
	 * Looks at what was fetched, once it has arrived, and copies the payloads of large
	 * responses. Returns whether there are such copies to be waited for before anything
	 * is delivered.
	 */
	boolean examine() {
		boolean copying = false;
		int previous = -1;
		for (int slot = this.fetched.nextSetBit(0); slot >= 0; slot = this.fetched.nextSetBit(slot + 1)) {
			if (!isComplete(slot)) {
				continue;
			}
			int length = this.image.getInt(this.lane.slotOffset(slot));
			this.complete.set(slot);
			if (this.lane.isInPayload(length)) {
				// Between two that are not neighbours lie payloads that are not ours.
				if (previous != slot - 1) {
					this.payloadRun.flush();
				}
				previous = slot;
				int payload = this.lane.payloadOffset(slot);
				this.payloadRun.add(payload, payload + RegionBridge.payloadBytes(length));
				copying = true;
			}
		}
		this.payloadRun.flush();
		this.fetched.clear();
		return copying;
	}

	/**
	 * Whether there is a whole response in a slot of the image, where it may arrive just
	 * now. The fences acquire what belongs to the tags that were found: first the length
	 * that the header states, then everything.
	 */
	private boolean isComplete(int slot) {
		long lap = (long) this.requests.tag(slot) << Integer.SIZE;
		int offset = this.lane.slotOffset(slot);
		int word = offset / Long.BYTES + 1;
		long differences = this.imageWords.get(word) ^ lap;
		VarHandle.acquireFence();
		if (differences >>> Integer.SIZE != 0) {
			return false;
		}
		int last = word + this.lane.usedSlotBytes(this.image.getInt(offset)) / Long.BYTES - WORDS_PER_CHUNK;
		while (word != last) {
			word += WORDS_PER_CHUNK;
			differences |= this.imageWords.get(word) ^ lap;
		}
		VarHandle.acquireFence();
		return differences >>> Integer.SIZE == 0;
	}

	/**
	 * Stores what is complete where the host looks for it; returns how many responses
	 * that is.
	 */
	int deliver() {
		int count = 0;
		for (int slot = this.complete.nextSetBit(0); slot >= 0; slot = this.complete.nextSetBit(slot + 1)) {
			int header = this.lane.slotOffset(slot);
			int data = header + RingLayout.CHUNK_BYTES;
			this.host.put(data, this.image, data,
					this.lane.usedSlotBytes(this.image.getInt(header)) - RingLayout.CHUNK_BYTES);
			this.host.putLong(header, this.image.getLong(header));
			WORD.setRelease(this.host, header + Long.BYTES, this.image.getLong(header + Long.BYTES));
			this.requests.answered(slot);
			count++;
		}
		this.complete.clear();
		return count;
	}

}
