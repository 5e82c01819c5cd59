package io.ringkernel.cuda;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.BooleanSupplier;

import io.ringkernel.RingKernelException;
import io.ringkernel.cuda.driver.CudaContext;
import io.ringkernel.cuda.driver.CudaDeadlineException;
import io.ringkernel.cuda.driver.CudaException;
import io.ringkernel.cuda.driver.CudaFunction;
import io.ringkernel.cuda.driver.CudaGraph;
import io.ringkernel.cuda.driver.CudaStream;
import io.ringkernel.cuda.driver.DevicePointer;
import io.ringkernel.cuda.driver.LaunchShape;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out what the driver does, by having it do it: runs a kernel that ends by itself
 * soon and talks to it. Where everything works it takes a few milliseconds; what does not
 * is tried again, since this thread may have been held up while the kernel waited.
 */
final class PlatformProbe {

	private static final Logger logger = LoggerFactory.getLogger(PlatformProbe.class);

	/** How long a kernel waits for the host: what does not come by then does not come. */
	private static final Duration WAIT = Duration.ofMillis(30);

	private static final int ATTEMPTS = 3;

	/** After it nothing is tried a third time, and no launch timed again. */
	private static final Duration BUDGET = Duration.ofMillis(300);

	/** For a kernel to end once it has waited: a platform may have other things to do. */
	private static final Duration LONGEST = Duration.ofSeconds(2);

	private static final LaunchShape ONE_WARP = new LaunchShape(1, 32, 0);

	private static final long QUESTION = 42;

	private static final int LAUNCHES = 15;

	private final ModuleImage image;

	/** Kept as long as this: it may be registered for ever. */
	private final ProbeConversation mapped = new ProbeConversation();

	private final ProbeConversation pageable = new ProbeConversation();

	/**
	 * Prepares a probe, as far as that needs no context.
	 */
	PlatformProbe() {
		this.image = image();
	}

	/**
	 * Tries everything.
	 * @param context the context of the device
	 * @throws RingKernelException if not even a kernel can be run
	 */
	Behaviour run(CudaContext context) {
		long begin = System.nanoTime();
		CudaFunction function = context.function(this.image.load(context), "probe");
		context.attributes(function);
		CudaStream stream = context.createStream();
		CudaStream beside = context.createStream();
		DevicePointer memory = context.allocate(ProbeConversation.BYTES);
		try {
			return new Trial(context, function, stream, beside, memory, begin).run();
		}
		finally {
			context.free(memory);
			context.destroy(beside);
			context.destroy(stream);
		}
	}

	private static ModuleImage image() {
		try {
			ModuleImage image = ModuleImage.read("kernels/probe.ptx", PlatformProbe.class::getResourceAsStream);
			return Objects.requireNonNull(image, "kernels/probe.ptx is missing in the jar");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * One run, with what it needs.
	 */
	private final class Trial {

		private final CudaContext context;

		private final CudaFunction function;

		private final CudaStream stream;

		private final CudaStream beside;

		private final DevicePointer memory;

		private final long begin;

		private Trial(CudaContext context, CudaFunction function, CudaStream stream, CudaStream beside,
				DevicePointer memory, long begin) {
			this.context = context;
			this.function = function;
			this.stream = stream;
			this.beside = beside;
			this.memory = memory;
			this.begin = begin;
		}

		private boolean isInTime() {
			return System.nanoTime() - this.begin < BUDGET.toNanos();
		}

		private Behaviour run() {
			boolean pageableBeside = reachesBeside(PlatformProbe.this.pageable);
			DevicePointer address = null;
			String obstacle;
			Duration hearing = null;
			boolean pinnedBeside = false;
			try {
				address = this.context.register(PlatformProbe.this.mapped.page());
				obstacle = findsQuestion(address) ? null : "a kernel does not see what the host has written";
				if (obstacle == null) {
					hearing = hearing(address);
				}
				pinnedBeside = reachesBeside(PlatformProbe.this.mapped);
			}
			catch (CudaException ex) {
				requireSound(ex);
				obstacle = reason(ex);
			}
			finally {
				unregister(address);
			}
			return timed(obstacle, hearing, pinnedBeside, pageableBeside);
		}

		/**
		 * Whether a kernel finds what was written before its launch, and the host what
		 * the kernel has written, once that has ended.
		 */
		private boolean findsQuestion(DevicePointer address) {
			PlatformProbe.this.mapped.begin(QUESTION);
			launch(address, WAIT);
			awaitEnd();
			return PlatformProbe.this.mapped.answer() == QUESTION;
		}

		private @Nullable Duration hearing(DevicePointer address) {
			Duration took = null;
			for (int attempt = 0; took == null && attempt < ATTEMPTS && (attempt < 2 || isInTime()); attempt++) {
				took = converse(address);
			}
			return took;
		}

		private boolean reachesBeside(ProbeConversation copied) {
			boolean reached = false;
			for (int attempt = 0; !reached && attempt < ATTEMPTS && (attempt < 2 || isInTime()); attempt++) {
				reached = copiesBeside(copied);
			}
			return reached;
		}

		/**
		 * Asks while the kernel runs.
		 * @return how long it took to be answered; {@code null} if that did not come
		 * about
		 */
		private @Nullable Duration converse(DevicePointer address) {
			ProbeConversation conversation = PlatformProbe.this.mapped;
			conversation.begin(0);
			launch(address, WAIT);
			Duration took = null;
			if (spin(conversation::hasStarted)) {
				long asked = System.nanoTime();
				conversation.ask(QUESTION);
				if (spin(() -> conversation.answer() == QUESTION)) {
					took = Duration.ofNanos(System.nanoTime() - asked);
				}
			}
			awaitEnd();
			return took;
		}

		/**
		 * Whether copies reach a kernel that waits in device memory, and come back from
		 * it: it is seen to have started, and then answers what it is asked. If a copy,
		 * or the call for it, waits for the kernel, that has ended by then and answers
		 * nothing.
		 */
		private boolean copiesBeside(ProbeConversation copied) {
			this.context.zero(this.memory, ProbeConversation.BYTES, this.stream);
			awaitEnd();
			launch(this.memory, WAIT);
			try {
				if (spin(() -> download(copied, this.beside).hasStarted())) {
					copied.ask(QUESTION);
					this.context.upload(this.memory, copied.lines().limit(Long.BYTES), this.beside);
					awaitEnd(this.beside);
				}
			}
			catch (CudaException ex) {
				requireSound(ex);
				logger.debug("No copy beside a kernel", ex);
			}
			awaitEnd();
			return download(copied, this.stream).answer() == QUESTION;
		}

		private ProbeConversation download(ProbeConversation target, CudaStream by) {
			this.context.download(target.lines(), this.memory, by);
			awaitEnd(by);
			return target;
		}

		/**
		 * Times launches of both kinds, by turns, as a thread that was woken or code that
		 * was compiled meanwhile would favour the later kind; and on the driver's thread,
		 * where they are made.
		 */
		private Behaviour timed(@Nullable String obstacle, @Nullable Duration hearing, boolean pinnedBeside,
				boolean pageableBeside) {
			CudaGraph graph = graph();
			long[] byKernel = new long[LAUNCHES];
			long[] byGraph = new long[LAUNCHES];
			ByteBuffer atOnce = parameter(this.memory, Duration.ZERO);
			int launches = 0;
			while (launches == 0 || (launches < LAUNCHES && isInTime())) {
				byKernel[launches] = time(() -> this.context.launch(this.function, ONE_WARP, atOnce, this.stream));
				byGraph[launches] = (graph != null) ? time(() -> this.context.launch(graph, this.stream)) : 0;
				launches++;
			}
			if (graph != null) {
				this.context.destroy(graph);
			}
			return new Behaviour(obstacle, hearing, pinnedBeside, pageableBeside, median(byKernel, launches),
					(graph != null) ? median(byGraph, launches) : null,
					Duration.ofNanos(System.nanoTime() - this.begin));
		}

		private @Nullable CudaGraph graph() {
			try {
				return this.context.prepare(this.function, ONE_WARP, parameter(this.memory, Duration.ZERO));
			}
			catch (CudaException ex) {
				requireSound(ex);
				logger.debug("No launch by graph", ex);
				return null;
			}
		}

		private long time(Runnable launch) {
			return this.context.perform("cuLaunchKernel", () -> {
				long launched = System.nanoTime();
				launch.run();
				spin(() -> this.context.isDone(this.stream));
				return System.nanoTime() - launched;
			});
		}

		private void unregister(@Nullable DevicePointer address) {
			if (address == null) {
				return;
			}
			try {
				this.context.unregister(PlatformProbe.this.mapped.page());
			}
			catch (CudaException ex) {
				requireSound(ex);
				logger.debug("A page stays registered", ex);
			}
		}

		private void launch(DevicePointer conversation, Duration wait) {
			this.context.launch(this.function, ONE_WARP, parameter(conversation, wait), this.stream);
		}

		private void awaitEnd() {
			awaitEnd(this.stream);
		}

		private void awaitEnd(CudaStream stream) {
			try {
				if (!Deadline.in(LONGEST).await(() -> this.context.isDone(stream))) {
					throw new CudaDeadlineException("a probe kernel", LONGEST);
				}
			}
			catch (InterruptedException ex) {
				throw CudaDevice.interrupted("probe", ex);
			}
		}

	}

	private static ByteBuffer parameter(DevicePointer conversation, Duration wait) {
		ByteBuffer parameter = ByteBuffer.allocateDirect(2 * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
		parameter.putLong(0, conversation.address());
		parameter.putLong(Long.BYTES, wait.toNanos());
		return parameter;
	}

	private static Duration median(long[] nanos, int count) {
		Arrays.sort(nanos, 0, count);
		return Duration.ofNanos(nanos[count / 2]);
	}

	/** Longer than the kernel waits, so that its last word is heard. */
	@SuppressWarnings("ThreadPriorityCheck") // A courtesy to others.
	private static boolean spin(BooleanSupplier condition) {
		long end = System.nanoTime() + WAIT.plus(WAIT).toNanos();
		while (!condition.getAsBoolean()) {
			if (System.nanoTime() - end >= 0) {
				return false;
			}
			Thread.yield();
		}
		return true;
	}

	private static String reason(CudaException failure) {
		return "%s failed with %s".formatted(failure.attempted(), failure.status().name());
	}

	/**
	 * An error after which nothing works is nothing that one of the trials has found.
	 */
	private static void requireSound(CudaException failure) {
		if (failure.status().isFatal()) {
			throw failure;
		}
	}

}
