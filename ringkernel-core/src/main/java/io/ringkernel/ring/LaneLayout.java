package io.ringkernel.ring;

/**
 * Where the slots and payloads of one direction lie, in bytes from the start of the
 * memory.
 *
 * @param slotsOffset where slot 0 begins; a multiple of {@value RingLayout#LINE_BYTES}
 * @param slotStride bytes from slot to slot; a multiple of
 * {@value RingLayout#LINE_BYTES}, so that no two slots share a line
 * @param inlineBytes the largest message that travels inside a slot
 * @param payloadsOffset where the payload of slot 0 begins
 * @param payloadStride bytes from payload to payload; 0 where every message fits inline
 * @param maxBytes the largest message
 * @since 0.1.0
 */
public record LaneLayout(int slotsOffset, int slotStride, int inlineBytes, int payloadsOffset, int payloadStride,
		int maxBytes) {

	/**
	 * {@return where a slot begins, with its header}
	 * @param slot the slot
	 */
	public int slotOffset(int slot) {
		return this.slotsOffset + slot * this.slotStride;
	}

	/**
	 * {@return where the payload of a slot begins}
	 * @param slot the slot
	 */
	public int payloadOffset(int slot) {
		return this.payloadsOffset + slot * this.payloadStride;
	}

	/**
	 * The bytes of all chunks of a slot: the header and the largest inline message.
	 * @return the bytes, at most the stride
	 */
	public int slotBytes() {
		return chunks() * RingLayout.CHUNK_BYTES;
	}

	/**
	 * {@return the bytes of the chunks that a message uses from the start of its slot:
	 * header and progress if the message is in the payload, the header alone if the
	 * length is none of this lane's}
	 * @param length the length that the header states, whatever it is
	 */
	public int usedSlotBytes(int length) {
		if (isInPayload(length)) {
			return (1 + RingLayout.PROGRESS_CHUNK) * RingLayout.CHUNK_BYTES;
		}
		int data = (length >= 0 && length <= this.inlineBytes) ? RingLayout.dataChunks(length) : 0;
		return (1 + data) * RingLayout.CHUNK_BYTES;
	}

	/**
	 * {@return whether a message is in the payload of its slot, as none is whose length
	 * is not of this lane}
	 * @param length the length that the header states, whatever it is
	 */
	public boolean isInPayload(int length) {
		return length > this.inlineBytes && length <= this.maxBytes;
	}

	int chunks() {
		return 1 + RingLayout.dataChunks(this.inlineBytes);
	}

}
