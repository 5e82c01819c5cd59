/**
 * The check at startup that a kernel computes what plain Java computes.
 */
@NullMarked
package io.ringkernel.sample.validation;

import org.jspecify.annotations.NullMarked;
