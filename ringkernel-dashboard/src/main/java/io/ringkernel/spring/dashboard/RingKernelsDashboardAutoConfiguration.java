package io.ringkernel.spring.dashboard;

import java.time.Clock;

import io.micrometer.core.instrument.MeterRegistry;
import io.ringkernel.runtime.RingKernelRuntime;
import io.ringkernel.spring.boot.autoconfigure.actuate.RingKernelsEndpoint;
import io.ringkernel.spring.boot.autoconfigure.actuate.RingKernelsEndpointAutoConfiguration;
import io.ringkernel.spring.boot.autoconfigure.actuate.RingKernelsEndpointWebExtension;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.endpoint.expose.EndpointExposure;
import org.springframework.boot.actuate.endpoint.EndpointAccessResolver;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for
 * {@link RingKernelsDashboardEndpoint}. There is a dashboard only if both endpoints, it
 * and {@code ringkernels}, are exposed over HTTP.
 *
 * @since 0.2.0
 */
@AutoConfiguration(after = RingKernelsEndpointAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass(SseEmitter.class)
@ConditionalOnBean({ RingKernelsEndpoint.class, RingKernelsEndpointWebExtension.class })
@ConditionalOnAvailableEndpoint(endpoint = RingKernelsDashboardEndpoint.class, exposure = EndpointExposure.WEB)
@EnableConfigurationProperties(RingKernelsDashboardProperties.class)
@ImportRuntimeHints(RingKernelsDashboardAutoConfiguration.Page.class)
public final class RingKernelsDashboardAutoConfiguration {

	RingKernelsDashboardAutoConfiguration() {
	}

	@Bean
	DashboardStreams ringKernelsDashboardStreams(RingKernelsDashboardProperties properties,
			ApplicationContext application) {
		return new DashboardStreams(properties, application, DashboardStreams.TURN);
	}

	@Bean
	KernelHistory ringKernelsDashboardHistory(RingKernelRuntime runtime) {
		return new KernelHistory(runtime, Clock.systemUTC());
	}

	@Bean
	@ConditionalOnMissingBean
	RingKernelsDashboardEndpoint ringKernelsDashboardEndpoint(RingKernelsEndpoint endpoint, RingKernelRuntime runtime,
			EndpointAccessResolver access, ApplicationContext application, ObjectProvider<MeterRegistry> registry,
			KernelHistory history, DashboardStreams streams, RingKernelsDashboardProperties properties,
			ObjectProvider<PathMappedEndpoints> paths) {
		DashboardStatus status = new DashboardStatus(endpoint, runtime, access, application, registry, history);
		return new RingKernelsDashboardEndpoint(status, streams, properties, paths);
	}

	/** A native image has the files of the page. */
	static class Page implements RuntimeHintsRegistrar {

		@Override
		public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
			RingKernelsDashboardEndpoint.files()
				.forEach((file) -> hints.resources().registerPattern("io/ringkernel/spring/dashboard/" + file));
		}

	}

}
