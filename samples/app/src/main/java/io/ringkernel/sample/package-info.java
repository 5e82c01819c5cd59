/**
 * An application that adds vectors and searches nearest neighbours through ring kernels.
 */
@NullMarked
package io.ringkernel.sample;

import org.jspecify.annotations.NullMarked;
