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
	 * Where a slot begins.
	 * @param slot the slot
	 * @return the offset of its header
	 */
	public int slotOffset(int slot) {
		return this.slotsOffset + slot * this.slotStride;
	}

	/**
	 * Where the payload of a slot begins.
	 * @param slot the slot
	 * @return the offset
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
	 * The bytes of the chunks that a message uses in its slot: header and progress where
	 * the message is in the payload, the header alone where the length is none of this
	 * lane's.
	 * @param length the length that the header states, whatever it is
	 * @return the bytes, from the start of the slot
	 */
	public int usedSlotBytes(int length) {
		if (isInPayload(length)) {
			return (1 + RingLayout.PROGRESS_CHUNK) * RingLayout.CHUNK_BYTES;
		}
		int data = (length >= 0 && length <= this.inlineBytes) ? RingLayout.dataChunks(length) : 0;
		return (1 + data) * RingLayout.CHUNK_BYTES;
	}

	/**
	 * Whether a message is in the payload of its slot.
	 * @param length the length that the header states, whatever it is
	 * @return whether it is, which a length that is none of this lane's never is
	 */
	public boolean isInPayload(int length) {
		return length > this.inlineBytes && length <= this.maxBytes;
	}

	int chunks() {
		return 1 + RingLayout.dataChunks(this.inlineBytes);
	}

}
