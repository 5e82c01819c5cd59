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
 */
public record LaneLayout(int slotsOffset, int slotStride, int inlineBytes, int payloadsOffset, int payloadStride,
		int maxBytes) {

	int slotOffset(int slot) {
		return this.slotsOffset + slot * this.slotStride;
	}

	int payloadOffset(int slot) {
		return this.payloadsOffset + slot * this.payloadStride;
	}

	int chunks() {
		return 1 + RingLayout.dataChunks(this.inlineBytes);
	}

}
