/**
 * A graph of the rows on the host, which finds those that are nearest to a vector without
 * a look at all of them.
 */
@NullMarked
package io.ringkernel.spring.ai.graph;

import org.jspecify.annotations.NullMarked;
