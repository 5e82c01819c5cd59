package io.ringkernel.cuda.probe;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Objects;

import io.ringkernel.RingKernelException;
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

	private static final int ATTEMPTS = 3;

	/** After it nothing is tried a third time, and no launch timed again. */
	private static final Duration BUDGET = Duration.ofMillis(300);

	private static final long QUESTION = 42;

	private final ModuleImage image;

	/** Kept as long as this: it may be registered for ever. */
	private final ProbeConversation mapped = new ProbeConversation();

	private final ProbeConversation pageable = new ProbeConversation();

	/**
	 * Prepares a probe, as far as that needs no context.
	 */
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

	/**
	 * Tries everything.
	 * @param context the context of the device
	 * @throws RingKernelException if not even a kernel can be run
	 */
	public Behaviour run(CudaContext context) {
		long begin = System.nanoTime();
		try (ProbeKernel kernel = ProbeKernel.load(context, this.image)) {
			return new Trial(kernel, begin).run();
		}
	}

	/**
	 * One run, with the kernel that it talks to.
	 */
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
				obstacle = reason(ex);
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
			this.kernel.launch(address);
			this.kernel.awaitEnd();
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
			this.kernel.launch(address);
			Duration took = null;
			if (ProbeKernel.spin(conversation::hasStarted)) {
				long asked = System.nanoTime();
				conversation.ask(QUESTION);
				if (ProbeKernel.spin(() -> conversation.answer() == QUESTION)) {
					took = Duration.ofNanos(System.nanoTime() - asked);
				}
			}
			this.kernel.awaitEnd();
			return took;
		}

		/**
		 * Whether copies reach a kernel that waits in device memory, and come back from
		 * it: it is seen to have started, and then answers what it is asked. If a copy,
		 * or the call for it, waits for the kernel, that has ended by then and answers
		 * nothing.
		 */
		private boolean copiesBeside(ProbeConversation copied) {
			this.kernel.launchInDeviceMemory();
			try {
				if (ProbeKernel.spin(() -> this.kernel.downloadBeside(copied).hasStarted())) {
					copied.ask(QUESTION);
					this.kernel.uploadBeside(copied);
				}
			}
			catch (CudaException ex) {
				ProbeKernel.requireSound(ex);
				logger.debug("No copy beside a kernel", ex);
			}
			this.kernel.awaitEnd();
			return this.kernel.download(copied).answer() == QUESTION;
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

	private static String reason(CudaException failure) {
		return "%s failed with %s".formatted(failure.attempted(), failure.status().name());
	}

}
