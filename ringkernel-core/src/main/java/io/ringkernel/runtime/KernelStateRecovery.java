package io.ringkernel.runtime;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A kernel has begun without the state that it had: with that of its last snapshot, or
 * anew.
 *
 * @param kernel the kernel
 * @param restoredFrom when the snapshot was taken; {@code null} if the state began anew
 * @param reason why: a clause
 * @since 0.2.0
 */
public record KernelStateRecovery(Kernel<?, ?> kernel, @Nullable Instant restoredFrom,
		String reason) implements KernelEvent {
}
