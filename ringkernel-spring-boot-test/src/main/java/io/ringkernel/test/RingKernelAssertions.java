package io.ringkernel.test;

import io.ringkernel.runtime.Kernel;

/**
 * Entry to the assertions on ring kernels. Its {@code assertThat} can be imported
 * statically beside the one of AssertJ.
 *
 * @since 0.1.0
 */
public final class RingKernelAssertions {

	private RingKernelAssertions() {
	}

	/**
	 * Begins assertions on a kernel.
	 * @param <I> the request
	 * @param <O> the response
	 * @param kernel the kernel; ACTIVE, if requests are to be sent to it
	 * @return the assertions
	 */
	public static <I extends Record, O extends Record> KernelAssert<I, O> assertThat(Kernel<I, O> kernel) {
		return new KernelAssert<>(kernel);
	}

}
