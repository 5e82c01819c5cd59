/**
 * Tests of the application, and what they and the demonstration run it with.
 */
@NullMarked
package io.ringkernel.sample.stream;

import org.jspecify.annotations.NullMarked;
