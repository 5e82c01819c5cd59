package io.ringkernel.sample.stream;

import java.util.concurrent.Executor;

import io.ringkernel.sample.stream.kernel.CardStreamProperties;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.cloud.stream.config.ListenerContainerCustomizer;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.config.TopicBuilder;
import org.springframework.kafka.core.KafkaAdmin.NewTopics;
import org.springframework.kafka.event.ConsumerStoppedEvent;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.DefaultAfterRollbackProcessor;
import org.springframework.kafka.transaction.KafkaTransactionManager;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.util.backoff.FixedBackOff;

/**
 * The topics, and what happens after a transaction was aborted.
 */
@Configuration(proxyBeanMethods = false)
class KafkaConfiguration {

	private static final Logger logger = LoggerFactory.getLogger(KafkaConfiguration.class);

	private static final long RETRY_INTERVAL_MILLIS = 500;

	@Bean
	NewTopics topics(CardStreamProperties properties) {
		return new NewTopics(topic("transactions", properties).build(), topic("scores", properties).build(),
				topic(FeatureTopic.NAME, properties).compact().build(),
				TopicBuilder.name("card-models").partitions(1).compact().build(),
				TopicBuilder.name("transactions.dead-letters").partitions(1).build());
	}

	private static TopicBuilder topic(String name, CardStreamProperties properties) {
		return TopicBuilder.name(name).partitions(properties.partitions());
	}

	/**
	 * What can be said of a single record is in its dead letter. What remains is true of
	 * the kernel or the broker, and passes: no record is ever skipped for it.
	 * <p>
	 * A container whose producer is fenced, as the broker does with a transaction that
	 * takes too long, goes on behind the records of that transaction unless it is told to
	 * stop.
	 * <p>
	 * {@link CardMeters} counts in a callback of the transaction, which Spring Kafka does
	 * not run by default.
	 */
	@Bean
	ListenerContainerCustomizer<AbstractMessageListenerContainer<byte[], byte[]>> transactions() {
		return (container, destination, group) -> {
			ContainerProperties properties = container.getContainerProperties();
			properties.setStopContainerWhenFenced(true);
			if (properties.getKafkaAwareTransactionManager() instanceof KafkaTransactionManager<?, ?> manager) {
				manager.setTransactionSynchronization(
						AbstractPlatformTransactionManager.SYNCHRONIZATION_ON_ACTUAL_TRANSACTION);
			}
			container.setAfterRollbackProcessor(new DefaultAfterRollbackProcessor<>(
					new FixedBackOff(RETRY_INTERVAL_MILLIS, FixedBackOff.UNLIMITED_ATTEMPTS)));
		};
	}

	/**
	 * Has a container that was fenced begin anew, after the last committed offsets. The
	 * thread that tells of it is the one that ends.
	 */
	@Bean
	ApplicationListener<ConsumerStoppedEvent> restartOfFencedContainers(
			@Qualifier(TaskExecutionAutoConfiguration.APPLICATION_TASK_EXECUTOR_BEAN_NAME) Executor executor) {
		return (event) -> {
			if (event.getReason() == ConsumerStoppedEvent.Reason.FENCED) {
				logger.warn("The producer was fenced: another one has its name, or a transaction took too long."
						+ " The consumer is restarted.");
				ConcurrentMessageListenerContainer<?, ?> container = event
					.getContainer(ConcurrentMessageListenerContainer.class);
				executor.execute(() -> {
					container.stop();
					container.start();
				});
			}
		};
	}

}
