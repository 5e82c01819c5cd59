package io.ringkernel.spring.boot.autoconfigure;

import java.util.List;

import io.ringkernel.backend.BackendProvider;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.KernelListener;
import io.ringkernel.runtime.RingKernelRuntime;
import io.ringkernel.spring.KernelEventPublisher;
import io.ringkernel.spring.KernelOptionsCustomizer;
import io.ringkernel.spring.KernelSettings;
import io.ringkernel.spring.RingKernel;
import io.ringkernel.spring.RingKernelLifecycle;
import io.ringkernel.spring.RingKernelRegistrar;
import io.ringkernel.spring.RingKernelRuntimeHints;
import io.ringkernel.spring.exchange.RingKernelProxyFactory;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ImportRuntimeHints;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for {@link RingKernel ring kernels}.
 * Whether they run on a GPU is decided when the {@link RingKernelRuntime} is opened, not
 * by a condition. Where {@link BackendProvider backends} are beans, it chooses among them
 * alone.
 */
@AutoConfiguration
@ConditionalOnBooleanProperty(name = "ringkernel.enabled", matchIfMissing = true)
@EnableConfigurationProperties(RingKernelProperties.class)
@ImportRuntimeHints(RingKernelRuntimeHints.class)
public final class RingKernelAutoConfiguration {

	RingKernelAutoConfiguration() {
	}

	@Bean
	@ConditionalOnMissingBean
	static RingKernelRegistrar ringKernelRegistrar() {
		return new RingKernelRegistrar();
	}

	@Bean
	@ConditionalOnMissingBean
	RingKernelRuntime ringKernelRuntime(RingKernelProperties properties, ObjectProvider<BackendProvider> backends) {
		RingKernelRuntime runtime = open(properties.planRequest(), backends.orderedStream().toList());
		runtime.timingInterval(properties.timingInterval());
		return runtime;
	}

	private static RingKernelRuntime open(PlanRequest request, List<BackendProvider> beans) {
		return beans.isEmpty() ? RingKernelRuntime.open(request) : RingKernelRuntime.open(request, beans);
	}

	@Bean
	@ConditionalOnMissingBean
	KernelSettings ringKernelSettings(RingKernelProperties properties,
			ObjectProvider<KernelOptionsCustomizer> customizers) {
		return new PropertiesKernelSettings(properties, customizers.orderedStream().toList());
	}

	@Bean
	@ConditionalOnMissingBean
	RingKernelLifecycle ringKernelLifecycle(RingKernelRuntime runtime, ObjectProvider<Kernel<?, ?>> kernels,
			KernelSettings settings) {
		return new RingKernelLifecycle(runtime, kernels, settings);
	}

	@Bean
	@ConditionalOnMissingBean
	RingKernelProxyFactory ringKernelProxyFactory(ConfigurableListableBeanFactory beanFactory) {
		return new RingKernelProxyFactory(beanFactory);
	}

	@Bean
	@ConditionalOnMissingBean
	KernelEventPublisher ringKernelEventPublisher(ApplicationEventPublisher publisher) {
		return new KernelEventPublisher(publisher);
	}

	@Bean
	KernelListenerRegistration ringKernelListenerRegistration(RingKernelRuntime runtime,
			ObjectProvider<KernelListener> listeners) {
		return new KernelListenerRegistration(runtime, listeners);
	}

}
