package io.ringkernel.sample.web;

import java.util.Locale;
import java.util.function.Supplier;

import jakarta.servlet.http.HttpServletResponse;

/**
 * What the kernel took of a request, in the header {@code Server-Timing}: browsers show
 * it beside what the request took in all.
 */
public final class ServerTiming {

	private static final double NANOS_PER_MILLI = 1e6;

	private ServerTiming() {
	}

	/**
	 * Calls a kernel, and adds the header.
	 * @param response the response that gets the header
	 * @param call the call
	 * @return what the call returns
	 */
	public static <T> T of(HttpServletResponse response, Supplier<T> call) {
		long start = System.nanoTime();
		T result = call.get();
		response.setHeader("Server-Timing",
				String.format(Locale.ROOT, "kernel;dur=%.4f", (System.nanoTime() - start) / NANOS_PER_MILLI));
		return result;
	}

}
