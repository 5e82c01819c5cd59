package io.ringkernel.sampletest;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Asks the application in another process or in a container.
 */
public final class SampleClient {

	private static final JsonMapper JSON = new JsonMapper();

	private final HttpClient http = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();

	private final URI base;

	/**
	 * Creates a client.
	 * @param host where the application runs
	 * @param port the port that it listens on
	 */
	public SampleClient(String host, int port) {
		this.base = URI.create("http://%s:%d".formatted(host, port));
	}

	/**
	 * The address of the application.
	 */
	public URI base() {
		return this.base;
	}

	/**
	 * Returns what is answered with 200.
	 */
	public JsonNode get(String path) throws IOException, InterruptedException {
		return get(path, 200);
	}

	/**
	 * Returns what is answered with the expected status.
	 */
	public JsonNode get(String path, int status) throws IOException, InterruptedException {
		return send(request(path).GET(), status);
	}

	/**
	 * Returns what is answered with 200.
	 */
	public JsonNode post(String path, String json) throws IOException, InterruptedException {
		return post(path, json, 200);
	}

	/**
	 * Returns what is answered with the expected status.
	 */
	public JsonNode post(String path, String json, int status) throws IOException, InterruptedException {
		return send(request(path).header("Content-Type", "application/json")
			.POST(HttpRequest.BodyPublishers.ofString(json)), status);
	}

	/**
	 * How many requests the application is busy with, this one included. Its endpoint
	 * {@code metrics} has to be exposed.
	 */
	public int requestsInFlight() throws IOException, InterruptedException {
		for (JsonNode measurement : get("/actuator/metrics/http.server.requests.active").path("measurements")) {
			if (measurement.path("statistic").asString().equals("ACTIVE_TASKS")) {
				return measurement.path("value").asInt();
			}
		}
		throw new IllegalStateException("http.server.requests.active has no ACTIVE_TASKS");
	}

	/**
	 * Whether the application has started.
	 */
	public boolean isReady() throws InterruptedException {
		return answers("/readyz");
	}

	/**
	 * Whether the application takes no requests any more. While it stops it is not ready
	 * before that, but still alive.
	 */
	public boolean isRefused() throws InterruptedException {
		return !answers("/livez");
	}

	private boolean answers(String path) throws InterruptedException {
		try {
			get(path);
			return true;
		}
		catch (IOException ex) {
			return false;
		}
	}

	private HttpRequest.Builder request(String path) {
		return HttpRequest.newBuilder(this.base.resolve(path)).timeout(Duration.ofSeconds(30));
	}

	/**
	 * Returns what is answered with 200, be it JSON or not.
	 */
	public String text(String path) throws IOException, InterruptedException {
		return sendForText(request(path).GET(), 200);
	}

	private JsonNode send(HttpRequest.Builder request, int status) throws IOException, InterruptedException {
		return JSON.readTree(sendForText(request, status));
	}

	private String sendForText(HttpRequest.Builder request, int status) throws IOException, InterruptedException {
		HttpResponse<String> response = this.http.send(request.build(), HttpResponse.BodyHandlers.ofString());
		if (response.statusCode() != status) {
			throw new IOException("%s: %d instead of %d, %s".formatted(response.uri(), response.statusCode(), status,
					response.body()));
		}
		return response.body();
	}

}
