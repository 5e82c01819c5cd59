/**
 * What every backend must do: a suite that a backend module runs over its own execution
 * plan, and the kernels that it must supply for it.
 */
@NullMarked
package io.ringkernel.conformance;

import org.jspecify.annotations.NullMarked;
