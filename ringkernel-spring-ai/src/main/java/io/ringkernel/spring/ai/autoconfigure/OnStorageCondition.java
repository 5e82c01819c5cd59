package io.ringkernel.spring.ai.autoconfigure;

import io.ringkernel.spring.ai.search.ElementType;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Compares the value that the store is given, rather than its text: Spring Boot binds
 * {@code float-16} as it binds {@code float16}.
 */
class OnStorageCondition extends SpringBootCondition {

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		ElementType wanted = metadata.getAnnotations()
			.get(ConditionalOnStorage.class)
			.getEnum("value", ElementType.class);
		ElementType storage = OnStoresCondition.properties(context.getEnvironment()).storage();
		return new ConditionOutcome(storage == wanted,
				ConditionMessage.forCondition(ConditionalOnStorage.class, wanted).because("storage is " + storage));
	}

}
