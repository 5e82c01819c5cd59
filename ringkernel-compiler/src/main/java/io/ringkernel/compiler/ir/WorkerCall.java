package io.ringkernel.compiler.ir;

/**
 * What a handler takes from its worker: the registers that it begins with, and where in
 * the memory of a call it finds the rest. The counterpart is {@code ringkernel::Call} in
 * {@code ringkernel/call.cuh}. <pre>
 *     0  exchange, 64 bytes     64  launch     72  failure     80  distant     108  barrier, u32
 * </pre>
 *
 * @param call the address of that memory
 * @param in the address of the request, of which nothing has been checked
 * @param length the size of the request
 * @param out the address of the fixed block of the response
 * @param lane the number of this thread in its worker
 * @param lanes how many threads the worker has
 * @since 0.2.0
 */
public record WorkerCall(Register call, Register in, Register length, Register out, Register lane, Register lanes) {

	/** Where the threads of the worker exchange values between barriers. */
	public static final int EXCHANGE = 0;

	static final int LAUNCH = 64;

	static final int LAUNCH_USER = 24;

	static final int LAUNCH_WORKERS = 48;

	/** The length of the request of a worker that has none, and assists another one. */
	public static final int ASSISTS = -1;

	static final int FAILURE = 72;

	static final int FAILURE_FAILED = 0;

	static final int FAILURE_CODE = 4;

	static final int DISTANT = 80;

	/** The number of the barrier of a worker of more than a warp. */
	public static final int BARRIER = 108;

	/** The call that code begins with. */
	public static WorkerCall of(Code code) {
		return new WorkerCall(code.register(RegisterType.ADDRESS), code.register(RegisterType.ADDRESS),
				code.register(RegisterType.INT), code.register(RegisterType.ADDRESS), code.register(RegisterType.INT),
				code.register(RegisterType.INT));
	}

	/** Loads the address of the handler's state in device memory. */
	public Register state(Code code) {
		return address(code, address(code, this.call, LAUNCH), LAUNCH_USER);
	}

	/** Loads how many workers the kernel has. */
	public Register workers(Code code) {
		Register workers = code.register(RegisterType.INT);
		code.add(
				new Instruction.Load(MemoryType.INT, workers, address(code, this.call, LAUNCH), LAUNCH_WORKERS, false));
		return workers;
	}

	/** Loads where a response lies in device memory, and then the memory of a request. */
	public Register distant(Code code) {
		return address(code, this.call, DISTANT);
	}

	public void fail(Code code, Operand failed) {
		Register failure = address(code, this.call, FAILURE);
		code.add(new Instruction.Store(MemoryType.INT, failure, FAILURE_CODE, failed, false, null));
		code.add(new Instruction.Store(MemoryType.INT, failure, FAILURE_FAILED, Constant.of(1), false, null));
	}

	/** Waits for all threads of the worker; whether any came with a true predicate. */
	public Register any(Code code, Register predicate) {
		Register any = code.register(RegisterType.PREDICATE);
		code.add(new Instruction.Vote(any, predicate, this));
		return any;
	}

	private static Register address(Code code, Register base, int offset) {
		Register address = code.register(RegisterType.ADDRESS);
		code.add(new Instruction.Load(MemoryType.LONG, address, base, offset, false));
		return address;
	}

}
