package io.ringkernel.cuda.image;

import java.util.List;

/**
 * A handler that was compiled without a worker, as PTX: the function {@value #FUNCTION},
 * as {@code ringkernel/call.cuh} declares it. It becomes an image with the worker that
 * the library holds.
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

	private LinkedHandler() {
	}

	/**
	 * Completes an image.
	 * @param image an image, whatever it is
	 * @return the text of a worker and a handler if it is a handler alone, else the same
	 * bytes
	 */
	public static byte[] complete(byte[] image) {
		String text = new String(image, HandlerWorker.CHARSET);
		return isHandler(text) ? HandlerWorker.of(text).whole(text).getBytes(HandlerWorker.CHARSET) : image;
	}

	/**
	 * What a driver links to the same sooner than it compiles the text.
	 * @param image an image, whatever it is
	 * @return machine code of the worker, and PTX that is ended by a zero byte; nothing
	 * if the image is no handler alone, or the library holds no machine code
	 */
	public static List<byte[]> parts(byte[] image) {
		String text = new String(image, HandlerWorker.CHARSET);
		return isHandler(text) ? HandlerWorker.of(text).parts(text) : List.of();
	}

	private static boolean isHandler(String text) {
		return text.contains(" " + FUNCTION + "(") && !text.contains(".entry");
	}

}
