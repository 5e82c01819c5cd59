package io.ringkernel.cuda.image;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

import io.ringkernel.ring.RingLayout;
import org.jspecify.annotations.Nullable;

/**
 * The worker that calls a handler for each request: a PTX text, and what that was
 * compiled to when the library was built. A handler becomes whole as text behind that of
 * the worker, which any driver can compile, but takes 0.6 s for; or the driver links the
 * machine code of the worker with it, which takes 30 ms.
 */
final class HandlerWorker {

	static final Charset CHARSET = StandardCharsets.ISO_8859_1;

	/** What travels in the first row of a slot, behind the header: a chunk a lane. */
	private static final int ROW_BYTES = 31 * RingLayout.CHUNK_DATA_BYTES;

	/** Those of the library, each read once it is needed. */
	private static final Map<String, HandlerWorker> WORKERS = new ConcurrentHashMap<>();

	private final PtxHeader header;

	private final String body;

	private final byte @Nullable [] code;

	/**
	 * Creates a worker of its text and, if there is any, its machine code for some
	 * devices.
	 */
	HandlerWorker(byte[] text, byte @Nullable [] code) {
		this.header = PtxHeader.of(text).orElseThrow();
		this.body = body(new String(text, CHARSET));
		this.code = code;
	}

	/**
	 * The worker that the library holds for a handler. One whose messages each travel in
	 * a row of their slot has a worker of its own, which leaves out what others need.
	 * That of one which calls workers looks for calls as well.
	 */
	static HandlerWorker of(String handler) {
		byte[] bytes = PtxConstant.read(handler, LinkedHandler.NAME + "_info");
		KernelInfo info = KernelInfo.isInfo(bytes) ? KernelInfo.read(bytes) : null;
		String name = (info != null && info.isAssisted()) ? "assisted_worker"
				: (info != null && isSmall(info)) ? "small_worker" : "worker";
		return WORKERS.computeIfAbsent(name, HandlerWorker::read);
	}

	private static boolean isSmall(KernelInfo info) {
		return Math.max(info.requestMaxBytes(), info.responseMaxBytes()) <= ROW_BYTES && !info.isCooperative();
	}

	String whole(String handler) {
		return begin(handler) + this.body + body(handler);
	}

	/**
	 * What a driver links to the same: machine code of the worker and the text of the
	 * handler; nothing if there is no machine code.
	 */
	List<byte[]> parts(String handler) {
		if (this.code == null) {
			return List.of();
		}
		byte[] text = (begin(handler) + body(handler)).getBytes(CHARSET);
		return List.of(this.code, Arrays.copyOf(text, text.length + 1));
	}

	/** What both need: the later version, and the later device. */
	private String begin(String handler) {
		PtxHeader needed = PtxHeader.of(handler.getBytes(CHARSET)).orElse(this.header);
		boolean later = needed.requiredDriver() > this.header.requiredDriver();
		boolean newer = needed.target() >= this.header.target();
		return ".version %s\n.target %s\n.address_size 64\n".formatted(later ? needed.version() : this.header.version(),
				newer ? needed.architecture() : this.header.architecture());
	}

	/** Without the directives that a text begins with. */
	private static String body(String text) {
		return text.lines().filter((line) -> !isDirective(line)).collect(Collectors.joining("\n", "", "\n"));
	}

	private static boolean isDirective(String line) {
		return line.startsWith(".version") || line.startsWith(".target") || line.startsWith(".address_size");
	}

	private static HandlerWorker read(String name) {
		String location = "/io/ringkernel/cuda/kernels/%s.ptx".formatted(name);
		try {
			ModuleImage image = Objects.requireNonNull(ModuleImage.read(location, HandlerWorker::open),
					location + " is missing in the jar");
			return new HandlerWorker(image.image(), image.compiled());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static @Nullable InputStream open(String location) {
		return HandlerWorker.class.getResourceAsStream(location);
	}

}
