package io.ringkernel.sample.stream;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.Collectors;

import io.ringkernel.sample.stream.kernel.CardStreamProperties;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

import org.springframework.boot.kafka.autoconfigure.KafkaProperties;
import org.springframework.stereotype.Component;

/**
 * Reads the compacted topic of the features.
 */
@Component
class FeatureTopic {

	/** A kernel takes as many requests at a time. */
	private static final int BATCH = 5000;

	/** The binding to the topic, and its name. */
	static final String NAME = "card-features";

	private static final Duration POLL = Duration.ofMillis(100);

	private final KafkaProperties kafka;

	private final Duration timeout;

	FeatureTopic(KafkaProperties kafka, CardStreamProperties properties) {
		this.kafka = kafka;
		this.timeout = properties.restoreTimeout();
	}

	/**
	 * Reads what is committed, the older features of a card before the newer ones. Waits
	 * for transactions that are still open: their node may have died, and nobody knows
	 * yet whether they are committed.
	 * @param partitions the partitions
	 * @param batches takes what is read, poll by poll
	 * @return how many records were read
	 * @throws IllegalStateException if that takes longer than the timeout
	 */
	long read(Collection<Integer> partitions, Consumer<List<KeptFeatures>> batches) {
		List<TopicPartition> sources = partitions.stream()
			.map((partition) -> new TopicPartition(NAME, partition))
			.toList();
		long deadline = System.nanoTime() + this.timeout.toNanos();
		Map<TopicPartition, Long> ends = ends(sources);
		long count = 0;
		try (KafkaConsumer<byte[], byte[]> consumer = consumer()) {
			consumer.assign(sources);
			consumer.seekToBeginning(sources);
			while (sources.stream().anyMatch((source) -> isBefore(ends, source, consumer))) {
				if (System.nanoTime() > deadline) {
					throw new IllegalStateException(
							"The ends of %s cannot be reached within card-stream.restore-timeout, %s: they are %s."
								.formatted(NAME, this.timeout, ends));
				}
				List<KeptFeatures> batch = new ArrayList<>();
				consumer.poll(POLL).forEach((kept) -> batch.add(KeptFeatures.of(kept)));
				batches.accept(batch);
				count += batch.size();
			}
		}
		return count;
	}

	private boolean isBefore(Map<TopicPartition, Long> ends, TopicPartition source, KafkaConsumer<?, ?> consumer) {
		return consumer.position(source, this.timeout) < ends.getOrDefault(source, 0L);
	}

	/**
	 * The ends of what was written, committed or not. A consumer that reads what is
	 * committed would name the beginning of the first open transaction.
	 */
	private Map<TopicPartition, Long> ends(List<TopicPartition> sources) {
		try (Admin admin = Admin.create(this.kafka.buildAdminProperties())) {
			Map<TopicPartition, Long> ends = new HashMap<>();
			admin
				.listOffsets(
						sources.stream().collect(Collectors.toMap((source) -> source, (source) -> OffsetSpec.latest())))
				.all()
				.get(this.timeout.toMillis(), TimeUnit.MILLISECONDS)
				.forEach((source, end) -> ends.put(source, end.offset()));
			return ends;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while asking for the ends of " + sources, ex);
		}
		catch (ExecutionException | TimeoutException ex) {
			throw new IllegalStateException("The ends of %s are not known".formatted(sources), ex);
		}
	}

	private KafkaConsumer<byte[], byte[]> consumer() {
		Map<String, Object> settings = this.kafka.buildConsumerProperties();
		settings.remove(ConsumerConfig.GROUP_ID_CONFIG);
		settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
		settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, BATCH);
		settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
		return new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
	}

}
