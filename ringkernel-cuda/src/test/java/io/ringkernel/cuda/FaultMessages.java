package io.ringkernel.cuda;

import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;

/**
 * The messages of a kernel that breaks when it is asked to.
 */
final class FaultMessages {

	/** Answers. */
	static final int NOT_AT_ALL = 0;

	/** Runs into a trap. */
	static final int TRAP = 1;

	/** Writes where nothing is. */
	static final int BAD_ADDRESS = 2;

	/** Ends the kernel instead of returning. */
	static final int EXIT = 3;

	/** Keeps its worker for ever. */
	static final int ENDLESS = 4;

	/** Writes to an address that is no multiple of the word's size. */
	static final int MISALIGNED = 5;

	private FaultMessages() {
	}

	static KernelSpec<Fault, Fault> kernel(KernelOptions options) {
		return CudaTestKernels
			.withImage(KernelSpec.of("faulting", Fault.class, Fault.class, (request) -> request, options));
	}

	/**
	 * A request, answered as it is unless it breaks the kernel.
	 *
	 * @param sequence its number
	 * @param how how to break it
	 */
	record Fault(long sequence, int how) {
	}

}
