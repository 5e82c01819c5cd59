/**
 * Ring kernels as Spring beans: the annotation, the beans that follow from it and their
 * lifecycle. It needs Spring Framework only.
 */
@NullMarked
package io.ringkernel.spring;

import org.jspecify.annotations.NullMarked;
