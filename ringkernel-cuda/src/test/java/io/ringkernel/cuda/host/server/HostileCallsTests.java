package io.ringkernel.cuda.host.server;

import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SplittableRandom;

import io.ringkernel.RingKernelHandler;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.control.ControlBlock;
import io.ringkernel.cuda.host.DeviceHostMain;
import io.ringkernel.cuda.host.DeviceHostMain.Number;
import io.ringkernel.cuda.host.Tampering;
import io.ringkernel.cuda.host.wire.FrameReader;
import io.ringkernel.cuda.host.wire.FrameWriter;
import io.ringkernel.cuda.host.wire.HostFailures;
import io.ringkernel.cuda.host.wire.HostFrame;
import io.ringkernel.cuda.host.wire.HostOperation;
import io.ringkernel.cuda.host.wire.HostedKernel;
import io.ringkernel.cuda.host.wire.MalformedFrameException;
import io.ringkernel.cuda.host.wire.Plans;
import io.ringkernel.cuda.host.wire.RingFile;
import io.ringkernel.exception.RingKernelException;
import io.ringkernel.message.MessageLayout;
import io.ringkernel.platform.ExecutionPlan;
import io.ringkernel.platform.PlanOffer;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.ring.RingLayout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Whatever the body of a call holds, the host does what it says, or refuses it by name:
 * it reads and reaches nothing beyond what was sent or opened.
 */
@Tag("every-platform")
class HostileCallsTests {

	private static final long MESSAGES = Long.getLong("ringkernel.fuzz.messages", 100_000)
			/ HostOperation.values().length;

	private static final int SLOTS = 2;

	/** After so many calls that were done, the host begins anew. */
	private static final int DONE_AT_MOST = 16;

	private static final KernelOptions OPTIONS = KernelOptions.builder().workers(2).build();

	private static final KernelSpec<Number, Number> KERNEL = new KernelSpec<>("numbers", MessageLayout.of(Number.class),
			MessageLayout.of(Number.class), (request) -> request, null, OPTIONS);

	private static final RingLayout RING = RingLayout.forSlots(ControlBlock.bytes(OPTIONS.workers()), SLOTS,
			KERNEL.requests().maxSize(), KERNEL.responses().maxSize());

	private static final ExecutionPlan PLAN = plan();

	private final RingFile file;

	private HostedBackends hosted;

	private int backend;

	private int memory;

	private int loop;

	private int done;

	HostileCallsTests(@TempDir Path directory) throws IOException {
		this.file = RingFile.create(directory, RING.endOffset());
	}

	private static ExecutionPlan plan() {
		return ((PlanOffer.Accepted) new DeviceHostMain.Device().plan(PlanRequest.AUTO)).plan();
	}

	@BeforeEach
	void begin() throws Exception {
		this.hosted = new HostedBackends(new DeviceHostMain.Device(), (id) -> new Remembering());
		this.backend = number(HostOperation.OPEN);
		this.memory = number(HostOperation.MAP);
		this.loop = number(HostOperation.LOAD);
		this.done = 0;
	}

	private int number(HostOperation operation) throws Exception {
		return new FrameReader(perform(operation, genuine(operation)).toBytes()).readInt();
	}

	private FrameWriter perform(HostOperation operation, byte[] body) throws Exception {
		return this.hosted.perform(operation, new FrameReader(body));
	}

	@AfterEach
	void close() throws Exception {
		TamperedLine.release(this.hosted);
		this.file.close();
	}

	@ParameterizedTest
	@EnumSource
	void aCallIsDoneOrRefused(HostOperation operation) throws Exception {
		SplittableRandom random = new SplittableRandom(operation.name().hashCode());
		for (long i = 0; i < MESSAGES; i++) {
			byte[] body = (random.nextInt(8) > 0) ? Tampering.changed(random, genuine(operation))
					: Tampering.noise(random);
			try {
				assertThat(perform(operation, body).toBytes()).hasSizeLessThan(HostFrame.MAX_BYTES);
				this.done++;
			}
			catch (MalformedFrameException ex) {
				assertThat(ex).hasMessageNotContaining("null");
			}
			catch (RingKernelException | IOException | InvalidPathException ex) {
				verifyArrives(ex);
				this.done++;
			}
			if (this.done >= DONE_AT_MOST) {
				TamperedLine.release(this.hosted);
				begin();
			}
		}
	}

	private static void verifyArrives(Exception failure) throws MalformedFrameException {
		FrameWriter out = new FrameWriter();
		HostFailures.write(out, failure);
		FrameReader in = new FrameReader(out.toBytes());
		assertThat(HostFailures.read(in, "numbers")).isNotNull();
		in.end();
	}

	/** The body of a call as the application sends it; of no use where none is known. */
	private byte[] genuine(HostOperation operation) {
		FrameWriter out = new FrameWriter();
		switch (operation) {
			case PLAN -> Plans.write(out, PlanRequest.AUTO);
			case PLAN_AFTER -> {
				Plans.write(out, PLAN);
				Plans.write(out.writeString("it went wrong"), PlanRequest.AUTO);
			}
			case OPEN -> Plans.write(out, PLAN);
			case MAP -> out.writeInt(this.backend).writeString(this.file.path().toString()).writeInt(RING.endOffset());
			case LOAD -> {
				kernel().write(out.writeInt(this.backend).writeInt(this.memory));
				out.writeInt(0).writeLong(1).writeLongs(new long[] { 0 });
			}
			case STOP -> out.writeInt(this.loop).writeDuration(Duration.ofMillis(1));
			case CLOSE -> out.writeInt(this.loop).writeBoolean(false);
			case READ_STATE -> out.writeInt(this.loop).writeInt(0).writeLong(8).writeInt(16);
			case WRITE_STATE -> out.writeInt(this.loop).writeInt(0).writeLong(8).writeBytes(new byte[16]);
			case UNMAP -> out.writeInt(this.memory);
			case CLOSE_BACKEND -> out.writeInt(this.backend);
			default -> out.writeInt(this.loop);
		}
		return out.toBytes();
	}

	private static HostedKernel kernel() {
		HostedKernel.Message number = HostedKernel.Message.of(KERNEL.requests());
		return new HostedKernel(KERNEL.id(), number, number, null, SLOTS, OPTIONS);
	}

	/** A handler with state. */
	private static final class Remembering implements RingKernelHandler<Record, Record> {

		private final byte[] bytes = new byte[64];

		@Override
		public Record handle(Record request) {
			this.bytes[0]++;
			return request;
		}

	}

}
