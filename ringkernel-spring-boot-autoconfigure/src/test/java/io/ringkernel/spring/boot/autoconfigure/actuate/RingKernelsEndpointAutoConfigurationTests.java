package io.ringkernel.spring.boot.autoconfigure.actuate;

import java.lang.management.ManagementFactory;

import javax.management.MBeanServer;
import javax.management.ObjectName;

import io.ringkernel.spring.Kernels.TwiceAndRepeat;
import io.ringkernel.spring.boot.autoconfigure.RingKernelAutoConfiguration;
import org.junit.jupiter.api.Test;

import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.jmx.JmxEndpointAutoConfiguration;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.jmx.JmxAutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.map;

/**
 * Tests for {@link RingKernelsEndpointAutoConfiguration}.
 */
class RingKernelsEndpointAutoConfigurationTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(RingKernelAutoConfiguration.class, RingKernelsEndpointAutoConfiguration.class))
		.withUserConfiguration(TwiceAndRepeat.class);

	private final ApplicationContextRunner exposed = this.contextRunner
		.withPropertyValues("management.endpoints.web.exposure.include=ringkernels");

	@Test
	void isRegistered() {
		assertThat(ImportCandidates.load(AutoConfiguration.class, getClass().getClassLoader()))
			.contains(RingKernelsEndpointAutoConfiguration.class.getName());
	}

	@Test
	void presentWhereItIsExposed() {
		this.exposed.run((context) -> assertThat(context).hasSingleBean(RingKernelsEndpoint.class)
			.hasSingleBean(RingKernelsEndpointWebExtension.class));
	}

	@Test
	void absentWhereItIsNotExposed() {
		this.contextRunner.run((context) -> assertThat(context).doesNotHaveBean(RingKernelsEndpoint.class)
			.doesNotHaveBean(RingKernelsEndpointWebExtension.class));
	}

	@Test
	void absentWithoutAccess() {
		this.exposed.withPropertyValues("management.endpoint.ringkernels.access=NONE")
			.run((context) -> assertThat(context).doesNotHaveBean(RingKernelsEndpoint.class));
	}

	@Test
	void absentWhereKernelsAreDisabled() {
		this.exposed.withPropertyValues("ringkernel.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(RingKernelsEndpoint.class)
				.doesNotHaveBean(RingKernelsEndpointWebExtension.class));
	}

	@Test
	void absentWithoutActuator() {
		this.exposed.withClassLoader(new FilteredClassLoader(Endpoint.class))
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(RingKernelsEndpointAutoConfiguration.class)
				.hasBean("twice"));
	}

	@Test
	void endpointOfTheApplicationReplacesIt() {
		this.exposed.withBean("own", RingKernelsEndpoint.class)
			.run((context) -> assertThat(context).hasSingleBean(RingKernelsEndpoint.class).hasBean("own"));
	}

	@Test
	void worksOverJmx() {
		this.contextRunner
			.withConfiguration(AutoConfigurations.of(EndpointAutoConfiguration.class, JmxAutoConfiguration.class,
					JmxEndpointAutoConfiguration.class))
			.withPropertyValues("spring.jmx.enabled=true", "management.endpoints.jmx.exposure.include=ringkernels")
			.run((context) -> {
				MBeanServer server = ManagementFactory.getPlatformMBeanServer();
				ObjectName name = server
					.queryNames(new ObjectName("org.springframework.boot:type=Endpoint,name=Ringkernels,*"), null)
					.iterator()
					.next();
				assertThat(server.invoke(name, "ringKernels", new Object[0], new String[0]))
					.asInstanceOf(map(String.class, Object.class))
					.containsOnlyKeys("platform", "kernels");
				assertThat(server.invoke(name, "act", new Object[] { "twice", "deactivate" },
						new String[] { String.class.getName(), String.class.getName() }))
					.asInstanceOf(map(String.class, Object.class))
					.containsEntry("state", "INACTIVE");
			});
	}

}
