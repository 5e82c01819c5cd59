package io.ringkernel.spring.boot.autoconfigure;

import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;

/**
 * Matches if a process of its own may use the CUDA devices.
 */
class OnIsolationCondition extends AnyNestedCondition {

	OnIsolationCondition() {
		super(ConfigurationPhase.PARSE_CONFIGURATION);
	}

	@ConditionalOnProperty(name = "ringkernel.isolation", havingValue = "auto")
	static class IfPossible {

	}

	@ConditionalOnProperty(name = "ringkernel.isolation", havingValue = "process")
	static class Always {

	}

}
