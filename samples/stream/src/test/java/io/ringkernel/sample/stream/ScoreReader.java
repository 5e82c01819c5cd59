package io.ringkernel.sample.stream;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads the committed scores, and refuses one that comes twice.
 */
final class ScoreReader implements AutoCloseable {

	private static final Duration POLL = Duration.ofMillis(100);

	private final JsonMapper json = new JsonMapper();

	private final Map<Long, CardScore> scores = new HashMap<>();

	/** Where each score was read, and when it was written. */
	private final Map<Long, Place> places = new HashMap<>();

	/** Those that a score was read from. */
	private final Set<Integer> partitions = new HashSet<>();

	private final StreamCluster cluster;

	private final KafkaConsumer<byte[], byte[]> consumer;

	private final Workload workload;

	/**
	 * A reader of the scores of a workload, from the first one.
	 */
	ScoreReader(StreamCluster cluster, Workload workload) throws ExecutionException, InterruptedException {
		this.cluster = cluster;
		this.consumer = cluster.consumer("scores");
		this.workload = workload;
	}

	/**
	 * Reads what is there.
	 * @return how many scores were read so far
	 * @throws AssertionError if one was read before; it tells where, and what led to it
	 */
	int read() {
		for (ConsumerRecord<byte[], byte[]> written : this.consumer.poll(POLL)) {
			this.partitions.add(written.partition());
			CardScore score = this.json.readValue(written.value(), CardScore.class);
			if (this.workload.hasCard(score.card())) {
				this.scores.put(score.transaction(), score);
				Place place = new Place(written.partition(), written.offset(),
						Instant.ofEpochMilli(written.timestamp()));
				Place before = this.places.put(score.transaction(), place);
				if (before != null) {
					throw new AssertionError(
							"Transaction %d was scored twice: %s and %s.%n%s".formatted(score.transaction(), before,
									place, this.cluster.historyOf(score.transaction(), written.partition())));
				}
			}
		}
		return this.scores.size();
	}

	/**
	 * Forgets which partitions scores have come from.
	 * @return how many these were
	 */
	int forgetPartitions() {
		int count = this.partitions.size();
		this.partitions.clear();
		return count;
	}

	/**
	 * Returns from how many partitions scores have come since.
	 */
	int partitions() {
		return this.partitions.size();
	}

	/**
	 * Reads to the end of the topic.
	 * @return the scores by their transactions
	 */
	Map<Long, CardScore> readAll() {
		Map<?, Long> ends = this.consumer.endOffsets(this.consumer.assignment());
		while (this.consumer.assignment()
			.stream()
			.anyMatch((source) -> this.consumer.position(source) < ends.get(source))) {
			read();
		}
		return this.scores;
	}

	@Override
	public void close() {
		this.consumer.close();
	}

	/**
	 * Where a score was read.
	 */
	private record Place(int partition, long offset, Instant written) {
	}

}
