/**
 * The ring kernel that searches: its messages, and its handler for the CPU. Rows, epochs
 * and columns are numbers here; what they stand for is known above.
 */
@NullMarked
package io.ringkernel.spring.ai.search;

import org.jspecify.annotations.NullMarked;
