package io.ringkernel.spring.ai.autoconfigure;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches if {@link RingKernelVectorStoreProperties#stores()} names no stores, so that
 * there is one.
 */
class OnStoresCondition extends SpringBootCondition {

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		int stores = properties(context.getEnvironment()).stores().size();
		return new ConditionOutcome(stores == 0,
				ConditionMessage.forCondition("One vector store").because("%d stores are named".formatted(stores)));
	}

	static RingKernelVectorStoreProperties properties(Environment environment) {
		return Binder.get(environment)
			.bindOrCreate(RingKernelVectorStoreProperties.PREFIX, RingKernelVectorStoreProperties.class);
	}

}
