/**
 * What a user touches: the client, the handler, the annotations that bound a message, and
 * the states of a kernel. It depends on nothing else of the product but the exceptions.
 */
@NullMarked
package io.ringkernel;

import org.jspecify.annotations.NullMarked;
