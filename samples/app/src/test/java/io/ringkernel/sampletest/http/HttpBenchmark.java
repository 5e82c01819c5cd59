package io.ringkernel.sampletest.http;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;

import io.ringkernel.sampletest.http.LoadGenerator.Load;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Compares the requests per second of two endpoints of one process: the one calls the
 * handler through the ring, the other calls it directly. Prints what was seen and judges
 * nothing. Runs on demand only, by its name.
 */
class HttpBenchmark {

	private static final int CONNECTIONS = 32;

	private static final String BODY = "{\"a\":[1,2,3],\"b\":[10,20,30]}";

	private static final String SUM = "{\"sum\":[11.0,22.0,33.0]}";

	private static final Duration WARM_UP = Duration.ofSeconds(8);

	private static final Duration ROUND = Duration.ofSeconds(2);

	private static final int ROUNDS = Integer.getInteger("ringkernel.bench.rounds", 10);

	private static final Pattern PORT = Pattern.compile("Tomcat started on port (\\d+)");

	@Test
	void throughTheRingBesideDirectly(@TempDir Path directory) throws Exception {
		Path log = directory.resolve("server.log");
		Process server = start(log);
		try {
			await().atMost(Duration.ofMinutes(2)).until(() -> hasStarted(log) || !server.isAlive());
			assertThat(server.isAlive()).as("The server runs%n%s", Files.readString(log)).isTrue();
			compare(new LoadGenerator(address(log), CONNECTIONS), server);
		}
		finally {
			server.destroy();
			server.onExit().join();
		}
	}

	private static Process start(Path log) throws IOException {
		return new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xms512m",
				"-Xmx512m", "-XX:+AlwaysPreTouch", "-Dspring.devtools.restart.enabled=false", "-cp",
				System.getProperty("java.class.path"), HttpBenchmarkApplication.class.getName(), "--server.port=0",
				"--ringkernel.backend=cpu", "--sample.validation.enabled=false",
				"--server.tomcat.max-keep-alive-requests=-1")
			.redirectErrorStream(true)
			.redirectOutput(log.toFile())
			.start();
	}

	private static boolean hasStarted(Path log) throws IOException {
		return Files.readString(log).contains("Started HttpBenchmarkApplication");
	}

	private static URI address(Path log) throws IOException {
		Matcher port = PORT.matcher(Files.readString(log));
		assertThat(port.find()).isTrue();
		return URI.create("http://localhost:" + port.group(1));
	}

	private static void compare(LoadGenerator load, Process server) throws IOException {
		Endpoint direct = new Endpoint("direct", load, server);
		Endpoint ring = new Endpoint("ring", load, server);
		for (Endpoint endpoint : List.of(direct, ring, direct, ring)) {
			load.post(endpoint.path(), BODY, SUM, WARM_UP.dividedBy(2));
		}
		double[] ratios = new double[ROUNDS];
		for (int i = 0; i < ROUNDS; i++) {
			// The one that goes first changes, because the machine may not stay as quick.
			double first = ((i % 2 == 0) ? direct : ring).round();
			double second = ((i % 2 == 0) ? ring : direct).round();
			ratios[i] = (i % 2 == 0) ? second / first : first / second;
		}
		direct.print();
		ring.print();
		double[] sorted = DoubleStream.of(ratios).sorted().toArray();
		System.out.printf(Locale.ROOT, "ring / direct: median %.3f, from %.3f to %.3f, %d rounds, %d cores%n",
				(sorted[(ROUNDS - 1) / 2] + sorted[ROUNDS / 2]) / 2, sorted[0], sorted[ROUNDS - 1], ROUNDS,
				Runtime.getRuntime().availableProcessors());
		System.out.printf(Locale.ROOT, "CPU time, direct / ring: %.3f%n", direct.cpuMicros() / ring.cpuMicros());
	}

	private static final class Endpoint {

		private final String name;

		private final LoadGenerator load;

		private final ProcessHandle server;

		private final Histogram latencies = new Histogram(Duration.ofMinutes(1).toNanos(), 3);

		private long nanos;

		private Duration cpu = Duration.ZERO;

		Endpoint(String name, LoadGenerator load, Process server) {
			this.name = name;
			this.load = load;
			this.server = server.toHandle();
		}

		String path() {
			return "/benchmark/" + this.name;
		}

		double round() throws IOException {
			Duration before = cpu();
			Load seen = this.load.post(path(), BODY, SUM, ROUND);
			this.cpu = this.cpu.plus(cpu().minus(before));
			this.latencies.add(seen.latencies());
			this.nanos += seen.nanos();
			return seen.perSecond();
		}

		private Duration cpu() {
			return this.server.info().totalCpuDuration().orElse(Duration.ZERO);
		}

		void print() {
			long count = this.latencies.getTotalCount();
			System.out.printf(Locale.ROOT,
					"%-6s %7.0f requests/s, p50 %d us, p99 %d us, %.1f us of the server's CPU time a request%n",
					this.name, count * 1e9 / this.nanos, this.latencies.getValueAtPercentile(50) / 1000,
					this.latencies.getValueAtPercentile(99) / 1000, cpuMicros());
		}

		double cpuMicros() {
			return this.cpu.toNanos() / 1000.0 / this.latencies.getTotalCount();
		}

	}

}
