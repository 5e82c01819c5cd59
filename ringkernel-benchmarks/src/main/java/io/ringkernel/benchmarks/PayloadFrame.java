package io.ringkernel.benchmarks;

import io.ringkernel.Capacity;

/**
 * Messages of 64 bytes in one.
 *
 * @param payloads the messages
 */
public record PayloadFrame(@Capacity(Payloads.COUNT) Payload[] payloads) {
}
