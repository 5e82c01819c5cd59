package io.ringkernel.cuda.host;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import io.ringkernel.KernelState;
import io.ringkernel.RequestStream;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.conformance.Concurrently;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.cuda.host.DeviceHostMain.Number;
import io.ringkernel.exception.RingKernelException;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Somebody stores anything anywhere into a ring that an application and its host share.
 * Answers may be wrong then, and requests may fail; no caller waits for longer than it
 * has said, and the application closes as ever.
 * <p>
 * {@code -Dringkernel.fuzz.scribbles} is how many words are stored.
 */
@EnabledOnOs(OS.LINUX)
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("every-platform")
class ScribbledRingTests {

	private static final long SCRIBBLES = Long.getLong("ringkernel.fuzz.scribbles", 2_000);

	private static final Duration LIMIT = Duration.ofSeconds(60);

	private static final int CALLERS = 8;

	/** So many words, and the kernel is launched anew, with a ring that is in order. */
	private static final long PER_RING = 500;

	private static final KernelOptions OPTIONS = KernelOptions.builder()
		.workers(2)
		.ringMemory(1 << 16)
		.requestTimeout(Duration.ofMillis(20))
		.stopTimeout(Duration.ofMillis(200))
		.drainTimeout(Duration.ofMillis(10))
		.build();

	private final Path directory;

	private final AtomicBoolean done = new AtomicBoolean();

	private final AtomicLong ended = new AtomicLong();

	ScribbledRingTests(@TempDir Path directory) {
		this.directory = directory;
	}

	@Test
	void anApplicationSurvivesWhateverIsStoredIntoARing() throws Exception {
		KernelHostProvider provider = new KernelHostProvider(new DeviceHostMain.Device(), DeviceHostMain.class,
				new HostOptions(this.directory, LIMIT, Duration.ofSeconds(1), HostOptions.STUCK_AFTER));
		try (RingKernelRuntime runtime = RingKernelRuntime.open(PlanRequest.AUTO,
				List.of(provider, new CpuBackendProvider()))) {
			Kernel<Number, Number> kernel = runtime.define(DeviceHostMain.kernel("numbers", OPTIONS));
			Concurrently.Running callers = Concurrently.start(CALLERS, (caller) -> call(kernel, caller));
			SplittableRandom random = new SplittableRandom(5);
			for (long stored = 0; stored < SCRIBBLES; stored += PER_RING) {
				relaunch(kernel);
				scribble(random);
				assertThat(callers.threads()).allMatch(Thread::isAlive);
			}
			this.done.set(true);
			callers.join(LIMIT);
			relaunch(kernel);
			assertThat(kernel.client().call(new Number(4), LIMIT)).isEqualTo(new Number(8));
		}
		Awaitility.await().atMost(LIMIT).untilAsserted(() -> assertThat(provider.hosts().get(0).pid()).isZero());
	}

	private static void relaunch(Kernel<Number, Number> kernel) {
		if (kernel.state() != KernelState.CREATED) {
			kernel.relaunch();
			return;
		}
		kernel.launch();
		kernel.activate();
	}

	/**
	 * Callers make progress while words are stored, so that these meet requests in
	 * flight.
	 */
	private void scribble(SplittableRandom random) throws IOException {
		ByteBuffer ring = ring();
		for (int i = 0; i < PER_RING; i++) {
			int at = random.nextInt(ring.capacity() / Long.BYTES) * Long.BYTES;
			ring.putLong(at, switch (random.nextInt(4)) {
				case 0 -> random.nextLong();
				case 1 -> Tampering.hostile(random);
				case 2 -> ring.getLong(random.nextInt(ring.capacity() / Long.BYTES) * Long.BYTES);
				default -> ring.getLong(at) ^ 1L << random.nextInt(Long.SIZE);
			});
			if (i % 100 == 0) {
				long before = this.ended.get();
				Awaitility.await().atMost(LIMIT).until(() -> this.ended.get() > before + CALLERS);
			}
		}
	}

	/** The ring that this process has open, which has no name. */
	private ByteBuffer ring() throws IOException {
		try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
			for (Path descriptor : descriptors.filter(Files::isSymbolicLink).toList()) {
				if (Files.readSymbolicLink(descriptor).startsWith(this.directory)) {
					try (FileChannel channel = FileChannel.open(descriptor, StandardOpenOption.READ,
							StandardOpenOption.WRITE)) {
						return channel.map(FileChannel.MapMode.READ_WRITE, 0, channel.size())
							.order(ByteOrder.LITTLE_ENDIAN);
					}
				}
			}
		}
		throw new AssertionError("no ring is open");
	}

	private void call(Kernel<Number, Number> kernel, int caller) {
		for (long i = 0; !this.done.get(); i++) {
			Number request = new Number(i);
			try {
				switch ((int) (i + caller) % 3) {
					case 0 -> kernel.client().call(request);
					case 1 -> kernel.client().submit(request).join();
					default -> {
						try (RequestStream<Number, Number> stream = kernel.client().openStream()) {
							stream.send(request);
							stream.receive();
						}
					}
				}
			}
			catch (RingKernelException ex) {
				assertThat(ex).hasMessageNotContaining("null");
			}
			catch (CompletionException ex) {
				assertThat(ex).hasCauseInstanceOf(RingKernelException.class);
			}
			this.ended.incrementAndGet();
		}
	}

}
