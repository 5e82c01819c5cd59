package io.ringkernel.cuda.host;

import java.io.BufferedReader;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.cuda.host.DeviceHostMain.Number;
import io.ringkernel.cuda.host.server.HostServer;
import io.ringkernel.cuda.host.wire.HostFrame;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.PlanOffer;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A host ends with its application, and with a conversation that is none.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("every-platform")
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
		Process application = application(temporary, rings).start();
		ProcessHandle host = ProcessHandle.of(pidOfHost(application)).orElseThrow();
		signal(signal, application.pid());
		Awaitility.await().atMost(LIMIT).until(() -> !application.isAlive() && !host.isAlive());
		assertEmpty(rings);
		Awaitility.await().atMost(LIMIT).untilAsserted(() -> assertEmpty(temporary));
	}

	/** Neither of both can delete it. */
	@Test
	void theDirectoryOfAHostThatWasKilledWithItsApplicationIsDeletedByTheNextHost() throws Exception {
		Path temporary = Files.createDirectory(this.directory.resolve("tmp"));
		Path rings = Files.createDirectory(this.directory.resolve("rings"));
		Process killed = application(temporary, rings).start();
		Process lives = null;
		Process next = null;
		try {
			ProcessHandle host = ProcessHandle.of(pidOfHost(killed)).orElseThrow();
			Path left = age(list(temporary).get(0));
			lives = application(temporary, rings).start();
			pidOfHost(lives);
			assertThat(list(temporary)).hasSize(2).contains(left);
			Path used = list(temporary).stream().filter((path) -> !path.equals(left)).findAny().orElseThrow();
			signal("STOP", killed.pid());
			signal("KILL", host.pid());
			signal("KILL", killed.pid());
			Awaitility.await().atMost(LIMIT).until(() -> !killed.isAlive() && !host.isAlive());
			assertThat(age(left)).exists();
			age(used);
			next = application(temporary, rings).start();
			pidOfHost(next);
			assertThat(list(temporary)).hasSize(2).contains(used).doesNotContain(left);
		}
		finally {
			end(killed);
			end(lives);
			end(next);
		}
	}

	private static void end(@Nullable Process application) throws Exception {
		if (application != null) {
			application.destroyForcibly().waitFor();
		}
	}

	private static Path age(Path directory) throws IOException {
		return Files.setLastModifiedTime(directory, FileTime.from(Instant.now().minus(Duration.ofHours(1))));
	}

	private static List<Path> list(Path directory) throws IOException {
		try (Stream<Path> files = Files.list(directory)) {
			return files.toList();
		}
	}

	private static void signal(String signal, long process) throws Exception {
		assertThat(new ProcessBuilder("kill", "-" + signal, String.valueOf(process)).start().waitFor()).isZero();
	}

	/** The port of a debugger is taken by the application. */
	@Test
	void optionsForEveryJvmAreLeftToTheApplication() throws Exception {
		ProcessBuilder builder = application(Files.createDirectory(this.directory.resolve("tmp")), this.directory);
		String debugger = "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:" + freePort();
		builder.environment().put("_JAVA_OPTIONS", debugger);
		Process application = builder.start();
		try {
			assertThat(pidOfHost(application)).isPositive();
		}
		finally {
			application.destroyForcibly().waitFor();
		}
	}

	private static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
	}

	private ProcessBuilder application(Path temporary, Path rings) {
		return new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
				System.getProperty("java.class.path"), "-XX:-UsePerfData", "-XX:-CreateCoredumpOnCrash",
				"-XX:ErrorFile=" + this.directory.resolve("crash.log"), "-Djava.io.tmpdir=" + temporary,
				ApplicationProcess.class.getName(), rings.toString())
			.redirectErrorStream(true);
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
		assertThat(list(directory)).isEmpty();
	}

	private static boolean isIgnored(int signal) throws IOException {
		Path status = Path.of("/proc/self/status");
		if (!Files.exists(status)) {
			return false;
		}
		String mask = Files.readAllLines(status)
			.stream()
			.filter((line) -> line.startsWith("SigIgn:"))
			.findFirst()
			.orElseThrow()
			.substring("SigIgn:".length())
			.trim();
		return (Long.parseUnsignedLong(mask, 16) >>> (signal - 1) & 1) != 0;
	}

	/** A terminal and a service manager send a signal to all processes. */
	@ParameterizedTest
	@CsvSource({ "TERM, 15", "INT, 2", "HUP, 1" })
	void aSignalThatTheApplicationGetsAsWellDoesNotEndTheHost(String signal, int number) throws Exception {
		Assumptions.assumeFalse(isIgnored(number), signal + " is ignored by this process, as under nohup");
		KernelHostProvider provider = new KernelHostProvider(new DeviceHostMain.Device(), DeviceHostMain.class,
				new HostOptions(this.directory, LIMIT, LIMIT, HostOptions.STUCK_AFTER));
		ProcessHandle host;
		ListAppender<ILoggingEvent> log = new ListAppender<>();
		log.start();
		Logger output = (Logger) LoggerFactory.getLogger("io.ringkernel.cuda.host.output");
		output.setLevel(Level.INFO);
		output.addAppender(log);
		try (RingKernelRuntime runtime = RingKernelRuntime.open(PlanRequest.AUTO, List.of(provider))) {
			Kernel<Number, Number> kernel = runtime.define(DeviceHostMain.kernel("numbers", KernelOptions.DEFAULTS));
			kernel.launch();
			kernel.activate();
			host = ProcessHandle.of(provider.hosts().get(0).pid()).orElseThrow();
			new ProcessBuilder("kill", "-" + signal, String.valueOf(host.pid())).start().waitFor();
			Awaitility.await()
				.atMost(LIMIT)
				.until(() -> List.copyOf(log.list)
					.stream()
					.anyMatch((event) -> event.getFormattedMessage().contains("A signal is left to the application")));
			assertThat(kernel.client().call(new Number(21)).value()).isEqualTo(42);
			assertThat(kernel.status().plan().backend()).isEqualTo(BackendKind.CUDA);
			assertThat(provider.hosts().get(0).pid()).isEqualTo(host.pid());
		}
		finally {
			output.detachAppender(log);
			output.setLevel(null);
		}
		Awaitility.await().atMost(LIMIT).until(() -> !host.isAlive());
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
				HostFrame hello = HostFrame.read(new DataInputStream(Channels.newInputStream(application)));
				assertThat(hello.kind()).isEqualTo(HostFrame.Kind.HELLO);
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
				new HostOptions(this.directory, LIMIT, LIMIT, HostOptions.STUCK_AFTER));
		assertThat(provider.plan(PlanRequest.AUTO)).isInstanceOfSatisfying(PlanOffer.Refused.class,
				(refused) -> assertThat(refused.reason()).contains("it has sent what is no frame"));
		Awaitility.await().atMost(LIMIT).until(() -> provider.hosts().get(0).crashes() == 1);
		assertThat(provider.hosts().get(0).pid()).isZero();
	}

	@Test
	void aPeerThatGreetsByteByByteDoesNotKeepTheHostOut() {
		KernelHostProvider provider = new KernelHostProvider(new DeviceHostMain.Device(), TricklingHostMain.class,
				new HostOptions(this.directory, LIMIT, Duration.ofSeconds(2), HostOptions.STUCK_AFTER));
		try (RingKernelRuntime runtime = RingKernelRuntime.open(PlanRequest.AUTO, List.of(provider))) {
			Kernel<Number, Number> kernel = runtime.define(DeviceHostMain.kernel("numbers", KernelOptions.DEFAULTS));
			kernel.launch();
			kernel.activate();
			assertThat(kernel.client().call(new Number(21), LIMIT)).isEqualTo(new Number(42));
			assertThat(provider.hosts().get(0).pid()).isPositive();
		}
	}

	@Test
	void aMainClassThatIsNoHostIsReported() {
		KernelHostProvider provider = new KernelHostProvider(new DeviceHostMain.Device(), HostLifeTests.class,
				new HostOptions(this.directory, LIMIT, LIMIT, HostOptions.STUCK_AFTER));
		assertThat(provider.plan(PlanRequest.AUTO)).isInstanceOfSatisfying(PlanOffer.Refused.class,
				(refused) -> assertThat(refused.reason()).contains("it ended at once, with exit status 1"));
	}

}
