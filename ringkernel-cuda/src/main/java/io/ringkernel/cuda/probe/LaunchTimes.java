package io.ringkernel.cuda.probe;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.BooleanSupplier;

import io.ringkernel.cuda.driver.CudaException;
import io.ringkernel.cuda.driver.CudaGraph;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What launches of a kernel that does nothing take until they are seen to have ended,
 * medians.
 *
 * @param byKernel of the kernel itself
 * @param byGraph of a graph of it; {@code null} if there are none
 */
record LaunchTimes(Duration byKernel, @Nullable Duration byGraph) {

	private static final Logger logger = LoggerFactory.getLogger(LaunchTimes.class);

	private static final int LAUNCHES = 15;

	/**
	 * Times launches of both kinds, by turns, as a thread that was woken or code that was
	 * compiled meanwhile would favour the later kind; and on the driver's thread, where
	 * they are made.
	 * @param inTime whether to go on after the first
	 */
	static LaunchTimes of(ProbeKernel kernel, BooleanSupplier inTime) {
		CudaGraph graph = graph(kernel);
		long[] byKernel = new long[LAUNCHES];
		long[] byGraph = new long[LAUNCHES];
		ByteBuffer atOnce = kernel.atOnce();
		int launches = 0;
		while (launches == 0 || (launches < LAUNCHES && inTime.getAsBoolean())) {
			byKernel[launches] = time(kernel,
					() -> kernel.context().launch(kernel.function(), ProbeKernel.ONE_WARP, atOnce, kernel.stream()));
			byGraph[launches] = (graph != null) ? time(kernel, () -> kernel.context().launch(graph, kernel.stream()))
					: 0;
			launches++;
		}
		if (graph != null) {
			kernel.context().destroy(graph);
		}
		return new LaunchTimes(median(byKernel, launches), (graph != null) ? median(byGraph, launches) : null);
	}

	private static @Nullable CudaGraph graph(ProbeKernel kernel) {
		try {
			return kernel.context().prepare(kernel.function(), ProbeKernel.ONE_WARP, kernel.atOnce());
		}
		catch (CudaException ex) {
			ProbeKernel.requireSound(ex);
			logger.debug("No launch by graph", ex);
			return null;
		}
	}

	/**
	 * Times a launch. A kernel that is held up for longer than a timing lasts has ended
	 * all the same when this returns: the driver may hold up whatever frees what it uses.
	 */
	private static long time(ProbeKernel kernel, Runnable launch) {
		long nanos = kernel.context().perform("cuLaunchKernel", () -> {
			long launched = System.nanoTime();
			launch.run();
			ProbeKernel.spin(ProbeKernel.WAIT, kernel::isDone);
			return System.nanoTime() - launched;
		});
		kernel.awaitEnd();
		return nanos;
	}

	private static Duration median(long[] nanos, int count) {
		Arrays.sort(nanos, 0, count);
		return Duration.ofNanos(nanos[count / 2]);
	}

}
