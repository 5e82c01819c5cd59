package io.ringkernel.cuda.host;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.ringkernel.RingKernelHandler;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.message.MessageLayout;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.ExecutionPlan;
import io.ringkernel.platform.Transport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * The host gives access to the state of a loop that has stopped, and of no other.
 */
class HostedBackendsTests {

	private static final int RING_BYTES = 1 << 20;

	private final HostedBackends backends = new HostedBackends(new CpuBackendProvider(),
			HostedBackendsTests::histogram);

	private RingFile file;

	private int backend;

	private int memory;

	private int loop;

	@SuppressWarnings("unchecked")
	private static RingKernelHandler<Record, Record> histogram(String kernelId) {
		return (RingKernelHandler<Record, Record>) (RingKernelHandler<?, ?>) new Histogram();
	}

	@BeforeEach
	void load(@TempDir Path directory) throws Exception {
		ExecutionPlan plan = new ExecutionPlan(BackendKind.CPU, ExecutionMode.PERSISTENT, Transport.DIRECT, List.of(),
				Map.of());
		FrameWriter open = new FrameWriter();
		Plans.write(open, plan);
		this.backend = perform(Operation.OPEN, open).readInt();
		this.file = RingFile.create(directory, RING_BYTES);
		this.memory = perform(Operation.MAP,
				new FrameWriter().writeInt(this.backend).writeString(this.file.path().toString()).writeInt(RING_BYTES))
			.readInt();
		HostedKernel.Message value = HostedKernel.Message.of(MessageLayout.of(Histogram.Value.class));
		FrameWriter load = new FrameWriter().writeInt(this.backend).writeInt(this.memory);
		new HostedKernel("histogram", value, value, null, 16, KernelOptions.DEFAULTS).write(load);
		this.loop = perform(Operation.LOAD, load.writeInt(0).writeLong(0).writeLongs(new long[0])).readInt();
	}

	@AfterEach
	void close() throws Exception {
		perform(Operation.STOP, loop().writeDuration(Duration.ofSeconds(30)));
		perform(Operation.CLOSE, loop().writeBoolean(false));
		perform(Operation.UNMAP, new FrameWriter().writeInt(this.memory));
		perform(Operation.CLOSE_BACKEND, new FrameWriter().writeInt(this.backend));
		this.file.close();
	}

	@Test
	void theStateOfALoopThatHasNotStartedIsAccessible() throws Exception {
		assertThat(RemoteState.readFields(perform(Operation.STATE, loop()))).hasSize(2);
	}

	@Test
	void theStateOfALoopThatRunsIsNotAccessible() throws Exception {
		perform(Operation.START, loop());
		assertThatIllegalStateException().isThrownBy(() -> perform(Operation.STATE, loop()));
		assertThatIllegalStateException()
			.isThrownBy(() -> perform(Operation.READ_STATE, loop().writeInt(0).writeLong(0).writeInt(Long.BYTES)));
		assertThatIllegalStateException().isThrownBy(
				() -> perform(Operation.WRITE_STATE, loop().writeInt(0).writeLong(0).writeBytes(new byte[Long.BYTES])));
	}

	@Test
	void theStateOfALoopThatHasStoppedIsAccessible() throws Exception {
		perform(Operation.START, loop());
		assertThat(perform(Operation.STOP, loop().writeDuration(Duration.ofSeconds(30))).readBoolean()).isTrue();
		FrameReader read = perform(Operation.READ_STATE, loop().writeInt(0).writeLong(0).writeInt(Long.BYTES));
		assertThat(read.readBytes()).containsOnly(0).hasSize(Long.BYTES);
	}

	@Test
	void aLoopThatIsNotThereHasNoState() {
		assertThatExceptionOfType(MalformedFrameException.class)
			.isThrownBy(() -> perform(Operation.STATE, new FrameWriter().writeInt(this.loop + 1)));
	}

	private FrameWriter loop() {
		return new FrameWriter().writeInt(this.loop);
	}

	private FrameReader perform(Operation operation, FrameWriter body) throws Exception {
		return new FrameReader(this.backends.perform(operation, new FrameReader(body.toBytes())).toBytes());
	}

}
