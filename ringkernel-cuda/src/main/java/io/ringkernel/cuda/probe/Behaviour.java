package io.ringkernel.cuda.probe;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What the driver was seen to do.
 *
 * @param mappingObstacle why host memory cannot be mapped: a clause; {@code null} if the
 * device reads and writes it
 * @param hearing how long it took until a running kernel had seen a host's write and the
 * host its answer; {@code null} if it did not see it
 * @param pinnedCopyBeside whether a copy of pinned memory reaches the device while a
 * kernel runs
 * @param pageableCopyBeside whether a copy of other memory does
 * @param kernelLaunch from the launch of a kernel until its end was seen
 * @param graphLaunch the same for a prepared launch; {@code null} if there are none
 * @since 0.2.0
 */
public record Behaviour(@Nullable String mappingObstacle, @Nullable Duration hearing, boolean pinnedCopyBeside,
		boolean pageableCopyBeside, Duration kernelLaunch, @Nullable Duration graphLaunch, Duration took) {

	public boolean maps() {
		return this.mappingObstacle == null;
	}

	/** Whether the driver does anything while a kernel runs. */
	public boolean worksBeside() {
		return this.pinnedCopyBeside || this.pageableCopyBeside;
	}

	/** Whether a prepared launch is faster than one of the kernel itself. */
	public boolean isFasterByGraph() {
		return this.graphLaunch != null && this.graphLaunch.compareTo(this.kernelLaunch) < 0;
	}

	/** A sentence for each thing that was tried. */
	List<String> reasons() {
		List<String> reasons = new ArrayList<>();
		reasons.add(maps() ? "the device reads and writes mapped host memory"
				: "host memory cannot be mapped: " + this.mappingObstacle);
		if (maps()) {
			reasons.add((this.hearing != null)
					? "a running kernel heard the host and was heard within %s".formatted(micros(this.hearing))
					: "a running kernel does not see what the host writes");
		}
		reasons.add(worksBeside()
				? "a copy (%s) completes while a kernel runs".formatted(this.pinnedCopyBeside
						? (this.pageableCopyBeside ? "pinned or pageable" : "pinned") : "pageable")
				: "no copy completes while a kernel runs");
		return reasons;
	}

	public String launchReason() {
		if (this.graphLaunch == null) {
			return "launched by kernel: the driver takes no graphs";
		}
		return "launched by %s: %s by kernel, %s by graph".formatted(isFasterByGraph() ? "graph" : "kernel",
				micros(this.kernelLaunch), micros(this.graphLaunch));
	}

	/**
	 * A formatter of numbers takes ten milliseconds where it is the first of the process.
	 */
	private static String micros(Duration duration) {
		long tenths = (duration.toNanos() + 50) / 100;
		return tenths / 10 + "." + tenths % 10 + " us";
	}

}
