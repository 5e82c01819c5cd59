package io.ringkernel.sample.image;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

import org.testcontainers.containers.GenericContainer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Asks the application in a container.
 */
final class SampleClient {

	private static final JsonMapper JSON = new JsonMapper();

	private final HttpClient http = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();

	private final URI base;

	SampleClient(GenericContainer<?> container) {
		this.base = URI
			.create("http://%s:%d".formatted(container.getHost(), container.getMappedPort(SampleImage.PORT)));
	}

	JsonNode get(String path) throws IOException, InterruptedException {
		return send(request(path).GET());
	}

	JsonNode post(String path, String json) throws IOException, InterruptedException {
		return send(request(path).header("Content-Type", "application/json")
			.POST(HttpRequest.BodyPublishers.ofString(json)));
	}

	private HttpRequest.Builder request(String path) {
		return HttpRequest.newBuilder(this.base.resolve(path)).timeout(Duration.ofSeconds(30));
	}

	private JsonNode send(HttpRequest.Builder request) throws IOException, InterruptedException {
		HttpResponse<String> response = this.http.send(request.build(), HttpResponse.BodyHandlers.ofString());
		if (response.statusCode() != 200) {
			throw new IOException("%s: %d %s".formatted(response.uri(), response.statusCode(), response.body()));
		}
		return JSON.readTree(response.body());
	}

}
