package io.ringkernel.test.ptx;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.stream.Collectors;

import io.ringkernel.backend.FailurePoint;
import io.ringkernel.compiler.CompiledHandler;
import io.ringkernel.message.MessageBuffer;
import io.ringkernel.message.MessageLayout;
import org.jspecify.annotations.Nullable;

/**
 * Calls a compiled handler without a ring around it: a launch for each request. Its state
 * lasts from one to the next.
 *
 * @param <I> the request
 * @param <O> the response
 */
public abstract class HandlerCalls<I extends Record, O extends Record> implements AutoCloseable {

	/** What a worker offers to a handler, and the kernel that calls it. */
	private static final String FUNCTIONS = read();

	/** The kernel in {@link #text()}. */
	protected static final String ENTRY = "bench";

	private static final int CALL_BYTES = 128;

	private static final int PARAMETER_BYTES = 24;

	private static final int END = 8;

	private static final int VALID = 12;

	private static final int MAX_BYTES = 16;

	private static final int OUT = 24;

	private static final int STATE = 32;

	private static final int SCRATCH = 40;

	private static final int ADDRESSES_END = SCRATCH + Long.BYTES;

	private final CompiledHandler handler;

	private final MessageLayout<I> requests;

	private final MessageLayout<O> responses;

	private final MessageBuffer out;

	private final ByteBuffer call = direct(CALL_BYTES);

	private final ByteBuffer parameter = direct(PARAMETER_BYTES);

	protected HandlerCalls(CompiledHandler handler, MessageLayout<I> requests, MessageLayout<O> responses) {
		this.handler = handler;
		this.requests = requests;
		this.responses = responses;
		this.out = MessageBuffer.allocate(responses.maxSize());
	}

	private static String read() {
		try (InputStream in = HandlerCalls.class.getResourceAsStream("bench.ptx")) {
			return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.US_ASCII);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	protected static ByteBuffer direct(int bytes) {
		return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
	}

	/**
	 * What came of a request: a response, or where it failed, or neither if it is
	 * invalid.
	 */
	public record Outcome(@Nullable Record response, @Nullable FailurePoint failure) {
	}

	/** The kernel with the handler that it calls, whose text begins with directives. */
	protected final String text() {
		return this.handler.ptx()
			.lines()
			.filter((line) -> !line.matches("\\.(version|target|address_size).*"))
			.collect(Collectors.joining("\n", FUNCTIONS, "\n"));
	}

	protected final ByteBuffer call() {
		return this.call;
	}

	protected final ByteBuffer parameter() {
		return this.parameter;
	}

	protected final ByteBuffer response() {
		return this.out.bytes();
	}

	/** What the handler keeps, with what it begins with. */
	protected final ByteBuffer newState() {
		ByteBuffer initial = this.handler.initialState();
		return direct(Math.toIntExact(this.handler.stateBytes())).put(0, initial, 0, initial.capacity());
	}

	/** What a worker lends the handler, as another request has left it. */
	protected final ByteBuffer newScratch() {
		ByteBuffer scratch = direct(this.handler.scratchBytes());
		while (scratch.hasRemaining()) {
			scratch.put((byte) 0xa5);
		}
		return scratch.clear();
	}

	/**
	 * Says where everything lies for whoever runs the kernel.
	 */
	protected final void place(long callAddress, long responseAddress, long stateAddress, long scratchAddress) {
		this.call.putLong(OUT, responseAddress).putLong(STATE, stateAddress).putLong(SCRATCH, scratchAddress);
		this.parameter.putLong(0, callAddress).putLong(16, responseAddress);
	}

	/** The layout of responses. */
	MessageLayout<O> responses() {
		return this.responses;
	}

	/**
	 * Has the handler answer a request.
	 * @param threads of the worker
	 */
	public final Outcome handle(I request, int threads) throws InterruptedException {
		// No larger than the request: nothing behind its end may be read.
		MessageBuffer in = MessageBuffer.allocate(this.requests.measure(request));
		this.requests.write(request, in, 0);
		clear(this.out.bytes(), this.responses.maxSize());
		clear(this.call, OUT);
		clear(this.call.slice(ADDRESSES_END, CALL_BYTES - ADDRESSES_END), CALL_BYTES - ADDRESSES_END);
		this.call.putInt(END, this.responses.fixedSize()).putInt(VALID, 1).putInt(MAX_BYTES, this.responses.maxSize());
		run(in.bytes(), threads);
		if (this.call.getInt(0) != 0) {
			return new Outcome(null, this.handler.failures().get(this.call.getInt(4) - 1));
		}
		if (this.call.getInt(VALID) == 0) {
			return new Outcome(null, null);
		}
		return new Outcome(this.responses.read(this.out, 0, this.call.getInt(END)), null);
	}

	/**
	 * Runs the kernel once.
	 * @param request where the request lies; its address goes to byte 8 of the
	 * {@link #parameter()}
	 */
	protected abstract void run(ByteBuffer request, int threads) throws InterruptedException;

	@Override
	public void close() {
	}

	private static void clear(ByteBuffer memory, int bytes) {
		for (int at = 0; at < bytes; at++) {
			memory.put(at, (byte) 0);
		}
	}

}
