/**
 * Handlers that are compiled, each with the requests that show what it does. They are run
 * on the CPU and on whatever runs PTX, and compared to the bit.
 */
@NullMarked
package io.ringkernel.compiler.corpus;

import org.jspecify.annotations.NullMarked;
