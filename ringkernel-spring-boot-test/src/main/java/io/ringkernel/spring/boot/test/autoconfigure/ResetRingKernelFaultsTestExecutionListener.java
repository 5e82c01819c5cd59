package io.ringkernel.spring.boot.test.autoconfigure;

import io.ringkernel.test.fault.RingKernelFaults;

import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestExecutionListener;
import org.springframework.test.context.support.AbstractTestExecutionListener;

/**
 * {@link TestExecutionListener} that resets the {@link RingKernelFaults} after each test:
 * kernels are as they were before the next one, and before the context is closed.
 */
class ResetRingKernelFaultsTestExecutionListener extends AbstractTestExecutionListener {

	@Override
	public int getOrder() {
		// What is called last before a test is called first after it.
		return Ordered.LOWEST_PRECEDENCE;
	}

	@Override
	public void afterTestMethod(TestContext testContext) {
		if (testContext.hasApplicationContext() && isActive(testContext.getApplicationContext())) {
			testContext.getApplicationContext()
				.getBeanProvider(RingKernelFaults.class)
				.ifAvailable(RingKernelFaults::reset);
		}
	}

	private static boolean isActive(ApplicationContext context) {
		return !(context instanceof ConfigurableApplicationContext configurable) || configurable.isActive();
	}

}
