package io.ringkernel.maven;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.stream.Collectors;
import java.util.zip.CRC32;

/**
 * The text of an image as nvcc writes it, made fit to be kept.
 *
 * @param text the text
 */
record PtxImage(String text) {

	/**
	 * An image of what nvcc has written. Its version of PTX is lowered: nvcc states its
	 * own, which only drivers load that are as new as nvcc. Comments name the build of
	 * nvcc, and are left out.
	 */
	static PtxImage of(String written, String version) {
		return new PtxImage(written.lines()
			.filter((line) -> !line.startsWith("//"))
			.dropWhile(String::isBlank)
			.map((line) -> line.startsWith(".version ") ? ".version " + version : line)
			.collect(Collectors.joining("\n", "", "\n")));
	}

	/**
	 * The name of the file that holds the machine code of this very text: RingKernel
	 * looks for CRC-32 and length, as gzip appends them.
	 */
	String machineCodeName(String name) {
		byte[] bytes = this.text.getBytes(StandardCharsets.UTF_8);
		CRC32 checksum = new CRC32();
		checksum.update(bytes);
		ByteBuffer stamp = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
		stamp.putInt((int) checksum.getValue()).putInt(bytes.length);
		return "%s.%s.fatbin".formatted(name, HexFormat.of().formatHex(stamp.array()));
	}

}
