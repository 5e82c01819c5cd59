package io.ringkernel.spring.boot.autoconfigure;

import java.util.Arrays;
import java.util.List;

import io.ringkernel.RingKernelClient;
import io.ringkernel.runtime.RingKernelRuntime;
import io.ringkernel.spring.RingKernel;
import io.ringkernel.spring.UnservedKernelsException;

import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;

/** Checks that a child context with kernels has what registers and runs them. */
record ChildContextCheck(ApplicationContext context,
		RingKernelRuntime runtime) implements ApplicationListener<ContextRefreshedEvent> {

	@Override
	public void onApplicationEvent(ContextRefreshedEvent event) {
		ApplicationContext refreshed = event.getApplicationContext();
		if (!refreshed.equals(this.context) && refreshed.getBeanNamesForType(RingKernelClient.class).length == 0) {
			List<String> unserved = Arrays.stream(refreshed.getBeanNamesForAnnotation(RingKernel.class))
				.filter((name) -> !ScopedProxyUtils.isScopedTarget(name) && !isServed(refreshed, name))
				.toList();
			if (!unserved.isEmpty()) {
				throw new UnservedKernelsException(refreshed.getDisplayName(), unserved);
			}
		}
	}

	private boolean isServed(ApplicationContext child, String name) {
		RingKernel annotation = child.findAnnotationOnBean(name, RingKernel.class);
		return annotation == null || this.runtime.kernel(annotation.id()).isPresent();
	}

}
