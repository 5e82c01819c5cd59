package io.ringkernel.cuda;

import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;

/**
 * The messages of a kernel that breaks when it is asked to.
 */
public final class FaultMessages {

	/** Answers. */
	public static final int NOT_AT_ALL = 0;

	/** Runs into a trap. */
	public static final int TRAP = 1;

	/** Writes where nothing is. */
	public static final int BAD_ADDRESS = 2;

	/** Ends the kernel instead of returning. */
	public static final int EXIT = 3;

	/** Keeps its worker for ever. */
	public static final int ENDLESS = 4;

	/** Writes to an address that is no multiple of the word's size. */
	public static final int MISALIGNED = 5;

	private FaultMessages() {
	}

	public static KernelSpec<Fault, Fault> kernel(KernelOptions options) {
		return CudaTestKernels
			.withImage(KernelSpec.of("faulting", Fault.class, Fault.class, (request) -> request, options));
	}

	/**
	 * A request, answered as it is unless it breaks the kernel.
	 *
	 * @param sequence its number
	 * @param how how to break it
	 */
	public record Fault(long sequence, int how) {
	}

}
