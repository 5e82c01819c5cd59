package io.ringkernel.runtime;

import io.ringkernel.KernelState;
import org.jspecify.annotations.Nullable;

/**
 * A kernel has gone from one state to another.
 *
 * @param kernel the kernel; it may have moved on since
 * @param from the state that it left
 * @param to the state that it came to
 * @param cause why it failed, where it did
 * @since 0.1.0
 */
public record KernelStateChange(Kernel<?, ?> kernel, KernelState from, KernelState to,
		@Nullable Throwable cause) implements KernelEvent {
}
