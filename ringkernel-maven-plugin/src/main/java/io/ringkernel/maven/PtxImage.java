package io.ringkernel.maven;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.zip.CRC32;

import io.ringkernel.cuda.image.LinkedHandler;
import io.ringkernel.cuda.image.PtxText;

/**
 * The text of an image as nvcc writes it, made fit to be kept.
 */
record PtxImage(String text) {

	/** An image of what nvcc has written. */
	static PtxImage of(String written) {
		return new PtxImage(PtxText.lowered(written));
	}

	/**
	 * What a device runs: the text itself, or a handler with the worker that the library
	 * holds.
	 */
	byte[] whole() {
		return LinkedHandler.complete(this.text.getBytes(StandardCharsets.UTF_8));
	}

	/**
	 * The name of the file that holds the machine code of the whole text: RingKernel
	 * looks for CRC-32 and length, as gzip appends them.
	 */
	String machineCodeName(String name) {
		byte[] bytes = whole();
		CRC32 checksum = new CRC32();
		checksum.update(bytes);
		ByteBuffer stamp = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
		stamp.putInt((int) checksum.getValue()).putInt(bytes.length);
		return "%s.%s.fatbin".formatted(name, HexFormat.of().formatHex(stamp.array()));
	}

}
