package io.ringkernel.ring;

import java.nio.ByteBuffer;

import io.ringkernel.message.MessageBuffer;
import io.ringkernel.message.MessageLayout;

/**
 * Requests that are ready to be published one after another, each of which fits into a
 * slot. A run is encoded as a whole before positions are claimed for it, and what is
 * claimed and published at once is then only copied. For one thread at a time.
 *
 * @since 0.2.0
 */
public final class DraftRun {

	/**
	 * The most requests of a run: it stays in the first cache of a core, and leaves those
	 * behind it to be answered while it is made.
	 */
	public static final int MOST = 32;

	private final MessageBuffer buffer;

	private final byte[] bytes;

	private final int stride;

	private final int[] lengths = new int[MOST];

	/** The next one to be published. */
	private int next;

	private int end;

	DraftRun(int inlineBytes) {
		int copied = RingLayout.dataChunks(inlineBytes) * RingLayout.CHUNK_DATA_BYTES + Long.BYTES;
		// Whole pairs of chunks are copied from here, whatever the length.
		int lines = (copied + RingLayout.LINE_BYTES - 1) / RingLayout.LINE_BYTES;
		this.stride = lines * RingLayout.LINE_BYTES;
		this.bytes = new byte[MOST * this.stride];
		this.buffer = MessageBuffer.wrap(ByteBuffer.wrap(this.bytes));
	}

	/**
	 * Encodes requests in the place of those that were in the run.
	 * @param <T> the type of the requests
	 * @param messages their layout
	 * @param requests the requests
	 * @param from the first one
	 * @param to the one after the last; what is beyond {@value #MOST} is left
	 * @throws io.ringkernel.InvalidMessageException if one does not fit its layout; those
	 * before it are in the run
	 */
	public <T extends Record> void encode(MessageLayout<? super T> messages, T[] requests, int from, int to) {
		this.next = 0;
		this.end = 0;
		int count = Math.min(to - from, MOST);
		for (int i = 0; i < count; i++) {
			this.lengths[i] = messages.write(requests[from + i], this.buffer, i * this.stride);
			this.end = i + 1;
		}
	}

	/**
	 * How many requests are not published yet.
	 * @return a count from 0 to {@value #MOST}
	 */
	public int left() {
		return this.end - this.next;
	}

	/**
	 * Publishes the next request. It allocates nothing, calls no code of a user and
	 * cannot throw.
	 */
	void publish(RingLane lane, int slot, int tag) {
		int i = this.next;
		lane.publish(slot, tag, this.lengths[i], MessageKind.DATA, 0, this.bytes, i * this.stride);
		this.next = i + 1;
	}

}
