/**
 * Documents that can be searched: keeps the index of the kernel the same as the storage,
 * and lets searches see whole changes only.
 */
@NullMarked
package io.ringkernel.spring.ai.index;

import org.jspecify.annotations.NullMarked;
