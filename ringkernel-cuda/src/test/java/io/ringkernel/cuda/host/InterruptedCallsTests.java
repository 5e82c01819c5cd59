package io.ringkernel.cuda.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.ringkernel.backend.Backend;
import io.ringkernel.backend.DeviceLoop;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelRegion;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.backend.RingMemory;
import io.ringkernel.control.ControlBlock;
import io.ringkernel.cuda.host.DeviceHostMain.Number;
import io.ringkernel.exception.KernelLaunchException;
import io.ringkernel.platform.PlanOffer;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.ring.RingLayout;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * A thread is interrupted while it has the host open or close something: nothing stays
 * open that no thread knows of, and the thread stays interrupted.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("every-platform")
class InterruptedCallsTests {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

	@Test
	void aKernelIsLoadedAndItsMemoryGivenBack(@TempDir Path directory) throws Exception {
		assumeThat(DESCRIPTORS).isDirectory();
		KernelHostProvider provider = new KernelHostProvider(new DeviceHostMain.Device(), DeviceHostMain.class,
				new HostOptions(directory, LIMIT, LIMIT, HostOptions.STUCK_AFTER));
		KernelSpec<Number, Number> kernel = DeviceHostMain.kernel("numbers", KernelOptions.builder().build());
		PlanOffer.Accepted offer = (PlanOffer.Accepted) provider.plan(PlanRequest.AUTO);
		try (Backend backend = provider.open(offer.plan())) {
			RingLayout ring = RingLayout.forSlots(ControlBlock.bytes(kernel.options().workers()), 2,
					kernel.requests().maxSize(), kernel.responses().maxSize());
			RingMemory memory = backend.allocate(kernel, ring.endOffset());
			assertThat(rings(directory)).hasSize(1);
			ControlBlock control = new ControlBlock(memory.buffer(), kernel.options().workers());
			control.identify(ring, kernel.requests().fingerprint(), kernel.responses().fingerprint(), 0);
			Thread.currentThread().interrupt();
			DeviceLoop loop = backend.load(kernel, new KernelRegion(memory, control, ring));
			loop.close();
			assertThat(loop.activeWorkers()).isZero();
			memory.close();
			assertThat(Thread.interrupted()).isTrue();
			assertThat(rings(directory)).isEmpty();
		}
		finally {
			Thread.interrupted();
		}
	}

	/** A thread that is interrupted can write no file. */
	@Test
	void aRingThatIsNotMadeIsNotSaidToHaveNoRoom(@TempDir Path directory) {
		Thread.currentThread().interrupt();
		try {
			assertThatExceptionOfType(KernelLaunchException.class)
				.isThrownBy(() -> new RingDirectories(List.of(directory)).create("numbers", 4096))
				.withMessageContaining("its launch was interrupted");
		}
		finally {
			assertThat(Thread.interrupted()).isTrue();
		}
		assertThat(directory).isEmptyDirectory();
	}

	/** The rings that this process has open. */
	private static List<Path> rings(Path directory) throws IOException {
		List<Path> rings = new ArrayList<>();
		try (Stream<Path> descriptors = Files.list(DESCRIPTORS)) {
			for (Path descriptor : descriptors.toList()) {
				try {
					Path file = Files.readSymbolicLink(descriptor);
					if (file.startsWith(directory.toRealPath()) && file.toString().contains(".ring")) {
						rings.add(file);
					}
				}
				catch (IOException ex) {
					// It is closed by now.
				}
			}
		}
		return rings;
	}

}
