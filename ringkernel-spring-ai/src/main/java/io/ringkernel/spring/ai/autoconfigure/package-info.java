/**
 * Auto-configuration of the vector store.
 */
@NullMarked
package io.ringkernel.spring.ai.autoconfigure;

import org.jspecify.annotations.NullMarked;
