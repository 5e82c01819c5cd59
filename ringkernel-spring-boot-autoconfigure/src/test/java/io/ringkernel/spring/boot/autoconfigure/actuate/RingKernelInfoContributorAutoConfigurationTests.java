package io.ringkernel.spring.boot.autoconfigure.actuate;

import java.util.Map;

import io.ringkernel.runtime.RingKernelRuntime;
import io.ringkernel.spring.Kernels.TwiceAndRepeat;
import io.ringkernel.spring.boot.autoconfigure.RingKernelAutoConfiguration;
import org.junit.jupiter.api.Test;

import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.map;

/**
 * Tests for {@link RingKernelInfoContributorAutoConfiguration}.
 */
class RingKernelInfoContributorAutoConfigurationTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(RingKernelAutoConfiguration.class,
				RingKernelInfoContributorAutoConfiguration.class))
		.withUserConfiguration(TwiceAndRepeat.class)
		.withPropertyValues("management.info.ringkernel.enabled=true");

	@Test
	void isRegistered() {
		assertThat(ImportCandidates.load(AutoConfiguration.class, getClass().getClassLoader()))
			.contains(RingKernelInfoContributorAutoConfiguration.class.getName());
	}

	@Test
	void tellsThePlatformAndThePlan() {
		this.contextRunner.withPropertyValues("ringkernel.backend=cpu").run((context) -> {
			Info.Builder builder = new Info.Builder();
			context.getBean(RingKernelInfoContributor.class).contribute(builder);
			Map<String, String> platform = context.getBean(RingKernelRuntime.class).plan().platform();
			assertThat(platform).isNotEmpty();
			assertThat(builder.build().getDetails()).containsOnlyKeys("ringkernel")
				.extractingByKey("ringkernel", map(String.class, Object.class))
				.containsAllEntriesOf(platform)
				.extractingByKey("plan", map(String.class, Object.class))
				.containsEntry("backend", "cpu")
				.containsKeys("mode", "transport", "reasons");
		});
	}

	@Test
	void absentUnlessItIsEnabled() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(RingKernelAutoConfiguration.class,
					RingKernelInfoContributorAutoConfiguration.class))
			.withPropertyValues("management.info.defaults.enabled=true")
			.run((context) -> assertThat(context).doesNotHaveBean(RingKernelInfoContributor.class));
	}

	@Test
	void absentWhereKernelsAreDisabled() {
		this.contextRunner.withPropertyValues("ringkernel.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(RingKernelInfoContributor.class));
	}

	@Test
	void absentWithoutActuator() {
		this.contextRunner.withClassLoader(new FilteredClassLoader(InfoContributor.class))
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(RingKernelInfoContributorAutoConfiguration.class)
				.hasBean("twice"));
	}

	@Test
	void contributorOfTheApplicationReplacesIt() {
		this.contextRunner.withBean("own", RingKernelInfoContributor.class)
			.run((context) -> assertThat(context).hasSingleBean(RingKernelInfoContributor.class).hasBean("own"));
	}

}
