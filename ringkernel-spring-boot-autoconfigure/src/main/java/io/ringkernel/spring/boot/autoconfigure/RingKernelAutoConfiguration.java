package io.ringkernel.spring.boot.autoconfigure;

import java.util.List;

import io.ringkernel.backend.BackendProvider;
import io.ringkernel.cuda.CudaBackendProvider;
import io.ringkernel.observe.KernelTimings;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import io.ringkernel.spring.KernelEventPublisher;
import io.ringkernel.spring.KernelDefaults;
import io.ringkernel.spring.KernelOptionsCustomizer;
import io.ringkernel.spring.KernelSettings;
import io.ringkernel.spring.RingKernel;
import io.ringkernel.spring.RingKernelLifecycle;
import io.ringkernel.spring.RingKernelRegistrar;
import io.ringkernel.spring.RingKernelRuntimeHints;
import io.ringkernel.spring.exchange.RingKernelProxyFactory;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.env.Environment;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for {@link RingKernel ring kernels}.
 * Whether they run on a GPU is decided when the {@link RingKernelRuntime} is opened, not
 * by a condition. Where {@link BackendProvider backends} are beans, it chooses among them
 * alone.
 * <p>
 * In a child of a context that has a runtime, it has that runtime serve the child's own
 * kernels, for as long as the child is open.
 *
 * @since 0.1.0
 */
@AutoConfiguration
@Conditional(OnRingKernelEnabledCondition.class)
@EnableConfigurationProperties(RingKernelProperties.class)
@ImportRuntimeHints(RingKernelRuntimeHints.class)
public final class RingKernelAutoConfiguration {

	RingKernelAutoConfiguration() {
	}

	@Bean
	static UnknownPropertiesCheck ringKernelUnknownPropertiesCheck(Environment environment) {
		return new UnknownPropertiesCheck(environment);
	}

	@Bean
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	static RingKernelRegistrar ringKernelRegistrar(Environment environment) {
		return new RingKernelRegistrar(true, areFunctionsRegistered(environment),
				(kernelId, declared) -> PropertiesKernelSettings.imageOf(environment, kernelId, declared));
	}

	/** The registrar comes before properties are bound. */
	static boolean areFunctionsRegistered(Environment environment) {
		return Binder.get(environment).bind("ringkernel.functions", Boolean.class).orElse(false);
	}

	@Bean
	@ConditionalOnMissingBean
	RingKernelRuntime ringKernelRuntime(RingKernelProperties properties, ObjectProvider<BackendProvider> backends,
			ObjectProvider<DeviceIsolation> isolation) {
		// A runtime that is open already would stay so.
		KernelTimings.check(properties.timingInterval());
		RingKernelRuntime runtime = RingKernelRuntime.open(properties.planRequest(), providers(backends, isolation));
		runtime.timingInterval(properties.timingInterval());
		runtime.failOnUnusableImage(properties.failOnUnusableImage());
		return runtime;
	}

	private static List<BackendProvider> providers(ObjectProvider<BackendProvider> beans,
			ObjectProvider<DeviceIsolation> isolation) {
		List<BackendProvider> providers = beans.orderedStream().toList();
		if (!providers.isEmpty()) {
			return providers;
		}
		DeviceIsolation ofDevices = isolation.getIfAvailable();
		List<BackendProvider> installed = BackendProvider.installed();
		return (ofDevices != null) ? installed.stream().map(ofDevices::isolated).toList() : installed;
	}

	/** Knows of CUDA, which may be absent. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(CudaBackendProvider.class)
	static class DeviceIsolationConfiguration {

		@Bean
		DeviceIsolation ringKernelDeviceIsolation(RingKernelProperties properties) {
			return new DeviceIsolation(properties);
		}

	}

	@Bean
	@ConditionalOnMissingBean(value = KernelSettings.class, ignored = PropertiesKernelSettings.class)
	KernelSettings ringKernelSettings(RingKernelProperties properties, Environment environment,
			ObjectProvider<KernelDefaults> libraries, ObjectProvider<KernelOptionsCustomizer> customizers) {
		return new PropertiesKernelSettings(properties, environment, libraries.orderedStream().toList(),
				customizers.orderedStream().toList());
	}

	@Bean
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	RingKernelLifecycle ringKernelLifecycle(RingKernelRuntime runtime, ObjectProvider<Kernel<?, ?>> kernels,
			KernelSettings settings) {
		return new RingKernelLifecycle(runtime, kernels, settings);
	}

	@Bean
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
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
			ListableBeanFactory beanFactory) {
		return new KernelListenerRegistration(runtime, beanFactory);
	}

	@Bean
	ChildContextCheck ringKernelChildContextCheck(ApplicationContext context, RingKernelRuntime runtime) {
		return new ChildContextCheck(context, runtime);
	}

}
