package io.ringkernel.cuda.probe;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

import io.ringkernel.cuda.driver.CudaContext;
import io.ringkernel.cuda.driver.CudaException;
import io.ringkernel.cuda.driver.DevicePointer;
import io.ringkernel.cuda.image.ModuleImage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out what the driver does, by having it do it: runs a kernel that ends by itself
 * soon and talks to it. Where everything works it takes a few milliseconds; what does not
 * is tried again, since this thread may have been held up while the kernel waited.
 *
 * @since 0.2.0
 */
public final class PlatformProbe {

	private static final Logger logger = LoggerFactory.getLogger(PlatformProbe.class);

	/**
	 * How long a kernel waits for a copy, attempt by attempt. A driver that makes copies
	 * wait for the kernel looks like a thread that is held up, but for the last of them.
	 */
	private static final List<Duration> COPY_WAITS = List.of(ProbeKernel.WAIT, ProbeKernel.WAIT,
			Duration.ofMillis(200));

	/** After it no launch is timed again. */
	private static final Duration BUDGET = Duration.ofMillis(300);

	/** How many questions asked in time have to stay without an answer. */
	private static final int UNHEARD = 2;

	/** For questions that this thread asks too late, as it is held up. */
	private static final Duration LONGEST_HEARING = Duration.ofSeconds(2);

	private static final long QUESTION = 42;

	private final ModuleImage image;

	/** Kept as long as this: it may be registered for ever. */
	private final ProbeConversation mapped = new ProbeConversation();

	private final ProbeConversation pageable = new ProbeConversation();

	/** Prepares a probe, as far as that needs no context. */
	public PlatformProbe() {
		this.image = image();
	}

	private static ModuleImage image() {
		try {
			ModuleImage image = ModuleImage.read("/io/ringkernel/cuda/kernels/probe.ptx",
					PlatformProbe.class::getResourceAsStream);
			return Objects.requireNonNull(image, "kernels/probe.ptx is missing in the jar");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Tries everything; fails if not even a kernel can be run. */
	public Behaviour run(CudaContext context) {
		long begin = System.nanoTime();
		try (ProbeKernel kernel = ProbeKernel.load(context, this.image)) {
			return new Trial(kernel, begin).run();
		}
	}

	/** One run, with the kernel that it talks to. */
	private final class Trial {

		private final ProbeKernel kernel;

		private final long begin;

		private Trial(ProbeKernel kernel, long begin) {
			this.kernel = kernel;
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
				address = this.kernel.context().register(PlatformProbe.this.mapped.page());
				obstacle = findsQuestion(address) ? null : "a kernel does not see what the host has written";
				if (obstacle == null) {
					hearing = hearing(address);
				}
				pinnedBeside = reachesBeside(PlatformProbe.this.mapped);
			}
			catch (CudaException ex) {
				ProbeKernel.requireSound(ex);
				obstacle = "%s failed with %s".formatted(ex.attempted(), ex.status().name());
			}
			finally {
				unregister(address);
			}
			LaunchTimes times = LaunchTimes.of(this.kernel, this::isInTime);
			return new Behaviour(obstacle, hearing, pinnedBeside, pageableBeside, times.byKernel(), times.byGraph(),
					Duration.ofNanos(System.nanoTime() - this.begin));
		}

		/**
		 * Whether a kernel finds what was written before its launch, and the host what
		 * the kernel has written, once that has ended.
		 */
		private boolean findsQuestion(DevicePointer address) {
			PlatformProbe.this.mapped.begin(QUESTION);
			this.kernel.launch(address, ProbeKernel.WAIT);
			this.kernel.awaitEnd();
			return PlatformProbe.this.mapped.answer() == QUESTION;
		}

		/**
		 * How long a running kernel takes to answer; {@code null} if it does not hear the
		 * question. A question that was asked when the kernel may already have ended
		 * proves nothing: on a machine that is busy, this thread is held up for longer
		 * than the kernel waits.
		 */
		private @Nullable Duration hearing(DevicePointer address) {
			long end = System.nanoTime() + LONGEST_HEARING.toNanos();
			int unheard = 0;
			while (unheard < UNHEARD && System.nanoTime() - end < 0) {
				Hearing hearing = converse(address);
				if (hearing.took() != null) {
					return hearing.took();
				}
				unheard += hearing.wasAskedInTime() ? 1 : 0;
			}
			return null;
		}

		private boolean reachesBeside(ProbeConversation copied) {
			return COPY_WAITS.stream().anyMatch((wait) -> copiesBeside(copied, wait));
		}

		/** Asks while the kernel runs. */
		private Hearing converse(DevicePointer address) {
			ProbeConversation conversation = PlatformProbe.this.mapped;
			conversation.begin(0);
			long launched = System.nanoTime();
			this.kernel.launch(address, ProbeKernel.WAIT);
			Duration took = null;
			boolean wasAskedInTime = false;
			if (ProbeKernel.spin(ProbeKernel.WAIT, conversation::hasStarted)) {
				long asked = System.nanoTime();
				conversation.ask(QUESTION);
				// The kernel begins to wait when it starts, which is after its launch.
				boolean inTime = System.nanoTime() - launched < ProbeKernel.WAIT.toNanos();
				wasAskedInTime = inTime;
				// One that was asked too late may have ended, and then answers nothing.
				ProbeKernel.spin(ProbeKernel.WAIT,
						() -> conversation.answer() == QUESTION || (!inTime && this.kernel.isDone()));
				if (conversation.answer() == QUESTION) {
					took = Duration.ofNanos(System.nanoTime() - asked);
				}
			}
			this.kernel.awaitEnd();
			return new Hearing(took, wasAskedInTime);
		}

		/**
		 * Whether copies reach a kernel that waits in device memory, and come back from
		 * it: it is seen to have started, and then answers what it is asked. If a copy,
		 * or the call for it, waits for the kernel, that has ended by then and answers
		 * nothing.
		 */
		private boolean copiesBeside(ProbeConversation copied, Duration wait) {
			this.kernel.launchInDeviceMemory(wait);
			try {
				if (ProbeKernel.spin(wait, () -> this.kernel.download(copied, this.kernel.beside()).hasStarted())) {
					copied.ask(QUESTION);
					this.kernel.uploadBeside(copied);
				}
			}
			catch (CudaException ex) {
				ProbeKernel.requireSound(ex);
				logger.debug("No copy beside a kernel", ex);
			}
			this.kernel.awaitEnd();
			return this.kernel.download(copied, this.kernel.stream()).answer() == QUESTION;
		}

		private void unregister(@Nullable DevicePointer address) {
			if (address == null) {
				return;
			}
			try {
				this.kernel.context().unregister(PlatformProbe.this.mapped.page());
			}
			catch (CudaException ex) {
				ProbeKernel.requireSound(ex);
				logger.debug("A page stays registered", ex);
			}
		}

	}

	/**
	 * What came of a question to a running kernel.
	 *
	 * @param took until it was answered; {@code null} if it was not
	 * @param wasAskedInTime whether the kernel certainly waited when it was asked
	 */
	private record Hearing(@Nullable Duration took, boolean wasAskedInTime) {
	}

}
