package io.ringkernel.spring.boot.autoconfigure;

import java.util.ArrayList;
import java.util.List;

import io.ringkernel.runtime.KernelListener;
import io.ringkernel.runtime.RingKernelRuntime;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.core.annotation.AnnotationAwareOrderComparator;

/**
 * Tells the {@link KernelListener} beans of one context what happens to the kernels, from
 * before the first of them is launched until the context is closed. Those of a parent
 * context are told by its own registration.
 */
final class KernelListenerRegistration implements SmartInitializingSingleton, DisposableBean {

	private final RingKernelRuntime runtime;

	private final ListableBeanFactory beanFactory;

	private final List<KernelListener> listeners = new ArrayList<>();

	KernelListenerRegistration(RingKernelRuntime runtime, ListableBeanFactory beanFactory) {
		this.runtime = runtime;
		this.beanFactory = beanFactory;
	}

	@Override
	public void afterSingletonsInstantiated() {
		this.listeners.addAll(this.beanFactory.getBeansOfType(KernelListener.class).values());
		AnnotationAwareOrderComparator.sort(this.listeners);
		this.listeners.forEach(this.runtime::addListener);
	}

	@Override
	public void destroy() {
		this.listeners.forEach(this.runtime::removeListener);
	}

}
