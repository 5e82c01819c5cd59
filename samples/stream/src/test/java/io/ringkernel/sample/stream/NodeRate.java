package io.ringkernel.sample.stream;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.LongStream;

/**
 * How many transactions a node scores in a second on the CPU backend, and how many a node
 * that calls the handler directly. The first fifth is not counted.
 */
final class NodeRate {

	private static final long COUNT = Long.getLong("stream.transactions", 200_000);

	private static final int ROUNDS = 3;

	private static final Workload WORKLOAD = new Workload(1, 1, 20_000);

	private final Path directory;

	NodeRate(Path directory) {
		this.directory = directory;
	}

	void measure() throws Exception {
		double[] kernel = new double[ROUNDS];
		double[] plain = new double[ROUNDS];
		for (int round = 0; round < ROUNDS; round++) {
			kernel[round] = rate();
			plain[round] = rate("--spring.main.sources=" + PlainScoring.class.getName());
			Demonstration.print("Round %d: kernel %,.0f transactions/s, plain Java %,.0f transactions/s", round + 1,
					kernel[round], plain[round]);
		}
		Demonstration.print("Median: kernel %,.0f, plain Java %,.0f, ratio %.2f", median(kernel), median(plain),
				median(kernel) / median(plain));
	}

	private double rate(String... more) throws Exception {
		try (StreamCluster cluster = new StreamCluster(this.directory, 8);
				LoadProducer producer = cluster.producer();
				ScoreReader reader = new ScoreReader(cluster, WORKLOAD)) {
			LongStream.range(0, COUNT).forEach((id) -> producer.send(WORKLOAD.toRecord(id)));
			producer.flush();
			cluster.start("node", more);
			int first = 0;
			while (first < COUNT / 5) {
				first = reader.read();
			}
			long begin = System.nanoTime();
			int last = first;
			while (last < COUNT * 9 / 10) {
				last = reader.read();
			}
			return (last - first) * 1e9 / (System.nanoTime() - begin);
		}
	}

	private static double median(double[] values) {
		return Arrays.stream(values).sorted().toArray()[values.length / 2];
	}

}
