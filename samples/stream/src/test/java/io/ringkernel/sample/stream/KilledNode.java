package io.ringkernel.sample.stream;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;

import org.awaitility.core.ConditionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * One of two nodes is killed under load.
 */
final class KilledNode {

	/** Beyond what any number of transactions that is sensible takes. */
	private static final Duration LONGEST = Duration.ofMinutes(25);

	private static final byte[] NEXT_MODEL = FraudTraining.train(2, 50_000, 20);

	/** Has a node log what it fetches, commits and aborts. */
	static final String[] LOGGED = { "--logging.level.org.apache.kafka.clients.consumer=info",
			"--logging.level.org.apache.kafka.clients.producer.internals.TransactionManager=debug" };

	private final StreamCluster cluster;

	private final Workload workload;

	private final long count;

	/**
	 * A node that is going to be killed.
	 * @param cluster has one node, which lives on
	 * @param count how many transactions there are
	 */
	KilledNode(StreamCluster cluster, Workload workload, long count) {
		this.cluster = cluster;
		this.workload = workload;
		this.count = count;
	}

	/**
	 * Starts a second node and the load, kills the second node at a third, and starts it
	 * again at two thirds. Sends another model when it kills the node. Then compares the
	 * scores with those of an oracle.
	 * @param disturbance is told again and again how many scores have arrived
	 */
	void verify(LongConsumer disturbance) throws Exception {
		try (LoadProducer producer = this.cluster.producer();
				ScoreReader reader = new ScoreReader(this.cluster, this.workload)) {
			StreamNode second = this.cluster.start("second", LOGGED);
			eventually().until(() -> this.cluster.isSharedBy(2));
			send(producer, 0, this.count / 2);
			awaitScores(reader, this.count / 3, disturbance);
			reader.readAll();
			int all = reader.forgetPartitions();
			long killed = System.nanoTime();
			second.kill();
			producer.sendModel(NEXT_MODEL);
			send(producer, this.count / 2, this.count * 5 / 6);
			eventually().until(() -> {
				disturbance.accept(reader.read());
				return reader.partitions() == all;
			});
			System.out.printf("take-over | %.1f s from the kill until all %d partitions are scored again%n",
					(System.nanoTime() - killed) / 1e9, all);
			awaitScores(reader, this.count * 2 / 3, disturbance);
			this.cluster.start("second", LOGGED);
			eventually().until(() -> this.cluster.isSharedBy(2));
			send(producer, this.count * 5 / 6, this.count);
			eventually().until(() -> {
				disturbance.accept(reader.read());
				return this.cluster.isCaughtUp();
			});
			Map<Long, CardScore> scores = reader.readAll();
			PlainForest first = PlainForest.first();
			PlainForest next = PlainForest.of(NEXT_MODEL);
			assertThat(Oracle.differences(this.workload, this.count, scores, first, next)).isEmpty();
			assertThat(scores.values()).extracting(CardScore::model).contains(first.stamp(), next.stamp());
			assertThat(this.cluster.deadLetters()).extracting(DeadLetter::value)
				.containsExactlyInAnyOrderElementsOf(unscorable());
		}
	}

	private void awaitScores(ScoreReader reader, long count, LongConsumer disturbance) {
		eventually().until(() -> {
			long scores = reader.read();
			disturbance.accept(scores);
			return scores >= count;
		});
	}

	private List<String> unscorable() {
		return LongStream.range(0, this.count)
			.filter((id) -> this.workload.transaction(id) == null)
			.mapToObj((id) -> new String(this.workload.toRecord(id).value(), StandardCharsets.UTF_8))
			.toList();
	}

	private void send(LoadProducer producer, long from, long to) {
		LongStream.range(from, to).forEach((id) -> producer.send(this.workload.toRecord(id)));
		producer.flush();
	}

	private ConditionFactory eventually() {
		return await().atMost(LONGEST).pollInterval(Duration.ofMillis(20)).conditionEvaluationListener((condition) -> {
			if (condition.getRemainingTimeInMS() <= 0) {
				throw new AssertionError("It took too long:\n" + this.cluster.output());
			}
		});
	}

}
