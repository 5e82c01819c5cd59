/**
 * What a caller over HTTP is told when a kernel does not answer.
 */
@NullMarked
package io.ringkernel.spring.web;

import org.jspecify.annotations.NullMarked;
