package io.ringkernel.cuda.load;

import io.ringkernel.cuda.driver.FunctionAttributes;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a kernel's code, for display.
 *
 * @param image where its image was found
 * @param ptx the version of PTX, such as {@code 8.4}; {@code null} for machine code
 * @param function what its function needs
 * @param driverLog what the driver said when it compiled the image
 */
record LaunchFacts(String image, @Nullable String ptx, FunctionAttributes function, String driverLog) {
}
