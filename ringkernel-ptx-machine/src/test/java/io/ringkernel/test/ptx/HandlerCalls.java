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
import io.ringkernel.message.MessageLayout;
import io.ringkernel.message.buffer.MessageBuffer;
import io.ringkernel.ring.MessageKind;
import io.ringkernel.ring.RingLayout;
import org.jspecify.annotations.Nullable;

/**
 * Calls a compiled handler without a ring around it: a launch for each request. Its state
 * lasts from one to the next.
 *
 * @param <I> the request
 * @param <O> the response
 */
public abstract class HandlerCalls<I extends Record, O extends Record> implements AutoCloseable {

	/** The kernel that calls it. */
	private static final String BENCH = read();

	/** The kernel in {@link #text()}. */
	protected static final String ENTRY = "bench";

	/** The call, and behind it what it refers to. */
	private static final int CALL_BYTES = 184;

	private static final int PARAMETER_BYTES = 40;

	/** Without what it refers to. */
	private static final int SHARED_CALL_BYTES = 112;

	private static final int LAUNCH = 64;

	private static final int FAILURE = 72;

	private static final int DISTANT = 80;

	private static final int BARRIER = 108;

	private static final int FAILURE_PLACE = 112;

	private static final int LAUNCH_PLACE = 128;

	private static final int STATE = LAUNCH_PLACE + 24;

	private static final int WORKERS = LAUNCH_PLACE + 48;

	private static final int KIND = 160;

	private static final int END = 164;

	private static final int SPLIT = 168;

	private static final byte LEFT = (byte) 0xa5;

	private final CompiledHandler handler;

	private final MessageLayout<I> requests;

	private final MessageLayout<O> responses;

	/** A response as far as it travels inside its slot. */
	private final ByteBuffer nearby;

	/** A response in device memory, and behind it the scratch memory. */
	private final ByteBuffer distant;

	private final ByteBuffer call = direct(CALL_BYTES);

	private boolean isCopied;

	private final ByteBuffer parameter = direct(PARAMETER_BYTES);

	protected HandlerCalls(CompiledHandler handler, MessageLayout<I> requests, MessageLayout<O> responses) {
		this.handler = handler;
		this.requests = requests;
		this.responses = responses;
		int line = RingLayout.LINE_BYTES;
		this.nearby = direct(Math.min(responses.maxSize(), RingLayout.MAX_INLINE_BYTES));
		this.distant = direct((responses.maxSize() + line - 1) / line * line + handler.scratchBytes());
		fill(this.distant, 0, this.distant.capacity(), LEFT);
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
	 * What came of a request, if it was accepted: a response, or where it failed, or
	 * neither if the response is invalid.
	 */
	public record Outcome(boolean accepted, @Nullable Record response, @Nullable FailurePoint failure) {
	}

	/** The kernel with the handler that it calls, whose text begins with directives. */
	protected final String text() {
		return this.handler.ptx()
			.lines()
			.filter((line) -> !line.matches("\\.(version|target|address_size).*"))
			.collect(Collectors.joining("\n", BENCH, "\n"));
	}

	protected final ByteBuffer call() {
		return this.call;
	}

	protected final ByteBuffer parameter() {
		return this.parameter;
	}

	protected final ByteBuffer nearby() {
		return this.nearby;
	}

	/** Holds what an earlier request has left there, if not what a test has. */
	protected final ByteBuffer distant() {
		return this.distant;
	}

	/** What the handler keeps, with what it begins with. */
	protected final ByteBuffer newState() {
		ByteBuffer initial = this.handler.initialState();
		return direct(Math.toIntExact(this.handler.stateBytes())).put(0, initial, 0, initial.capacity());
	}

	/**
	 * Says where everything lies for whoever runs the kernel.
	 */
	protected final void place(long callAddress, long nearbyAddress, long distantAddress, long stateAddress) {
		this.call.putLong(LAUNCH, callAddress + LAUNCH_PLACE)
			.putLong(FAILURE, callAddress + FAILURE_PLACE)
			.putLong(DISTANT, distantAddress)
			.putInt(BARRIER, 1)
			.putLong(STATE, stateAddress)
			.putInt(WORKERS, 1);
		this.parameter.putLong(0, callAddress).putLong(16, isFixedNearby() ? nearbyAddress : distantAddress);
	}

	/**
	 * Has the kernel copy to shared memory what a handler finds there. The machine lets
	 * it lie elsewhere, and so sees each access behind its end.
	 */
	protected final void copyToShared() {
		this.isCopied = true;
		this.parameter.putInt(28, SHARED_CALL_BYTES).putInt(36, isFixedNearby() ? this.nearby.capacity() : 0);
	}

	private boolean isFixedNearby() {
		return this.responses.fixedSize() <= this.nearby.capacity();
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
		return handle(in.bytes(), in.bytes().capacity(), threads);
	}

	/**
	 * Has the handler answer what may be no request.
	 * @param request its bytes
	 * @param length the length that its header states
	 * @param threads of the worker
	 */
	final Outcome handle(ByteBuffer request, int length, int threads) throws InterruptedException {
		fill(this.nearby, 0, this.nearby.capacity(), (byte) 0);
		fill(this.distant, 0, isFixedNearby() ? 0 : this.responses.fixedSize(), (byte) 0);
		this.call.putLong(FAILURE_PLACE, 0);
		boolean isShared = this.isCopied && this.requests.maxSize() <= RingLayout.MAX_INLINE_BYTES;
		this.parameter.putInt(24, length).putInt(32, isShared ? request.capacity() : 0);
		run(request, threads);
		int kind = this.call.getInt(KIND);
		if (kind == MessageKind.INVALID_REQUEST.code()) {
			return new Outcome(false, null, null);
		}
		if (this.call.getInt(FAILURE_PLACE) != 0) {
			return new Outcome(true, null, this.handler.failures().get(this.call.getInt(FAILURE_PLACE + 4) - 1));
		}
		return new Outcome(true, (kind == MessageKind.DATA.code()) ? response() : null, null);
	}

	private O response() {
		int end = this.call.getInt(END);
		int split = (int) Math.min(Integer.toUnsignedLong(this.call.getInt(SPLIT)), end);
		MessageBuffer response = MessageBuffer.allocate(end);
		response.bytes().put(0, this.nearby, 0, split).put(split, this.distant, split, end - split);
		return this.responses.read(response, 0, end);
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

	private static void fill(ByteBuffer memory, int from, int to, byte with) {
		for (int at = from; at < to; at++) {
			memory.put(at, with);
		}
	}

}
