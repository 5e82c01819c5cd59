package io.ringkernel.sampletest.http;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.HdrHistogram.Histogram;

/**
 * Keeps one request in flight on each of several connections, from one thread.
 */
final class LoadGenerator {

	/** Without an event for so long, the server has stopped. */
	private static final Duration SILENCE = Duration.ofSeconds(10);

	private final InetSocketAddress address;

	private final int connections;

	LoadGenerator(URI server, int connections) {
		this.address = new InetSocketAddress(server.getHost(), server.getPort());
		this.connections = connections;
	}

	/**
	 * Posts a body again and again. A response that is not 200 or lacks the expected text
	 * ends it.
	 */
	Load post(String path, String body, String expected, Duration duration) throws IOException {
		byte[] request = """
				POST %s HTTP/1.1\r
				Host: localhost\r
				Content-Type: application/json\r
				Content-Length: %d\r
				\r
				%s""".formatted(path, body.length(), body).getBytes(StandardCharsets.US_ASCII);
		List<LoadConnection> opened = new ArrayList<>();
		try (Selector selector = Selector.open()) {
			for (int i = 0; i < this.connections; i++) {
				LoadConnection connection = new LoadConnection(this.address, request);
				opened.add(connection);
				connection.register(selector);
			}
			return run(selector, opened, expected, duration.toNanos());
		}
		finally {
			for (LoadConnection connection : opened) {
				connection.close();
			}
		}
	}

	private static Load run(Selector selector, List<LoadConnection> connections, String expected, long nanos)
			throws IOException {
		Histogram latencies = new Histogram(Duration.ofMinutes(1).toNanos(), 3);
		long start = System.nanoTime();
		for (LoadConnection connection : connections) {
			connection.send();
		}
		int open = connections.size();
		while (open > 0) {
			if (selector.select(SILENCE.toMillis()) == 0) {
				throw new IOException("No response within %d s.".formatted(SILENCE.toSeconds()));
			}
			for (SelectionKey key : selector.selectedKeys()) {
				LoadConnection connection = (LoadConnection) key.attachment();
				if (connection.receive()) {
					latencies.recordValue(connection.latency());
					check(connection.received(), expected);
					if (System.nanoTime() - start < nanos) {
						connection.send();
					}
					else {
						open--;
					}
				}
			}
			selector.selectedKeys().clear();
		}
		return new Load(latencies, System.nanoTime() - start);
	}

	private static void check(String response, String expected) throws IOException {
		if (!response.startsWith("HTTP/1.1 200") || !response.contains(expected)) {
			throw new IOException("Not the response that was expected: " + response);
		}
	}

	/**
	 * What was seen.
	 *
	 * @param latencies in nanoseconds
	 * @param nanos how long it took in all
	 */
	record Load(Histogram latencies, long nanos) {

		double perSecond() {
			return this.latencies.getTotalCount() * 1e9 / this.nanos;
		}

	}

}
