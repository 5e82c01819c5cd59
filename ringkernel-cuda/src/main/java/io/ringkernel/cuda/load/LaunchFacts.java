package io.ringkernel.cuda.load;

import io.ringkernel.compiler.StatePlaces;
import io.ringkernel.cuda.driver.FunctionAttributes;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a kernel's code.
 *
 * @param image where its image was found
 * @param ptx the version of PTX, such as {@code 8.4}; {@code null} for machine code
 * @param driverLog what the driver said when it compiled the image
 * @param places where the fields of a handler in Java lie in its state; {@code null} for
 * any other image
 */
record LaunchFacts(String image, @Nullable String ptx, FunctionAttributes function, String driverLog,
		@Nullable StatePlaces places) {

	/** Of a multiprocessor, from compute capability 7.0 on. */
	private static final int REGISTERS = 65_536;

	/** Which part of a multiprocessor, which holds so many, a block takes at least. */
	static double share(FunctionAttributes function, int threads, int perMultiprocessor) {
		double registers = (double) function.registersPerThread() * threads / REGISTERS;
		return Math.max(registers, Math.nextUp(1.0 / (perMultiprocessor + 1)));
	}

}
