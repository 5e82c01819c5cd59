package io.ringkernel.cuda.driver;

import java.util.function.IntSupplier;
import java.util.function.Supplier;

import jcuda.driver.CUresult;

/**
 * Turns what JCuda returns into exceptions of ours, and what it throws if other code of
 * the process has enabled its exceptions.
 */
final class JCudaCall {

	private JCudaCall() {
	}

	static void check(String attempted, IntSupplier call) {
		check(() -> attempted, call);
	}

	/**
	 * To make a text takes longer than some calls, and at first a millisecond. The text
	 * is therefore made only if it is read.
	 */
	static void check(Supplier<String> attempted, IntSupplier call) {
		int code = result(call);
		if (code != CUresult.CUDA_SUCCESS) {
			throw new CudaException(attempted.get(), status(code));
		}
	}

	static int result(IntSupplier call) {
		try {
			return call.getAsInt();
		}
		catch (jcuda.CudaException ex) {
			return code(String.valueOf(ex.getMessage()));
		}
	}

	/** JCuda's exception has the error's name for a message, and nothing else. */
	private static int code(String name) {
		for (int code = 1; code < CUresult.CUDA_ERROR_UNKNOWN; code++) {
			if (name.equals(CUresult.stringFor(code))) {
				return code;
			}
		}
		return CUresult.CUDA_ERROR_UNKNOWN;
	}

	static CudaStatus status(int code) {
		return new CudaStatus(code, CUresult.stringFor(code));
	}

}
