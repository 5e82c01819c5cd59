package io.ringkernel.cuda.host;

import java.io.BufferedReader;
import java.io.DataInputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.ringkernel.platform.PlanOffer;
import io.ringkernel.platform.PlanRequest;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A host ends with its application, and with a conversation that is none.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HostLifeTests {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private final Path directory;

	HostLifeTests(@TempDir Path directory) {
		this.directory = directory;
	}

	/** As an operator, the memory killer and a fault in native code end it. */
	@ParameterizedTest
	@ValueSource(strings = { "TERM", "KILL", "SEGV" })
	void anApplicationThatEndsLeavesNeitherHostNorFile(String signal) throws Exception {
		Path temporary = Files.createDirectory(this.directory.resolve("tmp"));
		Path rings = Files.createDirectory(this.directory.resolve("rings"));
		Process application = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-cp", System.getProperty("java.class.path"), "-XX:-UsePerfData", "-XX:-CreateCoredumpOnCrash",
				"-XX:ErrorFile=" + this.directory.resolve("crash.log"), "-Djava.io.tmpdir=" + temporary,
				ApplicationProcess.class.getName(), rings.toString())
			.redirectErrorStream(true)
			.start();
		ProcessHandle host = ProcessHandle.of(pidOfHost(application)).orElseThrow();
		assertThat(new ProcessBuilder("kill", "-" + signal, String.valueOf(application.pid())).start().waitFor())
			.isZero();
		Awaitility.await().atMost(LIMIT).until(() -> !application.isAlive() && !host.isAlive());
		assertEmpty(rings);
		Awaitility.await().atMost(LIMIT).untilAsserted(() -> assertEmpty(temporary));
	}

	private static long pidOfHost(Process application) throws Exception {
		BufferedReader output = new BufferedReader(
				new InputStreamReader(application.getInputStream(), StandardCharsets.UTF_8));
		for (String line = output.readLine(); line != null; line = output.readLine()) {
			if (line.startsWith("host: ")) {
				return Long.parseLong(line.substring("host: ".length()));
			}
		}
		throw new AssertionError("the application has ended");
	}

	private static void assertEmpty(Path directory) throws Exception {
		try (Stream<Path> files = Files.list(directory)) {
			assertThat(files).isEmpty();
		}
	}

	@Test
	void aHostThatIsSentWhatIsNoFrameEnds() throws Exception {
		Path socket = this.directory.resolve("ringkernel-host-test").resolve("socket");
		Files.createDirectory(socket.getParent());
		try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
			server.bind(UnixDomainSocketAddress.of(socket));
			Process host = HostCommand.of(DeviceHostMain.class.getName(), socket)
				.redirectOutput(ProcessBuilder.Redirect.DISCARD)
				.start();
			try (OutputStream input = host.getOutputStream()) {
				input.write("secret\n".getBytes(StandardCharsets.US_ASCII));
			}
			try (SocketChannel application = server.accept()) {
				Frame hello = Frame.read(new DataInputStream(Channels.newInputStream(application)));
				assertThat(hello.kind()).isEqualTo(Frame.Kind.HELLO);
				application.write(ByteBuffer.wrap(new byte[] { 0, 0, 0, 9, 99, 0, 0, 0, 0, 0, 0, 0, 0 }));
				assertThat(host.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
			}
			assertThat(host.exitValue()).isEqualTo(HostServer.BROKEN);
			assertThat(socket.getParent()).doesNotExist();
		}
	}

	@Test
	void aHostThatSendsWhatIsNoFrameIsEnded() {
		KernelHostProvider provider = new KernelHostProvider(new DeviceHostMain.Device(), BabblingHostMain.class,
				new HostOptions(this.directory, LIMIT, LIMIT));
		assertThat(provider.plan(PlanRequest.AUTO)).isInstanceOfSatisfying(PlanOffer.Refused.class,
				(refused) -> assertThat(refused.reason()).contains("it has sent what is no frame"));
		Awaitility.await().atMost(LIMIT).until(() -> provider.hostStatus().crashes() == 1);
		assertThat(provider.hostStatus().pid()).isZero();
	}

	@Test
	void aMainClassThatIsNoHostIsReported() {
		KernelHostProvider provider = new KernelHostProvider(new DeviceHostMain.Device(), HostLifeTests.class,
				new HostOptions(this.directory, LIMIT, LIMIT));
		assertThat(provider.plan(PlanRequest.AUTO)).isInstanceOfSatisfying(PlanOffer.Refused.class,
				(refused) -> assertThat(refused.reason()).contains("it ended at once, with exit status 1"));
	}

}
