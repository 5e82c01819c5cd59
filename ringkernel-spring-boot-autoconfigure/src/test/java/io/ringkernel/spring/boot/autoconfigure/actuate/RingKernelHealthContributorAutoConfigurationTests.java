package io.ringkernel.spring.boot.autoconfigure.actuate;

import io.ringkernel.KernelState;
import io.ringkernel.backend.BackendProvider;
import io.ringkernel.runtime.FaultyProvider;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.spring.Kernels.TwiceAndRepeat;
import io.ringkernel.spring.boot.autoconfigure.RingKernelAutoConfiguration;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.health.autoconfigure.contributor.HealthContributorAutoConfiguration;
import org.springframework.boot.health.autoconfigure.registry.HealthContributorRegistryAutoConfiguration;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.health.registry.HealthContributorRegistry;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RingKernelHealthContributorAutoConfiguration}.
 */
class RingKernelHealthContributorAutoConfigurationTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(RingKernelAutoConfiguration.class,
				RingKernelHealthContributorAutoConfiguration.class, HealthContributorAutoConfiguration.class,
				HealthContributorRegistryAutoConfiguration.class))
		.withUserConfiguration(TwiceAndRepeat.class);

	@Test
	void isRegistered() {
		assertThat(ImportCandidates.load(AutoConfiguration.class, getClass().getClassLoader()))
			.contains(RingKernelHealthContributorAutoConfiguration.class.getName());
	}

	@Test
	void everyKernelIsAChildOfTheComponent() {
		this.contextRunner.run((context) -> {
			CompositeHealthContributor component = (CompositeHealthContributor) context
				.getBean(HealthContributorRegistry.class)
				.getContributor("ringKernel");
			assertThat(component.stream().map((entry) -> entry.name())).containsExactly("twice", "repeat-text");
			HealthIndicator child = (HealthIndicator) component.getContributor("repeat-text");
			Health health = child.health();
			assertThat(health.getStatus()).isEqualTo(Status.UP);
			assertThat(health.getDetails()).containsEntry("state", KernelState.ACTIVE.name())
				.containsEntry("backend", "cpu")
				.containsEntry("processed", 0L)
				.containsKey("reasons");
			assertThat(component.getContributor("none")).isNull();
		});
	}

	@Test
	void childFollowsTheKernel() {
		this.contextRunner.run((context) -> {
			RingKernelHealthContributor component = context.getBean(RingKernelHealthContributor.class);
			Kernel<?, ?> kernel = context.getBean("twice.kernel", Kernel.class);
			kernel.deactivate();
			assertThat(((HealthIndicator) component.getContributor("twice")).health().getStatus())
				.isEqualTo(Status.OUT_OF_SERVICE);
			kernel.activate();
			assertThat(((HealthIndicator) component.getContributor("twice")).health().getStatus()).isEqualTo(Status.UP);
		});
	}

	@Test
	void absentWhereItIsDisabled() {
		this.contextRunner.withPropertyValues("management.health.ringkernel.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(RingKernelHealthContributor.class));
	}

	@Test
	void absentWhereKernelsAreDisabled() {
		this.contextRunner.withPropertyValues("ringkernel.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(RingKernelHealthContributor.class));
	}

	@Test
	void absentWithoutActuator() {
		this.contextRunner.withClassLoader(new FilteredClassLoader(HealthContributor.class))
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(RingKernelHealthContributor.class)
				.hasBean("twice"));
	}

	@Test
	void platformIsAComponentOfItsOwn() {
		this.contextRunner.withPropertyValues("ringkernel.backend=cpu").run((context) -> {
			HealthIndicator component = (HealthIndicator) context.getBean(HealthContributorRegistry.class)
				.getContributor("ringKernelPlatform");
			assertThat(component.health().getStatus()).isEqualTo(Status.UP);
			assertThat(component.health().getDetails()).containsEntry("demanded", "cpu").containsKey("plan");
		});
	}

	@Test
	void deviceThatIsLostIsDown() {
		BackendProvider losesItsDevice = new FaultyProvider()
			.withDeviceFailure(() -> new IllegalStateException("it fell off the bus."));
		this.contextRunner.withBean(BackendProvider.class, () -> losesItsDevice).run((context) -> {
			Health health = context.getBean(RingKernelPlatformHealthIndicator.class).health();
			assertThat(health.getStatus()).isEqualTo(Status.DOWN);
			assertThat((String) health.getDetails().get("problem"))
				.isEqualTo("This process has lost the device: it fell off the bus. Restart the application.");
		});
	}

	@Test
	void driverWhoseLibraryIsMissingIsDownAndNoError() {
		BackendProvider noLibrary = new FaultyProvider().withDeviceFailure(() -> {
			throw new NoClassDefFoundError("jcuda/driver/JCudaDriver");
		});
		this.contextRunner.withBean(BackendProvider.class, () -> noLibrary)
			.run((context) -> assertThat(context.getBean(RingKernelPlatformHealthIndicator.class).health().getDetails())
				.containsEntry("error", "java.lang.NoClassDefFoundError: jcuda/driver/JCudaDriver"));
	}

	@Test
	void indicatorOfTheApplicationReplacesThatOfThePlatform() {
		this.contextRunner
			.withBean("ringKernelPlatformHealthIndicator", HealthIndicator.class, () -> () -> Health.unknown().build())
			.run((context) -> assertThat(context).doesNotHaveBean(RingKernelPlatformHealthIndicator.class)
				.hasSingleBean(RingKernelHealthContributor.class));
	}

	@Test
	void contributorOfTheApplicationReplacesIt() {
		this.contextRunner
			.withBean("ringKernelHealthContributor", HealthIndicator.class, () -> () -> Health.unknown().build())
			.run((context) -> assertThat(context).doesNotHaveBean(RingKernelHealthContributor.class));
	}

}
