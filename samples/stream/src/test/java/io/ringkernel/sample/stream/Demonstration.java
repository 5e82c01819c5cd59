package io.ringkernel.sample.stream;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * Runs the application on a machine without Kafka: a broker, two nodes and a load. Prints
 * what arrives, second by second. Kills one node, sends another model, starts the node
 * again, and compares all scores with those of an oracle. With the argument {@code rate},
 * measures what a node does in its place.
 */
public final class Demonstration {

	private static final int SECONDS = 45;

	private static final int KILLED_AT = 15;

	private static final int MODEL_SENT_AT = 20;

	private static final int STARTED_AT = 30;

	private static final String TRANSACTIONS_PER_SECOND = "1000";

	private static final int PARTITIONS = 8;

	private static final Workload WORKLOAD = new Workload(1, 1, 5000);

	private Demonstration() {
	}

	/**
	 * Runs the demonstration.
	 * @param args {@code rate}, or how many transactions are sent a second, or nothing
	 */
	public static void main(String[] args) throws Exception {
		Path directory = Files.createTempDirectory("sample-stream");
		if (List.of(args).contains("rate")) {
			new NodeRate(directory).measure();
			return;
		}
		int rate = Integer.parseInt(Stream.of(args).findFirst().orElse(TRANSACTIONS_PER_SECOND));
		byte[] nextModel = FraudTraining.train(2, 100_000, 30);
		try (StreamCluster cluster = new StreamCluster(directory, PARTITIONS);
				LoadProducer producer = cluster.producer();
				ScoreReader reader = new ScoreReader(cluster, WORKLOAD)) {
			cluster.start("first");
			StreamNode second = cluster.start("second");
			while (!cluster.isSharedBy(2)) {
				LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
			}
			print("Two nodes share %d partitions. They log to %s.", PARTITIONS, directory);
			long begin = System.nanoTime();
			long sent = 0;
			for (int passed = 0; passed < SECONDS; passed++) {
				if (passed == KILLED_AT) {
					second.kill();
					print("Node 'second' was killed.");
				}
				if (passed == MODEL_SENT_AT) {
					producer.sendModel(nextModel);
					print("Another model was sent.");
				}
				if (passed == STARTED_AT) {
					cluster.start("second");
					print("Node 'second' starts again.");
				}
				for (; sent < (passed + 1L) * rate; sent++) {
					producer.send(WORKLOAD.toRecord(sent));
				}
				while (System.nanoTime() - begin < TimeUnit.SECONDS.toNanos(passed + 1L)) {
					reader.read();
				}
				print("%2d s: %,7d transactions sent, %,7d scores arrived", passed + 1, sent, reader.read());
			}
			producer.flush();
			while (!cluster.isCaughtUp()) {
				reader.read();
			}
			Map<Long, CardScore> scores = reader.readAll();
			PlainForest next = PlainForest.of(nextModel);
			List<String> differences = Oracle.differences(WORKLOAD, sent, scores, PlainForest.first(), next);
			print("%,d scores were made by the second model.",
					scores.values().stream().filter((score) -> score.model().equals(next.stamp())).count());
			print("%,d transactions, %,d scores, %,d dead letters. %s", sent, reader.read(),
					cluster.deadLetters().size(),
					differences.isEmpty() ? "None is missing, none came twice, none differs from the oracle's."
							: "DIFFERENT: " + differences);
		}
	}

	static void print(String format, Object... values) {
		System.out.println(format.formatted(values));
	}

}
