package io.ringkernel.cuda.load;

import io.ringkernel.compiler.StatePlaces;
import io.ringkernel.cuda.driver.FunctionAttributes;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a kernel's code.
 *
 * @param image where its image was found
 * @param ptx the version of PTX, such as {@code 8.4}; {@code null} for machine code
 * @param function what its function needs
 * @param driverLog what the driver said when it compiled the image
 * @param places where the fields of a handler in Java lie in its state; {@code null} for
 * any other image
 */
record LaunchFacts(String image, @Nullable String ptx, FunctionAttributes function, String driverLog,
		@Nullable StatePlaces places) {
}
