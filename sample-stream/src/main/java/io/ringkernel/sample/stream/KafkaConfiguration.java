package io.ringkernel.sample.stream;

import io.ringkernel.sample.stream.kernel.CardStreamProperties;

import org.springframework.cloud.stream.config.ListenerContainerCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.config.TopicBuilder;
import org.springframework.kafka.core.KafkaAdmin.NewTopics;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.listener.DefaultAfterRollbackProcessor;
import org.springframework.util.backoff.FixedBackOff;

/**
 * The topics, and what happens after a transaction was aborted.
 */
@Configuration(proxyBeanMethods = false)
class KafkaConfiguration {

	private static final long RETRY_INTERVAL_MILLIS = 500;

	@Bean
	NewTopics topics(CardStreamProperties properties) {
		return new NewTopics(topic("transactions", properties).build(), topic("scores", properties).build(),
				topic(FeatureTopic.NAME, properties).compact().build(),
				TopicBuilder.name("transactions.dead-letters").partitions(1).build());
	}

	private static TopicBuilder topic(String name, CardStreamProperties properties) {
		return TopicBuilder.name(name).partitions(properties.partitions());
	}

	/**
	 * What can be said of a single record is in its dead letter. What remains is true of
	 * the kernel or the broker, and passes: no record is ever skipped for it.
	 */
	@Bean
	ListenerContainerCustomizer<AbstractMessageListenerContainer<byte[], byte[]>> retryUntilItWorks() {
		return (container, destination, group) -> container
			.setAfterRollbackProcessor(new DefaultAfterRollbackProcessor<>(
					new FixedBackOff(RETRY_INTERVAL_MILLIS, FixedBackOff.UNLIMITED_ATTEMPTS)));
	}

}
