/**
 * What a user touches: the client, the handler, the annotations that bound a message, the
 * states of a kernel and the exceptions. It depends on nothing else of the product.
 */
@NullMarked
package io.ringkernel;

import org.jspecify.annotations.NullMarked;
