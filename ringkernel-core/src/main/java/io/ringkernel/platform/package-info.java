/**
 * What the platform can do and what was chosen for it: the execution plan, each decision
 * with its reason.
 */
@NullMarked
package io.ringkernel.platform;

import org.jspecify.annotations.NullMarked;
