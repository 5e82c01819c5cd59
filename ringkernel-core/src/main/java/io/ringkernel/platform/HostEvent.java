package io.ringkernel.platform;

/**
 * Something that happened to a kernel host, the process that uses devices in place of the
 * application.
 *
 * @since 0.2.0
 */
public sealed interface HostEvent permits KernelHostLost, KernelHostRestarted, KernelQuarantined {

}
