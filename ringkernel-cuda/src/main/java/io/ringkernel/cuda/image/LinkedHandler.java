package io.ringkernel.cuda.image;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * A handler that was compiled without a worker, as PTX: the function {@value #FUNCTION},
 * which calls what {@code ringkernel/call.cuh} declares. The text of the handler is
 * appended to that of the worker which the library holds, without the directives that
 * begin it: as one text, the compiler sees both, and keeps in registers what it would put
 * into memory around the call of a function that it does not know.
 *
 * @since 0.2.0
 */
public final class LinkedHandler {

	/** The function that the worker calls for each request. */
	public static final String FUNCTION = "ringkernel_handle";

	/** The entry of the worker. */
	static final String ENTRY = "ringkernel_worker";

	/** What the constants of a handler are named by. */
	static final String NAME = "ringkernel_handler";

	private static final Charset CHARSET = StandardCharsets.ISO_8859_1;

	private static final String WORKER = "/io/ringkernel/cuda/kernels/worker.ptx";

	private LinkedHandler() {
	}

	/**
	 * Completes an image.
	 * @param image an image, whatever it is
	 * @return the text of a worker and a handler if it is a handler alone, else the same
	 * bytes
	 */
	public static byte[] complete(byte[] image) {
		String text = new String(image, CHARSET);
		return isHandler(text) ? (begin(text) + Worker.BODY + body(text)).getBytes(CHARSET) : image;
	}

	/** What both need: the later version, and the later device. */
	private static String begin(String handler) {
		PtxHeader worker = Worker.HEADER;
		PtxHeader needed = PtxHeader.of(handler.getBytes(CHARSET)).orElse(worker);
		boolean later = needed.requiredDriver() > worker.requiredDriver();
		return ".version %s%n.target sm_%d%n.address_size 64%n"
			.formatted(later ? needed.version() : worker.version(), Math.max(needed.target(), worker.target()))
			.replace(System.lineSeparator(), "\n");
	}

	private static boolean isHandler(String text) {
		return text.contains(".func " + FUNCTION) && !text.contains(".entry");
	}

	/** Without the directives that a text begins with. */
	private static String body(String text) {
		return text.lines().filter((line) -> !isDirective(line)).collect(Collectors.joining("\n", "", "\n"));
	}

	private static boolean isDirective(String line) {
		return line.startsWith(".version") || line.startsWith(".target") || line.startsWith(".address_size");
	}

	/**
	 * The worker, read once it is needed.
	 */
	private static final class Worker {

		private static final byte[] TEXT = read();

		private static final PtxHeader HEADER = PtxHeader.of(TEXT).orElseThrow();

		private static final String BODY = body(new String(TEXT, CHARSET));

		private static byte[] read() {
			try (InputStream in = LinkedHandler.class.getResourceAsStream(WORKER)) {
				return Objects.requireNonNull(in, WORKER + " is missing in the jar").readAllBytes();
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

	}

}
