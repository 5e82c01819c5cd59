package io.ringkernel.spring.boot.autoconfigure;

import io.ringkernel.runtime.KernelListener;
import io.ringkernel.runtime.RingKernelRuntime;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Has all {@link KernelListener} beans told what happens to the kernels, from before the
 * first of them is launched.
 */
final class KernelListenerRegistration implements SmartInitializingSingleton {

	private final RingKernelRuntime runtime;

	private final ObjectProvider<KernelListener> listeners;

	KernelListenerRegistration(RingKernelRuntime runtime, ObjectProvider<KernelListener> listeners) {
		this.runtime = runtime;
		this.listeners = listeners;
	}

	@Override
	public void afterSingletonsInstantiated() {
		this.listeners.orderedStream().forEach(this.runtime::addListener);
	}

}
