package io.ringkernel.cuda.host.remote;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

import io.ringkernel.backend.DeviceLostException;
import io.ringkernel.backend.KernelRegion;
import io.ringkernel.control.ControlBlock;
import io.ringkernel.cuda.host.server.PlayedProcess;
import io.ringkernel.cuda.host.wire.FrameReader;
import io.ringkernel.cuda.host.wire.FrameWriter;
import io.ringkernel.cuda.host.wire.HostFrame;
import io.ringkernel.cuda.host.wire.MalformedFrameException;
import io.ringkernel.cuda.host.wire.RingFile;
import io.ringkernel.message.MessageLayout;
import io.ringkernel.ring.Draft;
import io.ringkernel.ring.HostRing;
import io.ringkernel.ring.RingLayout;
import io.ringkernel.ring.order.ServingOrder;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A {@link RemoteLoop} of a host that is played. The socket of the host stays open when
 * it ends, so no thread but the one that asks notices the end.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RemoteLoopTests {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private static final MessageLayout<Number> NUMBERS = MessageLayout.of(Number.class);

	private static final int NUMBER = 7;

	private static final Executor THREADS = (task) -> new Thread(task).start();

	private static final byte[] DONE = {};

	private static final byte[] STOPPED = new FrameWriter().writeBoolean(true).toBytes();

	private static final byte[] RUNNING = new FrameWriter().writeBoolean(false).toBytes();

	private final Path directory;

	private ServerSocketChannel server;

	private SocketChannel peer;

	private RingFile file;

	private KernelRegion region;

	private HostProcess host;

	RemoteLoopTests(@TempDir Path directory) {
		this.directory = directory;
	}

	record Number(long value) {
	}

	@BeforeEach
	void begin() throws IOException {
		UnixDomainSocketAddress address = UnixDomainSocketAddress.of(this.directory.resolve("socket"));
		this.server = ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(address);
		SocketChannel socket = SocketChannel.open(address);
		this.peer = this.server.accept();
		RingLayout ring = RingLayout.forSlots(ControlBlock.bytes(1), 4, NUMBERS.maxSize(), NUMBERS.maxSize());
		this.file = RingFile.create(this.directory, ring.endOffset());
		ControlBlock control = new ControlBlock(this.file.memory().buffer(), 1);
		control.identify(ring, NUMBERS.fingerprint(), NUMBERS.fingerprint(), 0);
		this.region = new KernelRegion(this.file.memory(), control, ring);
		this.host = new HostProcess(new PlayedProcess(() -> {
		}), new HostChannel(socket, LIMIT), Files.createDirectory(this.directory.resolve("host")), LIMIT, (lost) -> {
		});
	}

	@AfterEach
	void close() throws IOException {
		this.host.close();
		this.file.close();
		this.peer.close();
		this.server.close();
	}

	@Test
	void whatWasBegunIsKnownOnceALoopIsSaidToHaveStopped() throws Exception {
		RemoteLoop loop = loop(false);
		answered(DONE, loop::start);
		long position = send();
		this.host.kill("x");
		assertThat(loop.stop(LIMIT)).isTrue();
		assertThat(loop.begun()).containsExactly(position);
	}

	@Test
	void whatWasBegunIsKnownOnceALoopIsSaidNotToStartAgain() throws Exception {
		RemoteLoop loop = loop(false);
		long position = send();
		this.host.kill("x");
		assertThatExceptionOfType(DeviceLostException.class).isThrownBy(loop::start);
		assertThat(loop.begun()).containsExactly(position);
	}

	@Test
	void whatIsQueuedAtALoopThatWasNotStartedWasNotBegun() throws Exception {
		RemoteLoop loop = loop(false);
		send();
		this.host.kill("x");
		assertThat(this.host.awaitLoss(LIMIT)).isTrue();
		assertThat(loop.begun()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void whatIsQueuedAtALoopThatHasStoppedWasNotBegun(boolean bridged) throws Exception {
		RemoteLoop loop = loop(bridged);
		answered(DONE, loop::start);
		answered(STOPPED, () -> assertThat(loop.stop(LIMIT)).isTrue());
		send();
		this.host.kill("x");
		assertThat(this.host.awaitLoss(LIMIT)).isTrue();
		assertThat(loop.begun()).isEmpty();
	}

	@Test
	void whatALoopHasBegunThatDoesNotStopInTimeIsKnown() throws Exception {
		RemoteLoop loop = loop(false);
		answered(DONE, loop::start);
		answered(RUNNING, () -> assertThat(loop.stop(LIMIT)).isFalse());
		long position = send();
		this.host.kill("x");
		assertThat(this.host.awaitLoss(LIMIT)).isTrue();
		assertThat(loop.begun()).containsExactly(position);
	}

	/** The workers of a kernel that is on the device tell what they do when it is out. */
	@Test
	void overABridgeTheHostTellsWhetherAKernelIsOnTheDevice() throws Exception {
		RemoteLoop loop = loop(true);
		long position = send();
		answered(DONE, loop::start);
		this.host.frame(beat(0));
		assertThat(loop.stuck(System.nanoTime() + LIMIT.toNanos())).as("it is out").isNull();
		assertThat(loop.stuck(System.nanoTime() + 2 * LIMIT.toNanos())).as("it is out").isNull();
		this.host.frame(beat(1));
		assertThat(loop.activeWorkers()).isEqualTo(1);
		assertThat(loop.stuck(System.nanoTime())).isNull();
		assertThat(loop.stuck(System.nanoTime() + LIMIT.toNanos())).contains("request " + position);
	}

	private static HostFrame beat(int activeWorkers) {
		FrameWriter body = new FrameWriter().writeOptional(null).writeInt(1);
		body.writeInt(NUMBER).writeInt(activeWorkers).writeLong(0).writeBoolean(false);
		return new HostFrame(HostFrame.Kind.BEAT, 0, body.toBytes());
	}

	/** Has the host answer the call that something makes. */
	private void answered(byte[] body, ThrowingCallable calling) throws Exception {
		CompletableFuture<Void> answer = CompletableFuture.runAsync(() -> answer(body), THREADS);
		assertThatCode(calling).doesNotThrowAnyException();
		answer.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
	}

	private void answer(byte[] body) {
		try {
			HostFrame call = HostFrame.read(new DataInputStream(Channels.newInputStream(this.peer)));
			this.peer.write(new HostFrame(HostFrame.Kind.DONE, call.call(), body).toBuffer());
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private RemoteLoop loop(boolean bridged) throws MalformedFrameException {
		FrameWriter loaded = new FrameWriter().writeInt(NUMBER).writeLong(0).writeInt(1).writeInt(1);
		loaded.writeValues(Map.of());
		return new RemoteLoop("k", this.host, this.region, null, ServingOrder.of(this.region.host()), bridged, null,
				LIMIT, new FrameReader(loaded.toBytes()));
	}

	private long send() {
		HostRing ring = this.region.host();
		long position = ring.contendedClaims().tryClaimAny();
		Draft draft = ring.requests().encode(new Number(position), NUMBERS, null);
		ring.requests().publish(position, draft);
		draft.giveBack();
		return position;
	}

}
