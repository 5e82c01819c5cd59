package io.ringkernel.spring.dashboard;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Iterator;
import java.util.stream.Stream;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A client of the dashboard's events.
 */
final class EventStream implements AutoCloseable {

	private final HttpResponse<Stream<String>> response;

	private final Iterator<String> lines;

	private EventStream(HttpResponse<Stream<String>> response) {
		this.response = response;
		this.lines = response.body().iterator();
	}

	static EventStream open(String dashboard) throws IOException, InterruptedException {
		HttpRequest request = HttpRequest.newBuilder(URI.create(dashboard + "/events"))
			.timeout(Duration.ofSeconds(30))
			.header("Accept", "text/event-stream, application/problem+json")
			.build();
		return new EventStream(HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofLines()));
	}

	int status() {
		return this.response.statusCode();
	}

	/**
	 * The next line that says something.
	 */
	JsonNode next() {
		while (true) {
			String line = this.lines.next();
			if (!line.isEmpty()) {
				return new JsonMapper().readTree(line.startsWith("data:") ? line.substring("data:".length()) : line);
			}
		}
	}

	/**
	 * Reads until there is no more.
	 */
	void drain() {
		this.lines.forEachRemaining((line) -> {
		});
	}

	@Override
	public void close() {
		this.response.body().close();
	}

}
