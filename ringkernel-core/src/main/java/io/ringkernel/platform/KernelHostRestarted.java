package io.ringkernel.platform;

import java.time.Duration;

/**
 * Another kernel host runs in place of one that was lost. Kernels return to it one by
 * one.
 *
 * @param pid the process that runs now
 * @param outage for how long there was none
 * @since 0.2.0
 */
public record KernelHostRestarted(long pid, Duration outage) implements HostEvent {

}
