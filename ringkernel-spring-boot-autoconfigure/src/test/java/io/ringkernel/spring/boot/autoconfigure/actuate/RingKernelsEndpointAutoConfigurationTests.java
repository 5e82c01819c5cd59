package io.ringkernel.spring.boot.autoconfigure.actuate;

import java.security.Principal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import javax.management.MBeanFeatureInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;

import io.ringkernel.KernelState;
import io.ringkernel.RingKernelClient;
import io.ringkernel.backend.BackendProvider;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.exception.HandlerFailedException;
import io.ringkernel.runtime.RingKernelRuntime;
import io.ringkernel.spring.Kernels.Number;
import io.ringkernel.spring.Kernels.Text;
import io.ringkernel.spring.Kernels.TwiceAndRepeat;
import io.ringkernel.spring.RefusingDevice;
import io.ringkernel.spring.boot.autoconfigure.RingKernelAutoConfiguration;
import org.junit.jupiter.api.Test;

import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.jmx.JmxEndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.web.WebEndpointAutoConfiguration;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.jmx.JmxAutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import org.springframework.web.servlet.DispatcherServlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

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
	void withJerseyARequestIsComparedWithItsPath() {
		this.exposed.run((context) -> {
			RingKernelsEndpointWebExtension extension = context.getBean(RingKernelsEndpointWebExtension.class);
			MockHttpServletRequest request = new MockHttpServletRequest("POST", "/actuator/ringkernels/repeat-text");
			RequestContextHolder.setRequestAttributes(new ServletRequestAttributes(request));
			try {
				assertThat(extension.act(SecurityContext.NONE, "twice", "terminate").getStatus()).isEqualTo(400);
				assertThat(extension.act(SecurityContext.NONE, "repeat-text", "deactivate").getStatus()).isEqualTo(200);
			}
			finally {
				RequestContextHolder.resetRequestAttributes();
			}
			assertThat(context.getBean(RingKernelRuntime.class).kernel("twice").orElseThrow().state())
				.isEqualTo(KernelState.ACTIVE);
		});
	}

	@Test
	void withoutSpringMvcAFilterBindsTheRequestToItsThread() {
		WebApplicationContextRunner web = new WebApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(RingKernelAutoConfiguration.class,
					RingKernelsEndpointAutoConfiguration.class, EndpointAutoConfiguration.class,
					WebEndpointAutoConfiguration.class, RingKernelsManagementContextConfiguration.class))
			.withUserConfiguration(TwiceAndRepeat.class)
			.withPropertyValues("management.endpoints.web.exposure.include=ringkernels");
		web.withClassLoader(new FilteredClassLoader(DispatcherServlet.class))
			.run((context) -> assertThat(context).hasBean("ringKernelsRequestContextFilter"));
		web.run((context) -> assertThat(context).doesNotHaveBean("ringKernelsRequestContextFilter"));
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
		this.exposed
			.withInitializer((context) -> ((GenericApplicationContext) context).registerBean("own",
					RingKernelsEndpoint.class, () -> new RingKernelsEndpoint(context.getBean(RingKernelRuntime.class))))
			.run((context) -> assertThat(context).hasSingleBean(RingKernelsEndpoint.class).hasBean("own"));
	}

	@Test
	void nothingCanBeChangedUnlessItIsSaid() {
		this.overJmx.run((context) -> {
			MBeanServer server = context.getBean(MBeanServer.class);
			assertThat(server.getMBeanInfo(endpoint(server)).getOperations()).extracting(MBeanFeatureInfo::getName)
				.containsExactlyInAnyOrder("ringKernels", "ringKernel", "view");
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
			assertThat(invoke(server, name, "view", "twice", "ring")).containsKeys("violations", "control", "slots");
			assertThat(invoke(server, name, "view", "twice", "code")).containsKeys("handler", "lines");
			assertThat(invoke(server, name, "act", "twice", "deactivate")).containsEntry("state", "INACTIVE");
		});
	}

	@Test
	void messagesOfErrorsAreHiddenUnlessTheyAreToBeShown() {
		this.exposed.run((context) -> assertThat(messageOfAnError(context, user(true))).isEqualTo("******"));
		ApplicationContextRunner always = this.exposed
			.withPropertyValues("management.endpoint.ringkernels.show-values=always");
		always.run((context) -> assertThat(messageOfAnError(context, user(false))).contains("repeat-text"));
	}

	@Test
	void messagesOfErrorsAreShownToRolesThatMayReadThem() {
		ApplicationContextRunner authorized = this.exposed
			.withPropertyValues("management.endpoint.ringkernels.show-values=when-authorized");
		authorized.run((context) -> {
			assertThat(messageOfAnError(context, SecurityContext.NONE)).isEqualTo("******");
			assertThat(messageOfAnError(context, user(false))).contains("repeat-text");
		});
		authorized.withPropertyValues("management.endpoint.ringkernels.roles=operator").run((context) -> {
			assertThat(messageOfAnError(context, user(false))).isEqualTo("******");
			assertThat(messageOfAnError(context, user(true))).contains("repeat-text");
		});
	}

	@SuppressWarnings("unchecked")
	private static String messageOfAnError(AssertableApplicationContext context, SecurityContext user) {
		RingKernelClient<Number, Text> client = context.getBean("repeat-text", RingKernelClient.class);
		assertThatExceptionOfType(HandlerFailedException.class).isThrownBy(() -> client.call(new Number(1000)));
		RingKernelsEndpointWebExtension endpoint = context.getBean(RingKernelsEndpointWebExtension.class);
		Object all = ((Map<String, Map<String, ?>>) endpoint.ringKernels(user).get("kernels")).get("repeat-text")
			.get("lastErrors");
		Object one = endpoint.ringKernel(user, "repeat-text").getBody().get("lastErrors");
		assertThat(all).isEqualTo(one);
		return (String) ((List<Map<String, Object>>) one).get(0).get("message");
	}

	private static SecurityContext user(boolean operator) {
		return new SecurityContext() {

			@Override
			public Principal getPrincipal() {
				return () -> "user";
			}

			@Override
			public boolean isUserInRole(String role) {
				return operator;
			}

		};
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
