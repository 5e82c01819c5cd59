package io.ringkernel.spring.boot.autoconfigure.messaging;

import java.util.Collection;

import io.ringkernel.runtime.RingKernelRuntime;
import io.ringkernel.spring.KernelSettings;
import io.ringkernel.spring.boot.autoconfigure.RingKernelAutoConfiguration;
import io.ringkernel.spring.messaging.ConsumerPauses;
import io.ringkernel.spring.messaging.PausableConsumers;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.cloud.stream.binding.BindingsLifecycleController;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;

/**
 * {@link EnableAutoConfiguration Auto-configuration} that pauses the consumers of a
 * kernel while it takes no requests. Each context pauses consumers of its own, for
 * kernels of its parent as well.
 *
 * @since 0.2.0
 */
@AutoConfiguration(after = RingKernelAutoConfiguration.class,
		afterName = { "org.springframework.cloud.stream.config.BindingServiceConfiguration",
				"org.springframework.cloud.stream.config.BindingsEndpointAutoConfiguration",
				"org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration" })
@ConditionalOnBean(RingKernelRuntime.class)
public final class RingKernelConsumersAutoConfiguration {

	RingKernelConsumersAutoConfiguration() {
	}

	@Bean
	@ConditionalOnBean(value = PausableConsumers.class, search = SearchStrategy.CURRENT)
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	ConsumerPauses ringKernelConsumerPauses(RingKernelRuntime runtime, KernelSettings settings,
			ObjectProvider<PausableConsumers> consumers, ListableBeanFactory beanFactory) {
		Collection<PausableConsumers> own = beanFactory.getBeansOfType(PausableConsumers.class).values();
		return new ConsumerPauses(runtime, settings, consumers.orderedStream().filter(own::contains).toList());
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(BindingsLifecycleController.class)
	static class StreamConfiguration {

		@Bean
		@ConditionalOnBean(value = BindingsLifecycleController.class, search = SearchStrategy.CURRENT)
		StreamBindings ringKernelStreamBindings(BindingsLifecycleController bindings) {
			return new StreamBindings(bindings);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(KafkaListenerEndpointRegistry.class)
	static class KafkaConfiguration {

		@Bean
		@ConditionalOnBean(value = KafkaListenerEndpointRegistry.class, search = SearchStrategy.CURRENT)
		KafkaListeners ringKernelKafkaListeners(KafkaListenerEndpointRegistry listeners) {
			return new KafkaListeners(listeners);
		}

	}

}
