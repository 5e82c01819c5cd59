package io.ringkernel.sample.stream;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

import com.jayway.jsonpath.JsonPath;
import io.micrometer.core.instrument.MeterRegistry;
import io.ringkernel.RingKernelClient;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import io.ringkernel.sample.stream.kernel.CardRequest;
import io.ringkernel.sample.stream.kernel.CardResponse;
import io.ringkernel.sample.stream.kernel.FraudModel;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.cloud.stream.binding.BindingsLifecycleController;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;
import org.springframework.web.client.RestClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.awaitility.Awaitility.await;

/**
 * Tests of one node with a broker.
 */
@Tag("every-platform")
class TransactionListenerTests {

	private static final int PARTITIONS = 2;

	private static final int CARDS_PER_PARTITION = 200;

	private static final long COUNT = 1500;

	private static final Duration LONGEST = Duration.ofMinutes(1);

	private static final float FLAG_ABOVE = 0.1f;

	private static final Pattern METRIC = Pattern.compile("\\b(card|ringkernel)_[a-z_]+");

	private static final PlainForest FIRST = PlainForest.first();

	private static final byte[] NEXT_MODEL = FraudTraining.train(2, 50_000, 20);

	private static StreamCluster cluster;

	private static ConfigurableApplicationContext node;

	private static LoadProducer producer;

	@BeforeAll
	static void start(@TempDir Path directory) throws Exception {
		cluster = new StreamCluster(directory, PARTITIONS);
		producer = cluster.producer();
		node = new SpringApplicationBuilder(StreamApplication.class, DisturbedScoring.class)
			.properties("ringkernel.backend=cpu", "card-stream.cards-per-partition=" + CARDS_PER_PARTITION,
					"card-stream.flag-above=" + FLAG_ABOVE)
			.run(cluster.arguments().toArray(String[]::new));
	}

	@AfterAll
	static void stop() {
		node.close();
		producer.close();
		cluster.close();
	}

	@Test
	void scoresAreThoseOfAnOracle() throws Exception {
		Workload workload = new Workload(1, 1, 50);
		send(workload, 0, COUNT);
		assertThat(Oracle.differences(workload, COUNT, scoresOf(workload), FIRST, PlainForest.of(NEXT_MODEL)))
			.isEmpty();
	}

	@Test
	void stateIsThatBeforeATransactionThatWasAborted() throws Exception {
		assertScoresAreThoseOfAnOracle(new Workload(2, 1001, 50), () -> {
			throw new TimeoutException("After the requests were handled");
		});
	}

	@Test
	void nothingIsSkippedIfTheProducerIsFenced() throws Exception {
		assertScoresAreThoseOfAnOracle(new Workload(4, 3001, 50), () -> {
			cluster.fenceProducers();
			return null;
		});
	}

	@Test
	void everyScoreAndDeadLetterThatIsCommittedIsCountedOnce() throws Exception {
		Workload workload = new Workload(7, 6001, 50);
		Map<String, Double> before = counts();
		send(workload, 0, COUNT / 2);
		node.getBean(DisturbedScoring.class).afterNextBatch(() -> {
			cluster.fenceProducers();
			return null;
		});
		send(workload, COUNT / 2, COUNT);
		Collection<CardScore> scores = scoresOf(workload).values();
		long flagged = scores.stream().filter((score) -> score.score() > FLAG_ABOVE).count();
		assertThat(flagged).isBetween(1L, scores.size() - 1L);
		await().atMost(LONGEST).untilAsserted(() -> {
			Map<String, Double> counted = counts();
			counted.replaceAll((name, count) -> count - before.get(name));
			assertThat(counted).containsOnly(entry("flagged", (double) flagged),
					entry("passed", (double) scores.size() - flagged),
					entry("dead letters", (double) COUNT - scores.size()));
		});
	}

	@Test
	void theBoardAsksForMetricsThatANodePublishes() throws Exception {
		String board = Files.readString(Path.of("../../deploy/grafana/dashboards/card-stream.json"));
		String published = RestClient
			.create("http://localhost:" + node.getEnvironment().getProperty("local.server.port"))
			.get()
			.uri("/actuator/prometheus")
			.retrieve()
			.body(String.class);
		assertThat(metrics(board)).containsExactlyInAnyOrder("card_scores_total", "card_dead_letters_total",
				"ringkernel_request_seconds_bucket");
		assertThat(metrics(published)).containsAll(metrics(board));
		assertThat(published).contains("card_scores_total{flagged=\"true\"}", "kernel=\"card-scoring\"");
		assertThat(JsonPath.<List<String>>read(board, "$.panels[*].title")).containsExactly("Scores", "Flagged",
				"Latency", "Dead letters");
		assertThat(JsonPath.<List<String>>read(board, "$.panels[*].targets[*].expr")).hasSize(5)
			.allMatch((query) -> query.contains("job=~\"$job\""));
		assertThat(JsonPath.<List<String>>read(board, "$..datasource.uid")).containsOnly("${datasource}");
	}

	private static Set<String> metrics(String text) {
		return METRIC.matcher(text).results().map(MatchResult::group).collect(Collectors.toSet());
	}

	private static Map<String, Double> counts() {
		MeterRegistry meters = node.getBean(MeterRegistry.class);
		return new HashMap<>(Map.of("flagged", meters.get("card.scores").tag("flagged", "true").counter().count(),
				"passed", meters.get("card.scores").tag("flagged", "false").counter().count(), "dead letters",
				meters.get("card.dead.letters").counter().count()));
	}

	private static void assertScoresAreThoseOfAnOracle(Workload workload, Callable<?> disturbance) throws Exception {
		DisturbedScoring scoring = node.getBean(DisturbedScoring.class);
		send(workload, 0, COUNT / 2);
		scoring.afterNextBatch(disturbance);
		send(workload, COUNT / 2, COUNT);
		assertThat(scoring.wasDisturbed()).isTrue();
		assertThat(Oracle.differences(workload, COUNT, scoresOf(workload), FIRST, PlainForest.of(NEXT_MODEL)))
			.isEmpty();
	}

	@Test
	@SuppressWarnings("unchecked")
	void stateThatTheKernelHasLostIsRestored() throws Exception {
		Workload workload = new Workload(3, 2001, 50);
		send(workload, 0, COUNT / 2);
		RingKernelClient<CardRequest, CardResponse> kernel = node.getBean(RingKernelClient.class);
		for (int partition = 0; partition < PARTITIONS; partition++) {
			kernel.call(CardRequest.clear(partition, 0));
		}
		send(workload, COUNT / 2, COUNT);
		assertThat(Oracle.differences(workload, COUNT, scoresOf(workload), FIRST, PlainForest.of(NEXT_MODEL)))
			.isEmpty();
	}

	@Test
	void aModelOfTheTopicIsPutIntoServiceBehindThoseThatAreRefused() throws Exception {
		Workload workload = new Workload(6, 5001, 50);
		send(workload, 0, COUNT / 2);
		producer.sendModel(bytes("half a mod"));
		producer.sendModel(null);
		producer.sendModel(NEXT_MODEL);
		producer.flush();
		String next = PlainForest.of(NEXT_MODEL).stamp();
		FraudModel model = node.getBean(FraudModel.class);
		await().atMost(LONGEST).until(() -> model.score((some) -> Long.toHexString(some.image().stamp())).equals(next));
		send(workload, COUNT / 2, COUNT);
		Map<Long, CardScore> scores = scoresOf(workload);
		assertThat(Oracle.differences(workload, COUNT, scores, FIRST, PlainForest.of(NEXT_MODEL))).isEmpty();
		assertThat(scores.get(COUNT - 1).model()).isEqualTo(next);
	}

	@Test
	void recordsStayInTheTopicWhileTheKernelTakesNone() throws Exception {
		Workload workload = new Workload(5, 4001, 50);
		Kernel<?, ?> kernel = node.getBean(RingKernelRuntime.class).kernel("card-scoring").orElseThrow();
		send(workload, 0, COUNT / 2);
		kernel.deactivate();
		await().atMost(LONGEST).until(TransactionListenerTests::isPaused);
		LongStream.range(COUNT / 2, COUNT).forEach((id) -> producer.send(workload.toRecord(id)));
		producer.flush();
		assertThat(cluster.isCaughtUp()).isFalse();
		kernel.activate();
		await().atMost(LONGEST).until(() -> !isPaused() && cluster.isCaughtUp());
		assertThat(Oracle.differences(workload, COUNT, scoresOf(workload), FIRST, PlainForest.of(NEXT_MODEL)))
			.isEmpty();
	}

	private static boolean isPaused() {
		return node.getBean(BindingsLifecycleController.class).queryState("score-in-0").get(0).isPaused();
	}

	@Test
	void whatCannotBeScoredIsADeadLetterWithTheReason() throws Exception {
		String valid = "{\"id\":1,\"card\":%d,\"amount\":1,\"latitude\":0,\"longitude\":0}";
		assertThat(reasonFor("9", "half a transac")).startsWith("The value is no transaction: ");
		assertThat(reasonFor("9", valid.replace("\"id\":1,", ""))).startsWith("The value is no transaction: ");
		assertThat(reasonFor("9", "null")).isEqualTo("The value is no transaction: null");
		assertThat(reasonFor("9", null)).isEqualTo("The record has no value.");
		assertThat(reasonFor("8", valid.formatted(9))).isEqualTo("card is 9; it must be the key of the record.");
		assertThat(reasonFor("-9", valid.formatted(-9))).isEqualTo("card is -9; it must be above 0.");
		assertThat(reasonFor("9", valid.formatted(9).replace("\"amount\":1", "\"amount\":1e60")))
			.isEqualTo("amount is Infinity; it must be finite and above 0.");
		assertThat(reasonFor("9", valid.formatted(9).replace("\"latitude\":0", "\"latitude\":91")))
			.isEqualTo("latitude is 91.0; it must be between -90 and 90.");
	}

	private static String reasonFor(String card, @Nullable String value) throws Exception {
		int before = cluster.deadLetters().size();
		producer.send(new ProducerRecord<>("transactions", bytes(card), (value != null) ? bytes(value) : null));
		producer.flush();
		await().atMost(LONGEST).until(cluster::isCaughtUp);
		List<DeadLetter> letters = cluster.deadLetters();
		assertThat(letters).hasSize(before + 1);
		DeadLetter letter = letters.get(before);
		assertThat(letter.value()).isEqualTo(value);
		return letter.reason();
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	private static void send(Workload workload, long from, long to) {
		LongStream.range(from, to).forEach((id) -> producer.send(workload.toRecord(id)));
		producer.flush();
		await().atMost(LONGEST).until(cluster::isCaughtUp);
	}

	/**
	 * The scores of the cards of a workload, by the numbers of the transactions.
	 */
	private static Map<Long, CardScore> scoresOf(Workload workload) throws Exception {
		try (ScoreReader reader = new ScoreReader(cluster, workload)) {
			return reader.readAll();
		}
	}

	/**
	 * Scores a batch, and has something happen once after that.
	 */
	@TestConfiguration(proxyBeanMethods = false)
	static class DisturbedScoring {

		private final AtomicReference<@Nullable Callable<?>> next = new AtomicReference<>();

		void afterNextBatch(Callable<?> disturbance) {
			this.next.set(disturbance);
		}

		boolean wasDisturbed() {
			return this.next.get() == null;
		}

		@Bean
		@Primary
		Function<List<CardRequest>, List<CardResponse>> disturbed(RingKernelClient<CardRequest, CardResponse> kernel) {
			return (requests) -> {
				List<CardResponse> responses = kernel.callAll(requests);
				Callable<?> disturbance = this.next.getAndSet(null);
				if (disturbance != null) {
					call(disturbance);
				}
				return responses;
			};
		}

		private static void call(Callable<?> disturbance) {
			try {
				disturbance.call();
			}
			catch (Exception ex) {
				throw new IllegalStateException(ex);
			}
		}

	}

}
