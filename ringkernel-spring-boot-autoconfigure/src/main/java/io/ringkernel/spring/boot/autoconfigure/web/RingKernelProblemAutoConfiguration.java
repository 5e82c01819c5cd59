package io.ringkernel.spring.boot.autoconfigure.web;

import io.ringkernel.runtime.RingKernelRuntime;
import io.ringkernel.spring.boot.autoconfigure.RingKernelAutoConfiguration;
import io.ringkernel.spring.web.RingKernelProblemAdvice;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.web.bind.annotation.ControllerAdvice;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for {@link RingKernelProblemAdvice}.
 *
 * @since 0.2.0
 */
@AutoConfiguration(after = RingKernelAutoConfiguration.class)
@ConditionalOnClass(ControllerAdvice.class)
@ConditionalOnBean(RingKernelRuntime.class)
public final class RingKernelProblemAutoConfiguration {

	RingKernelProblemAutoConfiguration() {
	}

	@Bean
	@ConditionalOnMissingBean
	RingKernelProblemAdvice ringKernelProblemAdvice() {
		return new RingKernelProblemAdvice();
	}

}
