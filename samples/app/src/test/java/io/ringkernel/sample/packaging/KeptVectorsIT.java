package io.ringkernel.sample.packaging;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

import io.ringkernel.sample.neighbours.BruteForce;
import io.ringkernel.sampletest.SampleClient;
import io.ringkernel.sampletest.SampleProcess;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The vectors of the sample outlive the application, and the process that uses the
 * device. The system property {@code ringkernel.sample.plan} is that of
 * {@link SampleProcessIT}.
 */
@Tag("every-platform")
class KeptVectorsIT {

	private static final boolean ON_DEVICE = System.getProperty("ringkernel.sample.plan", "cpu").startsWith("cuda/");

	private static final Path JAR = Path.of(System.getProperty("ringkernel.sample.jar", "target/sample-app.jar"))
		.toAbsolutePath();

	private static final Duration LIMIT = Duration.ofMinutes(1);

	private static final JsonMapper JSON = new JsonMapper();

	private final Random random = new Random(11);

	private final List<float[]> vectors = IntStream.range(0, 200)
		.mapToObj((id) -> BruteForce.vector(this.random, 128))
		.toList();

	private final float[] query = BruteForce.vector(this.random, 128);

	@TempDir
	private Path directory;

	@Test
	void theNextApplicationFindsThem() throws Exception {
		try (SampleProcess sample = start()) {
			add(sample.client());
			sample.terminate();
			sample.awaitExit();
		}
		try (SampleProcess sample = start()) {
			assertThat(found(sample.client())).isEqualTo(nearest());
			assertThat(keptState(sample.client()).path("restoredFrom").asString()).isNotBlank();
		}
	}

	@Test
	void theNextKernelHostFindsThem() throws Exception {
		try (SampleProcess sample = start()) {
			add(sample.client());
			long host = sample.client().get("/actuator/ringkernels").at("/platform/hosts/0/pid").asLong();
			Assumptions.assumeTrue(host != 0, "no kernel host uses a device here");
			awaitSnapshot(sample.client());
			// That may have begun before the vectors were there.
			awaitSnapshot(sample.client());
			ProcessHandle.of(host).orElseThrow().destroyForcibly();
			// A request that the host was handling is lost.
			await().atMost(LIMIT)
				.ignoreException(IOException.class)
				.untilAsserted(() -> assertThat(found(sample.client())).isEqualTo(nearest()));
			assertThat(sample.client().get("/actuator/ringkernels").at("/platform/hosts/0/pid").asLong())
				.isNotEqualTo(host);
		}
	}

	private void awaitSnapshot(SampleClient client) throws Exception {
		String before = keptState(client).path("savedAt").asString("");
		await().atMost(LIMIT).until(() -> {
			// Without a request, there is nothing new to save.
			found(client);
			return !keptState(client).path("savedAt").asString("").equals(before);
		});
	}

	private SampleProcess start() throws Exception {
		String kernel = "--ringkernel.kernels.nearest-neighbours.";
		List<String> arguments = new ArrayList<>(List
			.of(kernel + "snapshot-directory=" + this.directory.resolve("state"), kernel + "snapshot-every=100ms"));
		if (!ON_DEVICE) {
			arguments.add("--ringkernel.backend=cpu");
		}
		return SampleProcess.start(JAR, this.directory, arguments);
	}

	private void add(SampleClient client) throws Exception {
		client.post("/api/neighbours/vectors",
				JSON.writeValueAsString(Map.of("vectors",
						IntStream.range(0, this.vectors.size())
							.mapToObj((id) -> Map.of("id", id, "vector", this.vectors.get(id)))
							.toList())));
		assertThat(found(client)).isEqualTo(nearest());
	}

	private List<Integer> found(SampleClient client) throws Exception {
		return client.post("/api/neighbours/query", JSON.writeValueAsString(Map.of("vector", this.query, "k", 10)))
			.path("neighbours")
			.valueStream()
			.map((neighbour) -> neighbour.path("id").asInt())
			.toList();
	}

	private List<Integer> nearest() {
		return IntStream.range(0, this.vectors.size())
			.boxed()
			.sorted(Comparator.comparing((id) -> BruteForce.squaredDistance(this.vectors.get(id), this.query)))
			.limit(10)
			.toList();
	}

	private static JsonNode keptState(SampleClient client) throws Exception {
		return client.get("/actuator/ringkernels/nearest-neighbours").path("keptState");
	}

}
