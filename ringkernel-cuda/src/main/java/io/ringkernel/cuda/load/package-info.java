/**
 * Makes a kernel that can be launched from an image: validates it against the device,
 * gives it workers and memory, and tries it out.
 */
@NullMarked
package io.ringkernel.cuda.load;

import org.jspecify.annotations.NullMarked;
