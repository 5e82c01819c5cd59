package io.ringkernel.sample.stream;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

import io.ringkernel.sample.stream.kernel.CardStreamProperties;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
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
	 * @param partition the partition
	 * @param batches takes what is read, poll by poll
	 * @return how many records were read
	 * @throws IllegalStateException if that takes longer than the timeout
	 */
	long read(int partition, Consumer<List<KeptFeatures>> batches) {
		TopicPartition source = new TopicPartition(NAME, partition);
		long deadline = System.nanoTime() + this.timeout.toNanos();
		long end = end(source);
		long count = 0;
		try (KafkaConsumer<byte[], byte[]> consumer = consumer()) {
			consumer.assign(List.of(source));
			consumer.seekToBeginning(List.of(source));
			while (consumer.position(source, this.timeout) < end) {
				if (System.nanoTime() > deadline) {
					throw new IllegalStateException(
							"%s cannot be read to offset %d within card-stream.restore-timeout, %s: it is at %d."
								.formatted(source, end, this.timeout, consumer.position(source)));
				}
				List<KeptFeatures> batch = new ArrayList<>();
				for (ConsumerRecord<byte[], byte[]> kept : consumer.poll(POLL)) {
					batch.add(KeptFeatures.of(kept.key(), kept.value()));
				}
				batches.accept(batch);
				count += batch.size();
			}
		}
		return count;
	}

	/**
	 * The end of what was written, committed or not. A consumer that reads what is
	 * committed would name the beginning of the first open transaction.
	 */
	private long end(TopicPartition source) {
		try (Admin admin = Admin.create(this.kafka.buildAdminProperties())) {
			return admin.listOffsets(Map.of(source, OffsetSpec.latest()))
				.partitionResult(source)
				.get(this.timeout.toMillis(), TimeUnit.MILLISECONDS)
				.offset();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while asking for the end of " + source, ex);
		}
		catch (ExecutionException | TimeoutException ex) {
			throw new IllegalStateException("The end of %s is not known".formatted(source), ex);
		}
	}

	private KafkaConsumer<byte[], byte[]> consumer() {
		Map<String, Object> settings = this.kafka.buildConsumerProperties();
		settings.remove(ConsumerConfig.GROUP_ID_CONFIG);
		settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
		settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
		return new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
	}

}
