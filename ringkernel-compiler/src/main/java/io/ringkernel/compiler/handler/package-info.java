/**
 * The handler as an object: the method that it runs, and what its fields have.
 */
@NullMarked
package io.ringkernel.compiler.handler;

import org.jspecify.annotations.NullMarked;
