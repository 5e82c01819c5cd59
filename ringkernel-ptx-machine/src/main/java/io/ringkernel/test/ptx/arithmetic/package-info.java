/**
 * What instructions compute of numbers, as PTX specifies it: integers and their bits,
 * floating-point numbers, comparisons and conversions.
 */
@NullMarked
package io.ringkernel.test.ptx.arithmetic;

import org.jspecify.annotations.NullMarked;
