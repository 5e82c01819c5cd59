package io.ringkernel.compiler;

import java.util.ArrayList;
import java.util.List;

import io.ringkernel.RingKernelHandler;
import io.ringkernel.exception.HandlerRefusedException;
import io.ringkernel.message.MessageLayout;

/**
 * The code of a handler that is compiled for devices: the instructions of PTX beside the
 * lines of Java that they come from, in the order of the instructions. A line of Java
 * comes more than once if instructions of other lines lie between its own. Declarations
 * of registers are left out.
 *
 * @param handler the method, such as {@code com.example.Saxpy.handle}
 * @param lines lines of Java with their instructions
 * @since 0.2.0
 */
public record HandlerListing(String handler, List<Line> lines) {

	private static final String HANDLER = " ringkernel_handle(";

	private static final String SOURCE = "// ";

	private static final String REGISTER = ".reg ";

	/**
	 * Compiles a handler and lists its code.
	 * @param <I> the request
	 * @param <O> the response
	 * @param handler the handler
	 * @param requests the layout of requests
	 * @param responses the layout of responses
	 * @return its code
	 * @throws HandlerRefusedException if a device cannot do what the handler does
	 */
	public static <I extends Record, O extends Record> HandlerListing of(RingKernelHandler<I, O> handler,
			MessageLayout<I> requests, MessageLayout<O> responses) {
		return new HandlerListing(handler.getClass().getName() + ".handle",
				lines(HandlerCompiler.compile(handler, requests, responses).ptx()));
	}

	static List<Line> lines(String ptx) {
		String function = ptx.substring(ptx.indexOf(HANDLER));
		List<Line> lines = new ArrayList<>();
		// What loads the parameters comes from no line.
		String source = "";
		List<String> instructions = new ArrayList<>();
		String body = function.substring(function.indexOf('{') + 1, function.lastIndexOf('}'));
		for (String line : body.lines().map(String::strip).toList()) {
			if (line.startsWith(SOURCE)) {
				add(lines, source, instructions);
				source = line.substring(SOURCE.length());
				instructions = new ArrayList<>();
			}
			else if (!line.isEmpty() && !line.startsWith(REGISTER)) {
				instructions.add(line);
			}
		}
		add(lines, source, instructions);
		return List.copyOf(lines);
	}

	/** A line of Java may come to no instruction of its own. */
	private static void add(List<Line> lines, String source, List<String> instructions) {
		if (!instructions.isEmpty()) {
			lines.add(new Line(source, List.copyOf(instructions)));
		}
	}

	/**
	 * A line of Java.
	 *
	 * @param source class, method and line; empty for what precedes the first line
	 * @param ptx its instructions and labels
	 */
	public record Line(String source, List<String> ptx) {
	}

}
