package io.ringkernel.spring.boot.autoconfigure.actuate;

import java.util.Arrays;
import java.util.Map;

import javax.management.MBeanFeatureInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;

import io.ringkernel.backend.BackendProvider;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.spring.Kernels.TwiceAndRepeat;
import io.ringkernel.spring.RefusingDevice;
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

	private final ApplicationContextRunner overJmx = this.contextRunner
		.withConfiguration(AutoConfigurations.of(EndpointAutoConfiguration.class, JmxAutoConfiguration.class,
				JmxEndpointAutoConfiguration.class))
		.withPropertyValues("spring.jmx.enabled=true", "management.endpoints.jmx.exposure.include=ringkernels");

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
	void nothingCanBeChangedUnlessItIsSaid() {
		this.overJmx.run((context) -> {
			MBeanServer server = context.getBean(MBeanServer.class);
			assertThat(server.getMBeanInfo(endpoint(server)).getOperations()).extracting(MBeanFeatureInfo::getName)
				.containsExactlyInAnyOrder("ringKernels", "ringKernel", "ring");
		});
	}

	@Test
	void worksOverJmx() {
		this.overJmx.withPropertyValues("management.endpoint.ringkernels.access=UNRESTRICTED").run((context) -> {
			MBeanServer server = context.getBean(MBeanServer.class);
			ObjectName name = endpoint(server);
			assertThat(invoke(server, name, "ringKernels")).containsOnlyKeys("platform", "kernels");
			assertThat(invoke(server, name, "ringKernel", "twice")).containsEntry("state", "ACTIVE")
				.containsKeys("latency", "lastErrors", "occupancy");
			assertThat(invoke(server, name, "ring", "twice", "ring")).containsKeys("violations", "control", "slots");
			assertThat(invoke(server, name, "act", "twice", "deactivate")).containsEntry("state", "INACTIVE");
		});
	}

	@Test
	void showsWhatRequestsTookOnTheirDevice() {
		RefusingDevice device = new RefusingDevice();
		this.exposed.withBean("device", BackendProvider.class, device::provider)
			.withBean("cpu", BackendProvider.class, CpuBackendProvider::new)
			.run((context) -> {
				RingKernelsEndpoint endpoint = context.getBean(RingKernelsEndpoint.class);
				assertThat(endpoint.ringKernel("repeat-text")).doesNotContainKey("deviceTimes");
				device.tellOfARequest();
				assertThat(endpoint.ringKernel("repeat-text")).containsEntry("deviceTimes",
						Map.of("unit", "ns", "count", 1L, "mean", 128L, "below", Map.of("256", 1L)));
			});
	}

	private static ObjectName endpoint(MBeanServer server) throws Exception {
		return server.queryNames(new ObjectName("org.springframework.boot:type=Endpoint,name=Ringkernels,*"), null)
			.iterator()
			.next();
	}

	@SuppressWarnings("unchecked")
	private static Map<String, Object> invoke(MBeanServer server, ObjectName name, String operation,
			String... arguments) throws Exception {
		String[] types = new String[arguments.length];
		Arrays.fill(types, String.class.getName());
		return (Map<String, Object>) server.invoke(name, operation, arguments, types);
	}

}
