package io.ringkernel.cuda.host.server;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

import io.ringkernel.RingKernelHandler;
import io.ringkernel.backend.Backend;
import io.ringkernel.backend.BackendProvider;
import io.ringkernel.backend.DeviceLostException;
import io.ringkernel.backend.ForwardingBackend;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.cuda.host.Histogram;
import io.ringkernel.cuda.host.wire.FrameReader;
import io.ringkernel.cuda.host.wire.FrameWriter;
import io.ringkernel.cuda.host.wire.HostOperation;
import io.ringkernel.cuda.host.wire.HostedKernel;
import io.ringkernel.cuda.host.wire.MalformedFrameException;
import io.ringkernel.cuda.host.wire.Plans;
import io.ringkernel.cuda.host.wire.RingFile;
import io.ringkernel.cuda.host.wire.StateFields;
import io.ringkernel.message.MessageLayout;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.ExecutionPlan;
import io.ringkernel.platform.PlanOffer;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.platform.Transport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * What the host does with what it has opened. It gives access to the state of a loop that
 * has stopped, and of no other.
 */
class HostedBackendsTests {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private static final int RING_BYTES = 1 << 20;

	/** The backend, the memory and the loop of each test. */
	private static final int MOST_OPEN = 3;

	private final Set<Thread> before = Thread.getAllStackTraces().keySet();

	private final List<String> asked = new ArrayList<>();

	/** Why the device is lost that the backend passes for. */
	private final AtomicReference<Throwable> lost = new AtomicReference<>();

	private final HostedBackends backends = new HostedBackends(new Losing(), this::histogram, MOST_OPEN);

	private RingFile file;

	private int backend;

	private int memory;

	private int loop;

	@SuppressWarnings("unchecked")
	private RingKernelHandler<Record, Record> histogram(String kernelId) {
		this.asked.add(kernelId);
		return (RingKernelHandler<Record, Record>) (RingKernelHandler<?, ?>) new Histogram();
	}

	@BeforeEach
	void load(@TempDir Path directory) throws Exception {
		ExecutionPlan plan = new ExecutionPlan(BackendKind.CPU, ExecutionMode.PERSISTENT, Transport.DIRECT, List.of(),
				Map.of());
		FrameWriter open = new FrameWriter();
		Plans.write(open, plan);
		this.backend = perform(HostOperation.OPEN, open).readInt();
		this.file = RingFile.create(directory, RING_BYTES);
		this.memory = perform(HostOperation.MAP, map(this.file.path())).readInt();
		this.loop = perform(HostOperation.LOAD, load("histogram")).readInt();
	}

	@AfterEach
	void close() throws Exception {
		this.lost.set(null);
		perform(HostOperation.STOP, loop().writeDuration(LIMIT));
		perform(HostOperation.CLOSE, loop().writeBoolean(false));
		perform(HostOperation.UNMAP, new FrameWriter().writeInt(this.memory));
		perform(HostOperation.CLOSE_BACKEND, new FrameWriter().writeInt(this.backend));
		this.file.close();
	}

	@Test
	void theStateOfALoopThatHasNotStartedIsAccessible() throws Exception {
		assertThat(StateFields.read(perform(HostOperation.STATE, loop()))).hasSize(2);
	}

	@Test
	void theStateOfALoopThatRunsIsNotAccessible() throws Exception {
		perform(HostOperation.START, loop());
		assertThatIllegalStateException().isThrownBy(() -> perform(HostOperation.STATE, loop()));
		assertThatIllegalStateException()
			.isThrownBy(() -> perform(HostOperation.READ_STATE, loop().writeInt(0).writeLong(0).writeInt(Long.BYTES)));
		assertThatIllegalStateException().isThrownBy(() -> perform(HostOperation.WRITE_STATE,
				loop().writeInt(0).writeLong(0).writeBytes(new byte[Long.BYTES])));
	}

	@Test
	void theStateOfALoopThatHasStoppedIsAccessible() throws Exception {
		perform(HostOperation.START, loop());
		assertThat(perform(HostOperation.STOP, loop().writeDuration(LIMIT)).readBoolean()).isTrue();
		FrameReader read = perform(HostOperation.READ_STATE, loop().writeInt(0).writeLong(0).writeInt(Long.BYTES));
		assertThat(read.readBytes()).containsOnly(0).hasSize(Long.BYTES);
	}

	/** It may have begun requests that it does not answer any more. */
	@Test
	void aLoopWhoseDeviceIsLostIsNotSaidToHaveStopped() throws Exception {
		perform(HostOperation.START, loop());
		this.lost.set(new IllegalStateException("a kernel has met a fault"));
		assertThatExceptionOfType(DeviceLostException.class)
			.isThrownBy(() -> perform(HostOperation.STOP, loop().writeDuration(LIMIT)))
			.withMessageContaining("a kernel has met a fault");
	}

	@Test
	void aLoopThatIsNotThereHasNoState() {
		assertThatExceptionOfType(MalformedFrameException.class)
			.isThrownBy(() -> perform(HostOperation.STATE, new FrameWriter().writeInt(this.loop + 1)));
	}

	@Test
	void whatIsOneTooManyIsNotOpenedFirst(@TempDir Path directory) {
		assertThatIllegalStateException().as("otherwise there is no such file")
			.isThrownBy(() -> perform(HostOperation.MAP, map(directory.resolve("absent"))))
			.withMessage("3 backends, memories, loops and pieces of device memory are open");
		assertThatIllegalStateException().isThrownBy(() -> perform(HostOperation.LOAD, load("another")));
		assertThat(this.asked).containsExactly("histogram");
	}

	/** A thread that stayed would look for ever: a host has none without a loop. */
	@Test
	void whatLooksAtRingsEndsWithTheLastLoopAndComesWithTheNext() throws Exception {
		assertThat(looking()).hasSize(1);
		perform(HostOperation.CLOSE, loop().writeBoolean(false));
		Awaitility.await().atMost(LIMIT).untilAsserted(() -> assertThat(looking()).isEmpty());
		this.loop = perform(HostOperation.LOAD, load("histogram")).readInt();
		assertThat(looking()).hasSize(1);
	}

	private List<Thread> looking() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().equals("ringkernel-host-mirrors"))
			.filter((thread) -> !this.before.contains(thread))
			.toList();
	}

	private FrameWriter map(Path file) {
		return new FrameWriter().writeInt(this.backend).writeString(file.toString()).writeInt(RING_BYTES);
	}

	private FrameWriter load(String kernelId) {
		HostedKernel.Message value = HostedKernel.Message.of(MessageLayout.of(Histogram.Value.class));
		FrameWriter load = new FrameWriter().writeInt(this.backend).writeInt(this.memory);
		new HostedKernel(kernelId, value, value, null, 16, KernelOptions.DEFAULTS).write(load);
		return load.writeInt(0).writeLong(0).writeLongs(new long[0]);
	}

	private FrameWriter loop() {
		return new FrameWriter().writeInt(this.loop);
	}

	private FrameReader perform(HostOperation operation, FrameWriter body) throws Exception {
		return new FrameReader(this.backends.perform(operation, new FrameReader(body.toBytes())).toBytes());
	}

	/**
	 * Opens backends of the CPU that lose their device when a test says so.
	 */
	private final class Losing implements BackendProvider {

		private final BackendProvider cpu = new CpuBackendProvider();

		@Override
		public BackendKind kind() {
			return this.cpu.kind();
		}

		@Override
		public PlanOffer plan(PlanRequest request) {
			return this.cpu.plan(request);
		}

		@Override
		public Backend open(ExecutionPlan plan) {
			return new ForwardingBackend(this.cpu.open(plan)) {

				@Override
				public Throwable failure() {
					return HostedBackendsTests.this.lost.get();
				}

			};
		}

	}

}
