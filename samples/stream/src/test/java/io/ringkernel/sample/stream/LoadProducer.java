package io.ringkernel.sample.stream;

import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * Sends the load, and tells if any of it was not stored. It has one request in flight: a
 * broker that does not yet lead a partition just created refuses its first batch, may
 * take those behind it, and then refuses the first one for ever, as out of order.
 */
final class LoadProducer implements AutoCloseable {

	/** One, as the topic is compacted to the latest model. */
	private static final byte[] MODEL_KEY = { 'f', 'r', 'a', 'u', 'd' };

	private final KafkaProducer<byte[], byte[]> producer;

	private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();

	LoadProducer(String brokers) {
		this.producer = new KafkaProducer<>(
				Map.of("bootstrap.servers", brokers, "linger.ms", 5, "max.in.flight.requests.per.connection", 1),
				new ByteArraySerializer(), new ByteArraySerializer());
	}

	void send(ProducerRecord<byte[], byte[]> record) {
		this.producer.send(record, (stored, ex) -> {
			if (ex != null) {
				this.failure.compareAndSet(null, ex);
			}
		});
	}

	/**
	 * Sends a model that nodes are to score by from now on.
	 * @param file what XGBoost saves as JSON
	 */
	void sendModel(byte @Nullable [] file) {
		send(new ProducerRecord<>("card-models", MODEL_KEY, file));
	}

	/**
	 * Waits until all that was sent is stored.
	 * @throws IllegalStateException if something was not
	 */
	void flush() {
		this.producer.flush();
		Exception first = this.failure.getAndSet(null);
		if (first != null) {
			throw new IllegalStateException("A record of the load was not stored", first);
		}
	}

	@Override
	public void close() {
		this.producer.close();
	}

}
