/**
 * A vector store of Spring AI whose vectors stay where a ring kernel searches them.
 */
@NullMarked
package io.ringkernel.spring.ai;

import org.jspecify.annotations.NullMarked;
