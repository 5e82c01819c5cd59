package io.ringkernel.sample.stream;

import java.nio.ByteBuffer;

import io.ringkernel.sample.stream.kernel.CardFeatures;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * The features of a card, as they lie in the topic {@code card-features}: the key is the
 * number of the card in 8 bytes, the value has 4 bytes each for count, average, latitude
 * and longitude, big-endian. A record without a value takes the features of its card
 * back.
 *
 * @param partition the partition, that of the transactions of the card
 * @param card the number of the card
 * @param features its features
 */
record KeptFeatures(int partition, long card, CardFeatures features) {

	private static final int BYTES = 4 * Float.BYTES;

	static KeptFeatures of(ConsumerRecord<byte[], byte[]> kept) {
		ByteBuffer fields = (kept.value() != null) ? ByteBuffer.wrap(kept.value()) : ByteBuffer.allocate(BYTES);
		return new KeptFeatures(kept.partition(), ByteBuffer.wrap(kept.key()).getLong(),
				new CardFeatures(fields.getInt(), fields.getFloat(), fields.getFloat(), fields.getFloat()));
	}

	byte[] key() {
		return ByteBuffer.allocate(Long.BYTES).putLong(this.card).array();
	}

	byte[] value() {
		return ByteBuffer.allocate(BYTES)
			.putInt(this.features.count())
			.putFloat(this.features.average())
			.putFloat(this.features.latitude())
			.putFloat(this.features.longitude())
			.array();
	}

}
