package io.ringkernel.spring.boot.autoconfigure;

import io.ringkernel.exception.InvalidConfigurationException;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Whether ring kernels run. Refuses values such as yes, which would switch them off. */
class OnRingKernelEnabledCondition extends SpringBootCondition {

	private static final String NAME = "ringkernel.enabled";

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		String value = context.getEnvironment().getProperty(NAME, "true");
		boolean enabled = value.equalsIgnoreCase("true");
		if (!enabled && !value.equalsIgnoreCase("false")) {
			throw new InvalidConfigurationException(NAME, value, "is neither true nor false",
					"Set it to true or to false.");
		}
		return new ConditionOutcome(enabled, ConditionMessage.forCondition("Ring kernels").because(NAME + "=" + value));
	}

}
