package io.ringkernel.sample.stream;

import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

import org.springframework.kafka.support.KafkaHeaders;
import org.springframework.messaging.Message;

/**
 * A record of a poll.
 *
 * @param partition its partition
 * @param offset its offset
 * @param key its key; nothing if it has none
 * @param value its value; nothing if it has none
 */
record ReceivedRecord(int partition, long offset, byte @Nullable [] key, byte @Nullable [] value) {

	/**
	 * The records of a poll, in their order.
	 */
	static List<ReceivedRecord> of(Message<List<Object>> poll) {
		List<?> partitions = header(poll, KafkaHeaders.RECEIVED_PARTITION);
		List<?> offsets = header(poll, KafkaHeaders.OFFSET);
		List<?> keys = header(poll, KafkaHeaders.RECEIVED_KEY);
		List<Object> values = poll.getPayload();
		return IntStream.range(0, values.size())
			.mapToObj((i) -> new ReceivedRecord((int) partitions.get(i), (long) offsets.get(i), bytes(keys.get(i)),
					bytes(values.get(i))))
			.toList();
	}

	private static List<?> header(Message<?> poll, String name) {
		return Objects.requireNonNull(poll.getHeaders().get(name, List.class), name);
	}

	/**
	 * A value that is absent is an object of another type.
	 */
	private static byte @Nullable [] bytes(@Nullable Object value) {
		return (value instanceof byte[] bytes) ? bytes : null;
	}

}
