package io.ringkernel.backend;

import java.nio.file.Path;
import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * When the state of a kernel is saved. What was saved last is given to each loop that
 * begins without the state, before its first request: after a restart of the application,
 * after a fault, or when the kernel has moved to another device.
 *
 * @param directory where the snapshot is, as {@code <id>.snapshot}; {@code null} if none
 * is taken
 * @param every how much time lies between two snapshots; zero if none are taken while the
 * kernel runs
 * @param onShutdown whether one is taken when the kernel is terminated
 * @since 0.2.0
 */
public record Snapshots(@Nullable Path directory, Duration every, boolean onShutdown) {

	/** State is not saved. */
	public static final Snapshots NONE = new Snapshots(null, Duration.ZERO, true);

}
