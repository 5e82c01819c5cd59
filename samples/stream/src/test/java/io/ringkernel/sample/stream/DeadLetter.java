package io.ringkernel.sample.stream;

import java.nio.charset.StandardCharsets;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * A record that was not scored.
 *
 * @param value the record as it was sent; nothing if it has no value
 * @param reason why it was not scored
 */
record DeadLetter(@Nullable String value, String reason) {

	static DeadLetter of(ConsumerRecord<byte[], byte[]> written) {
		return new DeadLetter((written.value() != null) ? text(written.value()) : null,
				text(written.headers().lastHeader("reason").value()));
	}

	private static String text(byte[] bytes) {
		return new String(bytes, StandardCharsets.UTF_8);
	}

}
