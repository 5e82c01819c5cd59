package io.ringkernel.compiler;

import java.util.LinkedHashSet;
import java.util.Set;

import io.ringkernel.RingKernelHandler;
import io.ringkernel.compiler.bytecode.HandlerTranslator;
import io.ringkernel.compiler.ir.Register;
import io.ringkernel.compiler.ir.WorkerCall;
import io.ringkernel.compiler.ptx.PtxModule;
import io.ringkernel.exception.HandlerRefusedException;
import io.ringkernel.message.MessageLayout;
import io.ringkernel.ring.RingLayout;

/**
 * Compiles handlers to PTX, each once: a class file may have been changed since, and the
 * code of a kernel is what it was launched with. {@link HandlerTranslator} reads the
 * class files and has each method translated where it is called, into the instructions of
 * {@code ir}. Passes improve these, {@link PtxModule} writes them as PTX, and the CUDA
 * backend links that with the code of a worker.
 * <p>
 * The class file of the handler is read through its class loader, and with it those of
 * the records and methods that it uses. A final field of the handler has the value that
 * it has when the handler is compiled. Other fields, and the elements of arrays, are
 * state in device memory, which begins as they are then.
 *
 * @since 0.2.0
 */
public final class HandlerCompiler {

	/** What is kept refers to fields and arrays of a handler, never to the handler. */
	private static final HandlerResults<CompiledHandler> COMPILED = new HandlerResults<>();

	private HandlerCompiler() {
	}

	/**
	 * Compiles a handler.
	 * @param <I> the request
	 * @param <O> the response
	 * @param handler the handler
	 * @param requests the layout of requests
	 * @param responses the layout of responses
	 * @return the handler for a device
	 * @throws HandlerRefusedException if a device cannot do what it does; the message
	 * names the class, the method and the line, and says what to do instead
	 */
	public static <I extends Record, O extends Record> CompiledHandler compile(RingKernelHandler<I, O> handler,
			MessageLayout<I> requests, MessageLayout<O> responses) {
		return COMPILED.of(handler, requests, responses, () -> translated(handler, requests, responses));
	}

	private static CompiledHandler translated(RingKernelHandler<?, ?> handler, MessageLayout<?> requests,
			MessageLayout<?> responses) {
		HandlerTranslator.Result result = HandlerTranslator.translate(handler, requests, responses);
		byte[] info = HandlerInfo.of(requests, responses, result.stateBytes(), result.scratchBytes(),
				result.isAssisted());
		String ptx = PtxModule.write(info, result.worker(), shared(result.worker(), requests, responses),
				result.constants(), result.code(), result.functions());
		return new CompiledHandler(ptx, result.failures(), result.stateBytes(), result.initialState(),
				result.scratchBytes(), new StatePlaces(result.fields(), result.arrays()));
	}

	/**
	 * What a worker keeps in shared memory: what it tells the handler, a request that
	 * travels inside its slot, and the fixed block of a response if it could.
	 */
	private static Set<Register> shared(WorkerCall worker, MessageLayout<?> requests, MessageLayout<?> responses) {
		Set<Register> shared = new LinkedHashSet<>();
		shared.add(worker.call());
		if (requests.maxSize() <= RingLayout.MAX_INLINE_BYTES) {
			shared.add(worker.in());
		}
		if (responses.fixedSize() <= RingLayout.MAX_INLINE_BYTES) {
			shared.add(worker.out());
		}
		return shared;
	}

}
