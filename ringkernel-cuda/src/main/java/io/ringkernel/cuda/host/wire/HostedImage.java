package io.ringkernel.cuda.host.wire;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

import io.ringkernel.backend.FailurePoint;
import io.ringkernel.cuda.image.KernelImage;
import io.ringkernel.cuda.image.ModuleImage;
import io.ringkernel.exception.UnusableImageException;

/**
 * An image as it crosses the socket: its bytes, so that a host needs neither the file nor
 * the class loader that the application has found it with, nor the class of a handler.
 *
 * @since 0.2.0
 */
public final class HostedImage {

	/** How much an image may have, with the machine code beside it. */
	static final int MAX_BYTES = 32 << 20;

	private static final int MIN_BYTES_OF_FAILURE = 4 * Integer.BYTES + 1;

	private HostedImage() {
	}

	/** Checks that an image is small enough to be sent. */
	public static void check(String kernelId, KernelImage image) {
		long code = image.module().size();
		long state = image.initialState().remaining();
		if (code + state > MAX_BYTES) {
			throw new UnusableImageException(kernelId,
					"its image '%s' has %d B of code and begins with %d B of state, and a kernel host takes %d B at most"
						.formatted(image.location(), code, state, MAX_BYTES),
					"%s, or set ringkernel.isolation to none.".formatted((code > state) ? "Build it for fewer devices"
							: "Have its handler begin with zeros, and send it the rest by requests"),
					null);
		}
	}

	static void write(FrameWriter out, KernelImage image) {
		out.writeString(image.location()).writeString(image.entry()).writeBytes(image.module().image());
		byte[] compiled = image.module().compiled();
		out.writeBoolean(compiled != null);
		if (compiled != null) {
			out.writeBytes(compiled);
		}
		out.writeInt(image.failures().size());
		image.failures()
			.forEach((failure) -> out.writeString(failure.exception())
				.writeOptional(failure.message())
				.writeString(failure.className())
				.writeString(failure.methodName())
				.writeInt(failure.line()));
		ByteBuffer state = image.initialState();
		byte[] bytes = new byte[state.remaining()];
		state.get(bytes);
		out.writeBytes(bytes);
	}

	static KernelImage read(FrameReader in) throws MalformedFrameException {
		String location = in.readString();
		String entry = in.readString();
		byte[] image = in.readBytes();
		ModuleImage module = ModuleImage.of(location, image, in.readBoolean() ? in.readBytes() : null);
		List<FailurePoint> failures = new ArrayList<>();
		int count = in.readCount(MIN_BYTES_OF_FAILURE);
		for (int i = 0; i < count; i++) {
			failures.add(new FailurePoint(in.readString(), in.readOptional(), in.readString(), in.readString(),
					in.readInt()));
		}
		byte[] state = in.readBytes();
		ByteBuffer direct = ByteBuffer.allocateDirect(state.length).put(state).flip();
		// Whose fields lie where is known to the application, which has the handler.
		return new KernelImage(location, entry, module, module.ptx().orElse(null), List.copyOf(failures),
				direct.asReadOnlyBuffer(), null);
	}

}
