package io.ringkernel.sample.stream;

import java.nio.charset.StandardCharsets;

import tools.jackson.databind.json.JsonMapper;

import org.springframework.cloud.stream.function.StreamBridge;
import org.springframework.kafka.support.KafkaHeaders;
import org.springframework.kafka.support.KafkaNull;
import org.springframework.messaging.support.MessageBuilder;
import org.springframework.stereotype.Component;

/**
 * Writes to the topics, within the transaction of the thread.
 */
@Component
class Outputs {

	private final StreamBridge bindings;

	private final JsonMapper json;

	Outputs(StreamBridge bindings, JsonMapper json) {
		this.bindings = bindings;
		this.json = json;
	}

	void score(CardScore score) {
		send("scores", MessageBuilder.withPayload(this.json.writeValueAsBytes(score))
			.setHeader(KafkaHeaders.KEY, Long.toString(score.card()).getBytes(StandardCharsets.US_ASCII)));
	}

	void features(KeptFeatures kept) {
		send(FeatureTopic.NAME,
				MessageBuilder.withPayload(kept.value())
					.setHeader(KafkaHeaders.KEY, kept.key())
					.setHeader(KafkaHeaders.PARTITION, kept.partition()));
	}

	/**
	 * Writes a dead letter: the record as it was, and in headers why, and where it came
	 * from.
	 */
	void reject(ReceivedRecord received, String reason) {
		Object value = (received.value() != null) ? received.value() : KafkaNull.INSTANCE;
		send("dead-letters",
				MessageBuilder.withPayload(value)
					.setHeader(KafkaHeaders.KEY, received.key())
					.setHeader("reason", reason)
					.setHeader("partition", received.partition())
					.setHeader("offset", received.offset()));
	}

	private void send(String binding, MessageBuilder<?> message) {
		if (!this.bindings.send(binding, message.build())) {
			throw new IllegalStateException("The binding %s takes no messages".formatted(binding));
		}
	}

}
