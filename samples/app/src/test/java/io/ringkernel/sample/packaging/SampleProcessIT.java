package io.ringkernel.sample.packaging;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

import io.ringkernel.sample.neighbours.BruteForce;
import io.ringkernel.sampletest.HeldRequests;
import io.ringkernel.sampletest.SampleClient;
import io.ringkernel.sampletest.SampleProcess;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The application as it is deployed, from its start to its end, over HTTP. The system
 * property {@code ringkernel.sample.plan} says how its kernels are expected to be run,
 * such as {@code cuda/persistent/mapped}: {@code native/gpu/run.sh} sets it on a host
 * with a GPU, and continuous integration on the emulated driver. Without, it is the CPU
 * backend.
 */
@Tag("every-platform")
class SampleProcessIT {

	private static final String PLAN = System.getProperty("ringkernel.sample.plan", "cpu/persistent/direct");

	private static final Path JAR = Path.of(System.getProperty("ringkernel.sample.jar", "target/sample-app.jar"))
		.toAbsolutePath();

	/**
	 * The plan of each kernel. The emulated driver runs no PTX that was compiled of Java.
	 */
	private static final Map<String, String> PLANS = Map.of("vector-add", PLAN, "nearest-neighbours",
			System.getProperty("ringkernel.sample.neighbours-plan", PLAN));

	private static final List<String> OBSERVED = List.of("/actuator/health", "/actuator/ringkernels",
			"/actuator/ringkernels/vector-add", "/actuator/metrics/ringkernel.requests.timed.out",
			"/actuator/prometheus");

	/** The {@code request-timeout} of the kernel that adds vectors. */
	private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(2);

	/** Of a machine with much else to do: far less than a driver may be held up. */
	private static final Duration SLACK = Duration.ofSeconds(2);

	private static final int DIMENSIONS = 128;

	/** What a JVM ends with that SIGTERM has stopped. */
	private static final int TERMINATED = 143;

	private static final JsonMapper JSON = new JsonMapper();

	@TempDir
	private static Path directory;

	private static SampleProcess sample;

	private static SampleClient client;

	@BeforeAll
	static void start() throws Exception {
		sample = startSample();
		client = sample.client();
	}

	@AfterAll
	static void stop() {
		if (sample != null) {
			sample.close();
		}
	}

	/**
	 * A device is taken because it is there: only the CPU backend is asked for.
	 */
	private static SampleProcess startSample() throws Exception {
		List<String> arguments = new ArrayList<>(
				List.of("--management.endpoints.web.exposure.include=health,metrics,prometheus,ringkernels",
						"--management.endpoint.ringkernels.access=unrestricted"));
		if (PLAN.startsWith("cpu/")) {
			arguments.add("--ringkernel.backend=cpu");
		}
		return SampleProcess.start(JAR, directory, arguments);
	}

	@Test
	void tellsHowItsKernelsAreRunAndWhy(TestReporter reporter) throws Exception {
		JsonNode platform = client.get("/actuator/ringkernels").path("platform");
		reporter.publishEntry("platform", platform.toString());
		assertThat(plan(platform.path("plan"))).isEqualTo(PLAN);
		assertThat(platform.at("/plan/reasons")).isNotEmpty().allMatch((reason) -> !reason.asString().isBlank());
		if (PLAN.startsWith("cuda/")) {
			assertThat(platform.path("device").asString()).isNotEmpty();
			assertThat(platform.path("compute-capability").asString()).matches("\\d+\\.\\d");
		}
		assertThat(sample.output()).contains("Ring kernels run on backend '%s'".formatted(PLAN.split("/")[0]));
	}

	@Test
	void showsTheHealthOfEveryKernel() throws Exception {
		JsonNode health = client.get("/actuator/health").at("/components/ringKernel/components");
		PLANS.forEach((id, plan) -> {
			assertThat(health.path(id).path("status").asString()).isEqualTo("UP");
			JsonNode details = health.path(id).path("details");
			assertThat(plan(details)).isEqualTo(plan);
			assertThat(details.path("state").asString()).isEqualTo("ACTIVE");
			assertThat(details.path("slots").asInt()).isPositive();
		});
	}

	@Test
	void showsTheHealthOfWhatKernelsRunOn() throws Exception {
		JsonNode platform = client.get("/actuator/health").at("/components/ringKernelPlatform");
		assertThat(platform.path("status").asString()).isEqualTo("UP");
		assertThat(plan(platform.at("/details/plan"))).isEqualTo(PLAN);
		assertThat(platform.at("/details/plan/reasons")).isNotEmpty();
		assertThat(platform.at("/details").has("device")).isEqualTo(PLAN.startsWith("cuda/"));
	}

	@Test
	void isStartedOnceItsKernelComputesAsJavaDoes() {
		String[] plan = PLAN.split("/");
		assertThat(sample.output()).contains("'vector-add' against plain Java: backend %s, mode %s, transport %s ("
			.formatted(plan[0], plan[1], plan[2]));
		for (int elements : new int[] { 10, 25, 100, 4096 }) {
			assertThat(sample.output()).containsPattern(" %d +\\d+\\.\\d  passed".formatted(elements));
		}
	}

	private static String plan(JsonNode node) {
		return "%s/%s/%s".formatted(node.path("backend").asString(), node.path("mode").asString(),
				node.path("transport").asString());
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 10, 25, 100, 4096 })
	void addsVectors(int length) throws Exception {
		long before = processed("vector-add");
		assertThat(add(length)).isEqualTo(expectedSum(length));
		assertThat(processed("vector-add")).isGreaterThan(before);
	}

	@Test
	void addsVectorsForManyAtOnce() throws Exception {
		ExecutorService callers = Executors.newFixedThreadPool(8);
		try {
			List<Callable<float[]>> calls = IntStream.rangeClosed(1, 200)
				.mapToObj((length) -> (Callable<float[]>) () -> add(length))
				.toList();
			List<Future<float[]>> sums = callers.invokeAll(calls, 2, TimeUnit.MINUTES);
			for (int i = 0; i < sums.size(); i++) {
				assertThat(sums.get(i).get()).isEqualTo(expectedSum(i + 1));
			}
		}
		finally {
			callers.shutdownNow();
		}
	}

	/**
	 * Under WSL2, each call of the driver waits for the kernel that runs: an observer is
	 * to wait for neither.
	 */
	@Test
	void isObservedWithinADeadlineWhileItsKernelIsBusy() throws Exception {
		long before = processed("vector-add");
		AtomicBoolean done = new AtomicBoolean();
		ExecutorService callers = Executors.newFixedThreadPool(4);
		try {
			List<Future<?>> calls = IntStream.range(0, 4).<Future<?>>mapToObj((caller) -> callers.submit(() -> {
				while (!done.get()) {
					assertThat(add(1000)).isEqualTo(expectedSum(1000));
				}
				return null;
			})).toList();
			await().atMost(REQUEST_TIMEOUT.multipliedBy(10)).until(() -> processed("vector-add") > before);
			long busy = processed("vector-add");
			for (int round = 0; round < 10; round++) {
				for (String path : OBSERVED) {
					long begin = System.nanoTime();
					assertThat(client.text(path)).isNotBlank();
					assertThat(Duration.ofNanos(System.nanoTime() - begin)).as(path)
						.isLessThan(REQUEST_TIMEOUT.plus(SLACK));
				}
			}
			await().atMost(REQUEST_TIMEOUT.multipliedBy(10)).until(() -> processed("vector-add") > busy);
			done.set(true);
			for (Future<?> call : calls) {
				call.get(1, TimeUnit.MINUTES);
			}
		}
		finally {
			done.set(true);
			callers.shutdownNow();
		}
	}

	private static float[] add(int length) throws Exception {
		JsonNode sum = client
			.post("/api/vector-add", JSON.writeValueAsString(Map.of("a", ascending(length), "b", halves(length))))
			.path("sum");
		return JSON.treeToValue(sum, float[].class);
	}

	private static float[] ascending(int length) {
		float[] values = new float[length];
		for (int i = 0; i < length; i++) {
			values[i] = i;
		}
		return values;
	}

	private static float[] halves(int length) {
		float[] values = new float[length];
		Arrays.fill(values, 0.5f);
		return values;
	}

	private static float[] expectedSum(int length) {
		float[] sum = ascending(length);
		for (int i = 0; i < length; i++) {
			sum[i] += 0.5f;
		}
		return sum;
	}

	private static long processed(String id) throws Exception {
		return client.get("/actuator/ringkernels/" + id).path("processed").asLong();
	}

	@Test
	void answersAMistakeWithAProblemThatNamesTheField() throws Exception {
		JsonNode problem = client.post("/api/vector-add", "{\"a\":[1,2,3],\"b\":[10,20]}", 400);
		assertThat(problem.path("field").asString()).isEqualTo("b");
		assertThat(problem.path("limit").asInt()).isEqualTo(3);
	}

	@Test
	void findsTheNearestNeighbours() throws Exception {
		Random random = new Random(7);
		List<float[]> vectors = IntStream.range(0, 1000)
			.mapToObj((id) -> BruteForce.vector(random, DIMENSIONS))
			.toList();
		client.post("/api/neighbours/vectors",
				JSON.writeValueAsString(Map.of("vectors",
						IntStream.range(0, vectors.size())
							.mapToObj((id) -> Map.of("id", id, "vector", vectors.get(id)))
							.toList())));
		assertThat(client.get("/api/neighbours").path("size").asInt()).isEqualTo(vectors.size());
		for (int k : new int[] { 1, 10, 100 }) {
			float[] query = BruteForce.vector(random, DIMENSIONS);
			JsonNode found = client.post("/api/neighbours/query",
					JSON.writeValueAsString(Map.of("vector", query, "k", k)));
			assertThat(found.path("neighbours").valueStream().map((neighbour) -> neighbour.path("id").asInt()))
				.containsExactlyElementsOf(nearest(vectors, query, k));
		}
	}

	/**
	 * By distance, and of two at the same distance the lower id first.
	 */
	private static List<Integer> nearest(List<float[]> vectors, float[] query, int k) {
		return IntStream.range(0, vectors.size())
			.boxed()
			.sorted(Comparator.comparing((Integer id) -> BruteForce.squaredDistance(vectors.get(id), query)))
			.limit(k)
			.toList();
	}

	@Test
	void aDeactivatedKernelIsUnavailableUntilItIsActivated() throws Exception {
		assertThat(act("deactivate")).isEqualTo("INACTIVE");
		assertUnavailable("INACTIVE", "OUT_OF_SERVICE");
		assertThat(act("activate")).isEqualTo("ACTIVE");
		assertThat(add(25)).isEqualTo(expectedSum(25));
		assertThat(client.get("/actuator/health").path("status").asString()).isEqualTo("UP");
	}

	@Test
	void aTerminatedKernelIsUnavailableUntilItIsRelaunched() throws Exception {
		for (int i = 0; i < 3; i++) {
			assertThat(act("terminate")).isEqualTo("TERMINATED");
			assertUnavailable("TERMINATED", "OUT_OF_SERVICE");
			assertThat(act("relaunch")).isEqualTo("ACTIVE");
			assertThat(add(25)).isEqualTo(expectedSum(25));
		}
		assertThat(plan(client.get("/actuator/ringkernels/vector-add"))).isEqualTo(PLAN);
	}

	private static void assertUnavailable(String state, String status) throws Exception {
		assertThat(client.post("/api/vector-add", "{\"a\":[1],\"b\":[2]}", 503).path("detail").asString())
			.contains("'vector-add' takes no requests: it is " + state);
		assertThat(client.get("/actuator/health", 503)
			.at("/components/ringKernel/components/vector-add/status")
			.asString()).isEqualTo(status);
		// The other kernel is none the worse for it.
		client.get("/api/neighbours");
	}

	private static String act(String action) throws Exception {
		return client.post("/actuator/ringkernels/vector-add", "{\"action\":\"%s\"}".formatted(action))
			.path("state")
			.asString();
	}

	@Test
	void answersWhatIsInFlightWhenItIsTerminated() throws Exception {
		try (SampleProcess stopped = startSample(); HeldRequests held = HeldRequests.hold(stopped.client(), 16)) {
			stopped.terminate();
			held.areAnsweredThoughOthersAreRefused();
			assertThat(stopped.awaitExit()).isEqualTo(TERMINATED);
			assertThat(stopped.output()).contains("Graceful shutdown complete").doesNotContain(" ERROR ");
		}
	}

}
