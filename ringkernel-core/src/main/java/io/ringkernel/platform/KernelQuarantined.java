package io.ringkernel.platform;

/**
 * A kernel is kept from the kernel host until it is relaunched, because it alone was at
 * work when a fault ended the host twice in a row.
 *
 * @param kernelId the id of the kernel, or of the replica
 * @param reason how the host has ended, and why: a clause
 * @since 0.2.0
 */
public record KernelQuarantined(String kernelId, String reason) implements HostEvent {

}
