package io.ringkernel.cuda.simulated;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.ringkernel.backend.KernelSpec;
import io.ringkernel.control.ControlBlock;
import io.ringkernel.cuda.image.KernelInfo;
import org.jspecify.annotations.Nullable;

/**
 * What a simulated image holds: a handler in Java, and the description of it.
 */
public final class SimulatedKernel {

	private final KernelSpec<?, ?> spec;

	private byte @Nullable [] info;

	private byte @Nullable [] layouts;

	SimulatedKernel(KernelSpec<?, ?> spec) {
		this.spec = spec;
		this.info = info(spec);
	}

	private static byte[] info(KernelSpec<?, ?> spec) {
		ByteBuffer info = ByteBuffer.allocate(KernelInfo.BYTES).order(ByteOrder.LITTLE_ENDIAN);
		info.put("RKKERNEL".getBytes(StandardCharsets.US_ASCII));
		info.putInt(ControlBlock.ABI_VERSION).putInt(KernelInfo.BYTES);
		info.putLong(spec.requests().fingerprint()).putLong(spec.responses().fingerprint());
		info.putInt(spec.requests().fixedSize()).putInt(spec.requests().maxSize());
		info.putInt(spec.responses().fixedSize()).putInt(spec.responses().maxSize());
		info.putInt(64).putInt(32).putInt(4096).putInt(1024).putLong(128).putInt(1024).putInt(0);
		return info.array();
	}

	/**
	 * Where a PTX text that describes this kernel, without a body, is found.
	 */
	public String image(String entry) {
		return image(entry, header() + text(entry));
	}

	static String header() {
		return ".version 8.3\n.target sm_75\n.address_size 64\n";
	}

	/**
	 * The kernel as PTX: what describes it, and an entry without a body.
	 */
	public String text(String entry) {
		String numbers = IntStream.range(0, KernelInfo.BYTES)
			.mapToObj((i) -> String.valueOf(Byte.toUnsignedInt(Objects.requireNonNull(this.info)[i])))
			.collect(Collectors.joining(", "));
		return ".visible .global .align 8 .b8 %1$s_info[%2$d] = {%3$s};%n.visible .entry %1$s()%n{%n}%n"
			.formatted(entry, KernelInfo.BYTES, numbers);
	}

	public static String image(String entry, String text) {
		try {
			Path file = Files.createTempFile(entry, ".ptx");
			file.toFile().deleteOnExit();
			Files.writeString(file, text);
			return file.toUri().toString();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	KernelSpec<?, ?> spec() {
		return this.spec;
	}

	public byte @Nullable [] info() {
		return this.info;
	}

	/**
	 * Replaces a word of the description.
	 */
	public SimulatedKernel set(int offset, int value) {
		ByteBuffer.wrap(this.info).order(ByteOrder.LITTLE_ENDIAN).putInt(offset, value);
		return this;
	}

	byte @Nullable [] layouts() {
		return this.layouts;
	}

	/**
	 * States the layouts that it was built with.
	 */
	public SimulatedKernel builtWith(String request, String response) {
		this.layouts = (request + "\0" + response + "\0").getBytes(StandardCharsets.UTF_8);
		return this;
	}

	public SimulatedKernel withoutInfo() {
		this.info = null;
		return this;
	}

}
