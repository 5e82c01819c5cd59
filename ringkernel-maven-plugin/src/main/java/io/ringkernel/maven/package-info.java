/**
 * The goals of the Maven plugin.
 */
@NullMarked
package io.ringkernel.maven;

import org.jspecify.annotations.NullMarked;
