package io.ringkernel.cuda.host;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * How the kernel host of a provider is.
 *
 * @param pid the process that runs; 0 if none does
 * @param startedAt when it was started; {@code null} if none runs
 * @param crashes how many hosts have ended without being asked to
 * @param lastExit how the last one of these has ended, and why: a clause; {@code null} if
 * none has
 * @since 0.2.0
 */
public record HostStatus(long pid, @Nullable Instant startedAt, int crashes, @Nullable String lastExit) {
}
