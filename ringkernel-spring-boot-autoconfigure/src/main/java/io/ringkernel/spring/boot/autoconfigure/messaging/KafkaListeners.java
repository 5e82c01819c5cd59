package io.ringkernel.spring.boot.autoconfigure.messaging;

import io.ringkernel.spring.messaging.PausableConsumers;

import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.listener.MessageListenerContainer;

/** The listeners of Spring Kafka, by their ids. */
record KafkaListeners(KafkaListenerEndpointRegistry listeners) implements PausableConsumers {

	@Override
	public boolean contains(String name) {
		return this.listeners.getListenerContainer(name) != null;
	}

	@Override
	public boolean pause(String name) {
		MessageListenerContainer container = this.listeners.getListenerContainer(name);
		if (container == null || container.isPauseRequested()) {
			return false;
		}
		container.pause();
		return true;
	}

	@Override
	public void resume(String name) {
		MessageListenerContainer container = this.listeners.getListenerContainer(name);
		if (container != null) {
			container.resume();
		}
	}

}
