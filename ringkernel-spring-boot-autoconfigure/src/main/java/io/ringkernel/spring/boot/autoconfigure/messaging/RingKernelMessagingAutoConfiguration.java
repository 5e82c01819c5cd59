package io.ringkernel.spring.boot.autoconfigure.messaging;

import io.ringkernel.spring.messaging.RecordMessageConverter;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.cloud.function.context.config.MessageConverterHelper;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.messaging.converter.AbstractMessageConverter;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for messages in the layout of a
 * ring, where kernels are functions. Spring Cloud Function finds the converter among the
 * beans.
 *
 * @since 0.2.0
 */
@AutoConfiguration
@ConditionalOnClass(AbstractMessageConverter.class)
@ConditionalOnBooleanProperty("ringkernel.functions")
public final class RingKernelMessagingAutoConfiguration {

	RingKernelMessagingAutoConfiguration() {
	}

	@Bean
	@ConditionalOnMissingBean
	RecordMessageConverter ringKernelMessageConverter() {
		return new RecordMessageConverter();
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(MessageConverterHelper.class)
	static class FunctionConfiguration {

		@Bean
		RefusedMessages ringKernelRefusedMessages() {
			return new RefusedMessages();
		}

	}

}
