package io.ringkernel.cuda.host.wire;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

import io.ringkernel.backend.DeviceLostException;
import io.ringkernel.backend.FailurePoint;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.backend.PlanFailedException;
import io.ringkernel.cuda.image.KernelImage;
import io.ringkernel.cuda.image.ModuleImage;
import io.ringkernel.exception.InvalidConfigurationException;
import io.ringkernel.exception.KernelLaunchException;
import io.ringkernel.exception.KernelStuckException;
import io.ringkernel.exception.UnusableImageException;
import io.ringkernel.message.MessageLayout;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.ExecutionPlan;
import io.ringkernel.platform.PlanOffer;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.platform.Transport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What crosses the socket arrives as it was sent, and what anything else sends is
 * refused.
 */
class HostFrameTests {

	private static final int FUZZED = 20_000;

	record Number(long value) {
	}

	@Test
	void aFrameArrivesAsItWasSent() throws Exception {
		ByteBuffer sent = new HostFrame(HostFrame.Kind.DONE, 7, new byte[] { 1, 2, 3 }).toBuffer();
		assertFrame(HostFrame.take(sent.duplicate()));
		assertFrame(HostFrame.read(new DataInputStream(new ByteArrayInputStream(sent.array()))));
	}

	private static void assertFrame(HostFrame frame) {
		assertThat(frame).isNotNull();
		assertThat(frame.kind()).isEqualTo(HostFrame.Kind.DONE);
		assertThat(frame.call()).isEqualTo(7);
		assertThat(frame.body()).containsExactly(1, 2, 3);
	}

	@Test
	void aFrameIsTakenOnceItIsThereInWhole() throws Exception {
		ByteBuffer sent = new HostFrame(HostFrame.Kind.DONE, 7, new byte[] { 1, 2, 3 }).toBuffer();
		for (int there = 0; there < sent.capacity(); there++) {
			ByteBuffer received = sent.duplicate().limit(there);
			assertThat(HostFrame.take(received)).isNull();
			assertThat(received.position()).isZero();
		}
	}

	@Test
	void aFrameOfAnImpossibleLengthOrKindIsRefused() {
		for (int length : new int[] { -1, 0, 4, HostFrame.MAX_BYTES + 1, Integer.MAX_VALUE }) {
			assertThatExceptionOfType(MalformedFrameException.class)
				.isThrownBy(() -> HostFrame.take(ByteBuffer.allocate(16).putInt(0, length)));
		}
		assertThatExceptionOfType(MalformedFrameException.class)
			.isThrownBy(() -> HostFrame.take(ByteBuffer.allocate(16).putInt(0, 12).put(4, (byte) 99)));
	}

	@Test
	void theHostTakesLongerFramesThanItSends() {
		assertThatExceptionOfType(EOFException.class).isThrownBy(() -> read(HostFrame.MAX_BYTES + 1));
		assertThatExceptionOfType(MalformedFrameException.class).isThrownBy(() -> read(HostFrame.MAX_CALL_BYTES + 1));
	}

	/** A frame that is announced, and does not come. */
	private static HostFrame read(int length) throws IOException {
		byte[] head = ByteBuffer.allocate(9).putInt(length).put((byte) 2).putInt(1).array();
		return HostFrame.read(new DataInputStream(new ByteArrayInputStream(head)));
	}

	@Test
	void plansArriveAsTheyWereSent() throws Exception {
		ExecutionPlan plan = new ExecutionPlan(BackendKind.CUDA, ExecutionMode.PERSISTENT, Transport.MAPPED, 3, true,
				List.of("ä", ""), Map.of("device", "H200"));
		PlanRequest request = new PlanRequest(null, ExecutionMode.EVENT_DRIVEN, null, 2);
		PlanOffer refused = new PlanOffer.Refused("why", "what to do");
		FrameWriter out = new FrameWriter();
		Plans.write(out, new PlanOffer.Accepted(plan));
		Plans.write(out, request);
		Plans.write(out, refused);
		FrameReader in = new FrameReader(out.toBytes());
		assertThat(Plans.readOffer(in)).isEqualTo(new PlanOffer.Accepted(plan));
		assertThat(Plans.readRequest(in)).isEqualTo(request);
		assertThat(Plans.readOffer(in)).isEqualTo(refused);
		in.end();
	}

	@Test
	void aKernelArrivesAsItWasSent() throws Exception {
		HostedKernel kernel = kernel();
		FrameWriter out = new FrameWriter();
		kernel.write(out);
		FrameReader in = new FrameReader(out.toBytes());
		HostedKernel arrived = HostedKernel.read(in);
		in.end();
		assertThat(arrived).isEqualTo(kernel);
		KernelSpec<Number, Number> spec = arrived.spec((request) -> request);
		assertThat(spec.requests().type()).isEqualTo(Number.class);
		assertThat(arrived.ring(spec).slots()).isEqualTo(16);
	}

	@Test
	void aRecordThatIsAnotherOneInTheHostIsRefused() {
		HostedKernel.Message number = new HostedKernel.Message(Number.class.getName(), 1);
		assertThatExceptionOfType(UnusableImageException.class).isThrownBy(() -> number.layout("numbers"))
			.withMessageContaining("another layout");
		HostedKernel.Message unknown = new HostedKernel.Message("com.example.Unknown", 1);
		assertThatExceptionOfType(UnusableImageException.class).isThrownBy(() -> unknown.layout("numbers"))
			.withMessageContaining("com.example.Unknown is not to be had there");
	}

	private static HostedKernel kernel() {
		long fingerprint = MessageLayout.of(Number.class).fingerprint();
		HostedKernel.Message number = new HostedKernel.Message(Number.class.getName(), fingerprint);
		return new HostedKernel("numbers", number, number, image(), 16,
				KernelOptions.builder().workers(3).requestTimeout(Duration.ofMillis(7)).build());
	}

	private static KernelImage image() {
		byte[] ptx = ".version 8.3\n.target sm_75\n.address_size 64\n.visible .entry numbers()\n{ ret; }\n"
			.getBytes(StandardCharsets.US_ASCII);
		ModuleImage module = ModuleImage.of("numbers.ptx", ptx, new byte[] { 0x7f, 0, -1 });
		return new KernelImage("numbers.ptx", "numbers", module, module.ptx().orElseThrow(),
				List.of(new FailurePoint("java.lang.IllegalStateException", null, "Numbers", "handle", 9)),
				ByteBuffer.allocateDirect(3).put(new byte[] { 5, 0, 6 }).flip(), null);
	}

	@Test
	void anImageArrivesInAllItsParts() throws Exception {
		KernelImage image = image();
		FrameWriter out = new FrameWriter();
		HostedImage.write(out, image);
		FrameReader in = new FrameReader(out.toBytes());
		KernelImage arrived = HostedImage.read(in);
		in.end();
		assertThat(arrived).isEqualTo(image);
		assertThat(arrived.module().compiled()).isEqualTo(image.module().compiled());
		assertThat(arrived.initialState().isDirect()).isTrue();
	}

	@Test
	void theHostRunsTheImageThatHasArrived() {
		KernelSpec<Number, Number> spec = kernel().spec((request) -> request);
		assertThat(KernelImage.of(spec)).isEqualTo(image());
	}

	@Test
	void anImageThatIsTooLargeIsRefusedBeforeItIsSent() {
		ModuleImage module = ModuleImage.of("large.cubin", new byte[HostedImage.MAX_BYTES + 1]);
		KernelImage image = new KernelImage("large.cubin", "large", module, null, List.of(),
				ByteBuffer.allocateDirect(0), null);
		assertThatExceptionOfType(UnusableImageException.class).isThrownBy(() -> HostedImage.check("large", image))
			.withMessageContaining("'large.cubin' has 33554433 B")
			.withMessageContaining("33554432 B at most");
	}

	@Test
	void failuresArriveAsExceptionsOfTheirKind() throws Exception {
		assertThat(sent(new DeviceLostException("k", "why", "what to do"))).isInstanceOf(DeviceLostException.class)
			.hasMessageContaining("why");
		assertThat(sent(new PlanFailedException("k", "why", null))).isExactlyInstanceOf(PlanFailedException.class)
			.hasMessageContaining(": why.");
		assertThat(sent(new UnusableImageException("k", "why", "What to do.", null)))
			.hasMessage("Ring kernel 'k' cannot be launched: why. What to do.");
		assertThat(sent(new KernelLaunchException("k", "why.", "What to do.", null)))
			.hasMessage("Ring kernel 'k' cannot be launched: why. What to do.");
		assertThat(sent(new InvalidConfigurationException("a", 1, "is wrong", "Set it.")))
			.hasMessage("a = 1 is wrong. Set it.");
		KernelStuckException stuck = new KernelStuckException("k", "come to rest", Duration.ofSeconds(5));
		assertThat(sent(stuck)).isExactlyInstanceOf(KernelStuckException.class).hasMessage(stuck.getMessage());
		assertThat(sent(new UnsupportedOperationException("why"))).isInstanceOf(UnsupportedOperationException.class)
			.hasMessage("why");
		assertThat(sent(new IllegalStateException("why"))).isInstanceOf(HostFailureException.class)
			.hasMessageContaining("IllegalStateException: why");
	}

	private static RuntimeException sent(Throwable failure) throws IOException {
		FrameWriter out = new FrameWriter();
		HostFailures.write(out, failure);
		FrameReader in = new FrameReader(out.toBytes());
		RuntimeException arrived = HostFailures.read(in, "k");
		in.end();
		return arrived;
	}

	/**
	 * Bytes of a message, of which some were changed.
	 */
	@ParameterizedTest
	@EnumSource
	void whateverIsReadIsRefusedOrValid(Body body) throws Exception {
		byte[] valid = body.example();
		SplittableRandom random = new SplittableRandom(body.name().hashCode());
		for (int i = 0; i < FUZZED; i++) {
			byte[] bytes = Arrays.copyOf(valid,
					random.nextInt(4) == 0 ? random.nextInt(valid.length + 1) : valid.length);
			for (int flips = random.nextInt(8); flips >= 0 && bytes.length > 0; flips--) {
				bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
			}
			try {
				body.read(new FrameReader(bytes));
			}
			catch (MalformedFrameException | InvalidConfigurationException ex) {
				assertThat(ex).hasMessageNotContaining("null");
			}
		}
	}

	@Test
	void framesOfRandomBytesAreRefusedOrWaitForMore() throws Exception {
		SplittableRandom random = new SplittableRandom(1);
		for (int i = 0; i < FUZZED; i++) {
			byte[] bytes = new byte[random.nextInt(64)];
			random.nextBytes(bytes);
			if (bytes.length > 3 && random.nextBoolean()) {
				ByteBuffer.wrap(bytes).putInt(0, random.nextInt(64));
			}
			try {
				HostFrame.read(new DataInputStream(new ByteArrayInputStream(bytes)));
			}
			catch (MalformedFrameException | EOFException ex) {
				assertThatNoFrameIsTaken(bytes);
			}
		}
	}

	private static void assertThatNoFrameIsTaken(byte[] bytes) {
		try {
			assertThat(HostFrame.take(ByteBuffer.wrap(bytes))).isNull();
		}
		catch (MalformedFrameException ex) {
			assertThat(ex).hasMessageStartingWith("a frame of");
		}
	}

	/**
	 * What the body of a frame may be.
	 */
	enum Body {

		OFFER {

			@Override
			void write(FrameWriter out) {
				Plans.write(out, new PlanOffer.Accepted(new ExecutionPlan(BackendKind.CUDA, ExecutionMode.PERSISTENT,
						Transport.MAPPED, List.of("a", "b"), Map.of("c", "d"))));
			}

			@Override
			void read(FrameReader in) throws IOException {
				Plans.readOffer(in);
			}

		},
		KERNEL {

			@Override
			void write(FrameWriter out) {
				kernel().write(out);
			}

			@Override
			void read(FrameReader in) throws IOException {
				HostedKernel.read(in);
			}

		},
		FAILURE {

			@Override
			void write(FrameWriter out) {
				HostFailures.write(out, new PlanFailedException("k", "why", "what to do", null));
			}

			@Override
			void read(FrameReader in) throws IOException {
				HostFailures.read(in, "k");
			}

		},
		STATUS {

			@Override
			void write(FrameWriter out) {
				out.writeInt(2).writeInt(1).writeInt(2).writeLong(3).writeBoolean(false);
				out.writeInt(2).writeInt(1).writeLong(3).writeBoolean(true);
				HostFailures.write(out, new IllegalStateException("why"));
			}

			@Override
			void read(FrameReader in) throws IOException {
				LoopStatus.readAll(in, String::valueOf);
			}

		},
		STATE {

			@Override
			void write(FrameWriter out) {
				out.writeInt(2).writeString("sum").writeString("long").writeLong(8);
				out.writeString("values").writeString("int[]").writeLong(12);
			}

			@Override
			void read(FrameReader in) throws IOException {
				StateFields.read(in);
			}

		},
		VALUES {

			@Override
			void write(FrameWriter out) {
				out.writeValues(Map.of("a", 1, "b", "c"));
			}

			@Override
			void read(FrameReader in) throws IOException {
				in.readValues();
			}

		};

		abstract void write(FrameWriter out);

		abstract void read(FrameReader in) throws IOException;

		byte[] example() {
			FrameWriter out = new FrameWriter();
			write(out);
			return out.toBytes();
		}

	}

}
