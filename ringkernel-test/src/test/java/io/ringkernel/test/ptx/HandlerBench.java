package io.ringkernel.test.ptx;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

import io.ringkernel.backend.FailurePoint;
import io.ringkernel.compiler.CompiledHandler;
import io.ringkernel.message.MessageBuffer;
import io.ringkernel.message.MessageLayout;
import io.ringkernel.test.ptx.code.ProgramDecoder;
import io.ringkernel.test.ptx.machine.Clock;
import io.ringkernel.test.ptx.machine.Grid;
import io.ringkernel.test.ptx.machine.Launch;
import io.ringkernel.test.ptx.machine.Memory;
import io.ringkernel.test.ptx.machine.Program;
import io.ringkernel.test.ptx.text.PtxText;
import org.jspecify.annotations.Nullable;

/**
 * Calls a compiled handler on the machine, without a ring around it: a launch for each
 * request. Its state lasts from one to the next.
 *
 * @param <I> the request
 * @param <O> the response
 */
public final class HandlerBench<I extends Record, O extends Record> {

	private static final String FUNCTIONS = read();

	private static final int CALL_BYTES = 128;

	private static final int END = 8;

	private static final int VALID = 12;

	private static final int MAX_BYTES = 16;

	private static final int OUT = 24;

	private static final int STATE = 32;

	private static final long STEPS = 2_000_000;

	private final MessageLayout<I> requests;

	private final MessageLayout<O> responses;

	private final CompiledHandler handler;

	private final Memory memory = new Memory();

	private final Program program;

	private final ByteBuffer call = ByteBuffer.allocateDirect(CALL_BYTES).order(ByteOrder.LITTLE_ENDIAN);

	private final MessageBuffer out;

	private final long parameters;

	private final long state;

	private final long callAddress = this.memory.add("the call", this.call);

	private final ByteBuffer parameter = ByteBuffer.allocateDirect(24).order(ByteOrder.LITTLE_ENDIAN);

	public HandlerBench(CompiledHandler handler, MessageLayout<I> requests, MessageLayout<O> responses) {
		this.handler = handler;
		this.requests = requests;
		this.responses = responses;
		this.program = ProgramDecoder.load(PtxText.parse(FUNCTIONS + handler.ptx()), this.memory);
		this.out = MessageBuffer.allocate(responses.maxSize());
		this.parameters = this.memory.add("the parameters", this.parameter);
		ByteBuffer state = ByteBuffer.allocateDirect(Math.toIntExact(handler.stateBytes()));
		this.state = this.memory.add("the state",
				state.put(0, handler.initialState(), 0, handler.initialState().capacity())
					.order(ByteOrder.LITTLE_ENDIAN));
		long outAddress = this.memory.add("the response", this.out.bytes());
		this.parameter.putLong(0, this.callAddress).putLong(16, outAddress);
	}

	private static String read() {
		try (InputStream in = HandlerBench.class.getResourceAsStream("bench.ptx")) {
			return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.US_ASCII);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * What came of a request: a response, or where it failed, or neither if it is
	 * invalid.
	 */
	public record Outcome(@Nullable Record response, @Nullable FailurePoint failure) {
	}

	/** The layout of responses. */
	MessageLayout<O> responses() {
		return this.responses;
	}

	public Outcome handle(I request, int threads) {
		// No larger than the request: nothing behind its end may be read.
		MessageBuffer in = MessageBuffer.allocate(this.requests.measure(request));
		this.requests.write(request, in, 0);
		long inAddress = this.memory.add("the request", in.bytes());
		clear(this.out.bytes());
		clear(this.call);
		this.call.putInt(END, this.responses.fixedSize()).putInt(VALID, 1).putInt(MAX_BYTES, this.responses.maxSize());
		this.call.putLong(OUT, this.parameter.getLong(16)).putLong(STATE, this.state);
		this.parameter.putLong(8, inAddress);
		new Grid(this.program, "bench", new Launch(1, threads, 0, this.parameters), this.memory, Clock.virtual())
			.run(STEPS, () -> false);
		this.memory.remove(inAddress);
		if (this.call.getInt(0) != 0) {
			return new Outcome(null, this.handler.failures().get(this.call.getInt(4) - 1));
		}
		if (this.call.getInt(VALID) == 0) {
			return new Outcome(null, null);
		}
		return new Outcome(this.responses.read(this.out, 0, this.call.getInt(END)), null);
	}

	private static void clear(ByteBuffer memory) {
		for (int at = 0; at < memory.capacity(); at++) {
			memory.put(at, (byte) 0);
		}
	}

}
