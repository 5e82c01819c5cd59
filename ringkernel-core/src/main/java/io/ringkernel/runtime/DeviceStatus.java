package io.ringkernel.runtime;

import io.ringkernel.platform.ExecutionPlan;
import org.jspecify.annotations.Nullable;

/**
 * A device that kernels use, or what they run on instead.
 *
 * @param plan how kernels are run on it, and why
 * @param failure why nothing can run on it now; {@code null} while it is sound
 * @param recoverable whether it may be got back while the application runs
 * @since 0.2.0
 */
public record DeviceStatus(ExecutionPlan plan, @Nullable Throwable failure, boolean recoverable) {
}
