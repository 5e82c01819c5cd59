/**
 * What a vector store keeps: documents, and the vectors of their rows. What is committed
 * outlives the process, whenever that ends.
 */
@NullMarked
package io.ringkernel.spring.ai.storage;

import org.jspecify.annotations.NullMarked;
