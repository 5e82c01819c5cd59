/**
 * Metadata and filter expressions: what a value of metadata means, which columns it
 * fills, and how an expression is evaluated, exactly on a document or as a program of the
 * kernel.
 */
@NullMarked
package io.ringkernel.spring.ai.filter;

import org.jspecify.annotations.NullMarked;
