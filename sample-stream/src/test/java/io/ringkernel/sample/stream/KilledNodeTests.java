package io.ringkernel.sample.stream;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;

import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Kills one of two nodes under load. {@code -Dstream.transactions} sets how many
 * transactions there are, {@code -Dstream.partitions} and {@code -Dstream.seed} the rest.
 */
@Tag("every-platform")
class KilledNodeTests {

	private static final long COUNT = Long.getLong("stream.transactions", 60_000);

	private static final int PARTITIONS = Integer.getInteger("stream.partitions", 8);

	private static final Workload WORKLOAD = new Workload(Long.getLong("stream.seed", 1), 1, 5000);

	/** Beyond what any number of transactions that is sensible takes. */
	private static final Duration LONGEST = Duration.ofMinutes(10);

	@TempDir
	private Path directory;

	@Test
	void scoresAreThoseOfAnOracle() throws Exception {
		try (StreamCluster cluster = new StreamCluster(this.directory, PARTITIONS)) {
			cluster.start("first");
			killTheOther(cluster, (scores) -> {
			});
		}
	}

	@Test
	@EnabledOnOs(value = OS.LINUX, disabledReason = "a kernel host is started under Linux only")
	void scoresAreThoseOfAnOracleIfTheDeviceOfTheLivingNodeIsLostAgainAndAgain() throws Exception {
		try (StreamCluster cluster = new StreamCluster(this.directory, PARTITIONS)) {
			DeviceFaults faults = new DeviceFaults(cluster.startWithDevice("first"), COUNT / 12);
			killTheOther(cluster, faults::look);
			assertThat(faults.count()).isGreaterThanOrEqualTo(3);
			assertThat(faults.statesLost()).isPositive();
		}
	}

	/**
	 * Starts a second node and the load, kills the second node at a third, and starts it
	 * again at two thirds.
	 * @param disturbance is told again and again how many scores have arrived
	 */
	private static void killTheOther(StreamCluster cluster, LongConsumer disturbance) throws Exception {
		try (LoadProducer producer = cluster.producer(); ScoreReader reader = new ScoreReader(cluster, WORKLOAD)) {
			StreamNode second = cluster.start("second");
			eventually(cluster).until(() -> cluster.isSharedBy(2));
			send(producer, 0, COUNT / 2);
			awaitScores(cluster, reader, COUNT / 3, disturbance);
			second.kill();
			send(producer, COUNT / 2, COUNT * 5 / 6);
			awaitScores(cluster, reader, COUNT * 2 / 3, disturbance);
			cluster.start("second");
			eventually(cluster).until(() -> cluster.isSharedBy(2));
			send(producer, COUNT * 5 / 6, COUNT);
			eventually(cluster).until(() -> {
				disturbance.accept(reader.read());
				return cluster.isCaughtUp();
			});
			assertThat(Oracle.differences(WORKLOAD, COUNT, reader.readAll())).isEmpty();
			assertThat(cluster.deadLetters()).extracting(DeadLetter::value)
				.containsExactlyInAnyOrderElementsOf(unscorable());
		}
	}

	private static void awaitScores(StreamCluster cluster, ScoreReader reader, long count, LongConsumer disturbance) {
		eventually(cluster).until(() -> {
			long scores = reader.read();
			disturbance.accept(scores);
			return scores >= count;
		});
	}

	private static List<String> unscorable() {
		return LongStream.range(0, COUNT)
			.filter((id) -> WORKLOAD.transaction(id) == null)
			.mapToObj((id) -> new String(WORKLOAD.toRecord(id).value(), StandardCharsets.UTF_8))
			.toList();
	}

	private static void send(LoadProducer producer, long from, long to) {
		LongStream.range(from, to).forEach((id) -> producer.send(WORKLOAD.toRecord(id)));
		producer.flush();
	}

	private static ConditionFactory eventually(StreamCluster cluster) {
		return await().atMost(LONGEST).pollInterval(Duration.ofMillis(20)).conditionEvaluationListener((condition) -> {
			if (condition.getRemainingTimeInMS() <= 0) {
				throw new AssertionError("It took too long:\n" + cluster.output());
			}
		});
	}

}
