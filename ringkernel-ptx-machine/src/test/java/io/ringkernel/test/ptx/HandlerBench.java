package io.ringkernel.test.ptx;

import java.nio.ByteBuffer;

import io.ringkernel.compiler.CompiledHandler;
import io.ringkernel.message.MessageLayout;
import io.ringkernel.test.ptx.code.ProgramDecoder;
import io.ringkernel.test.ptx.machine.Clock;
import io.ringkernel.test.ptx.machine.Grid;
import io.ringkernel.test.ptx.machine.Launch;
import io.ringkernel.test.ptx.machine.Memory;
import io.ringkernel.test.ptx.machine.Program;
import io.ringkernel.test.ptx.text.PtxText;

/**
 * Calls a compiled handler on the machine.
 *
 * @param <I> the request
 * @param <O> the response
 */
public final class HandlerBench<I extends Record, O extends Record> extends HandlerCalls<I, O> {

	/**
	 * The remainder of two doubles takes up to 2,000 rounds, and a loop may ask for it.
	 */
	private static final long STEPS = 20_000_000;

	private final Memory memory = new Memory();

	private final Program program;

	private final long parameters;

	public HandlerBench(CompiledHandler handler, MessageLayout<I> requests, MessageLayout<O> responses) {
		super(handler, requests, responses);
		this.program = ProgramDecoder.load(PtxText.parse(text()), this.memory);
		this.parameters = this.memory.add("the parameters", parameter());
		place(this.memory.add("the call", call()), this.memory.add("the response", nearby()),
				this.memory.add("the response in device memory", distant()), this.memory.add("the state", newState()));
	}

	/** Has messages lie in shared memory, as a device needs it. */
	HandlerBench<I, O> inShared() {
		copyToShared();
		return this;
	}

	@Override
	protected void run(ByteBuffer request, int threads) {
		long address = this.memory.add("the request", request);
		parameter().putLong(8, address);
		new Grid(this.program, ENTRY, new Launch(1, threads, 0, this.parameters), this.memory, Clock.virtual())
			.watch((race) -> {
				throw race;
			}, true)
			.run(STEPS, () -> false);
		this.memory.remove(address);
	}

}
