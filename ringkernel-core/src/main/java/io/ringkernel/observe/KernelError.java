package io.ringkernel.observe;

import java.time.Instant;

/**
 * Something that went wrong with a kernel or one of its requests, one or more times in a
 * row.
 *
 * @param at when it last happened
 * @param type the simple name of the exception
 * @param message what it last said
 * @param count how often it happened without another kind of error between
 * @since 0.1.0
 */
public record KernelError(Instant at, String type, String message, long count) {
}
