package io.ringkernel.spring.boot.autoconfigure;

import java.nio.file.Path;
import java.time.Duration;

import io.ringkernel.backend.BackendProvider;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.cuda.CudaBackendProvider;
import io.ringkernel.cuda.host.KernelHostChoice;
import io.ringkernel.cuda.host.KernelHostProvider;
import io.ringkernel.exception.InvalidConfigurationException;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.runtime.RingKernelRuntime;
import io.ringkernel.spring.Kernels.TwiceAndRepeat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@code ringkernel.isolation}.
 */
class KernelHostConfigurationTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(RingKernelAutoConfiguration.class))
		.withUserConfiguration(TwiceAndRepeat.class)
		.withPropertyValues("ringkernel.defaults.workers=1");

	@Test
	void aProcessOfItsOwnIsTakenByDefaultWhereThereCanBeOne() {
		this.contextRunner.run((context) -> assertThat(provider(context)).isInstanceOf(KernelHostChoice.class));
	}

	@Test
	void theApplicationUsesTheDeviceItselfOnRequest() {
		this.contextRunner.withPropertyValues("ringkernel.isolation=none")
			.run((context) -> assertThat(provider(context)).isInstanceOf(CudaBackendProvider.class));
	}

	@Test
	void aDirectoryThatDoesNotExistIsReportedWhetherOrNotThereIsADriver(@TempDir Path parent) {
		Path absent = parent.resolve("absent");
		this.contextRunner.withPropertyValues("ringkernel.host.directory=" + absent)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(InvalidConfigurationException.class)
				.hasMessageContainingAll("ringkernel.host.directory", absent.toString(), "is no directory",
						"Create it"));
	}

	@Test
	void otherBackendsAreLeftAsTheyAre() {
		this.contextRunner.run((context) -> {
			BackendProvider cpu = new CpuBackendProvider();
			assertThat(context.getBean(DeviceIsolation.class).isolated(cpu)).isSameAs(cpu);
		});
	}

	@Test
	void aProcessOfItsOwnIsAskedForAPlan() {
		this.contextRunner.withPropertyValues("ringkernel.isolation=process", "ringkernel.host.start-timeout=60s")
			.run((context) -> {
				assertThat(provider(context)).isInstanceOf(KernelHostProvider.class);
				RingKernelRuntime runtime = context.getBean(RingKernelRuntime.class);
				boolean isOnDevice = runtime.plan().backend() == BackendKind.CUDA;
				assertThat(runtime.hosts()).as("a host runs where it is used")
					.allMatch((host) -> (host.pid() != 0) == isOnDevice);
				assertThat(runtime.plan().reasons())
					.anySatisfy((reason) -> assertThat(reason).containsPattern("not 'cuda'|process \\d+"));
			});
	}

	private static BackendProvider provider(ApplicationContext context) {
		return context.getBean(DeviceIsolation.class).isolated(new CudaBackendProvider());
	}

	@Test
	void aProcessThatCannotStartLeavesTheKernelsToTheCpu() {
		this.contextRunner.withPropertyValues("ringkernel.isolation=process", "ringkernel.host.start-timeout=1ns")
			.run((context) -> assertThat(context.getBean(RingKernelRuntime.class).plan().reasons())
				.anySatisfy((reason) -> assertThat(reason).contains("the kernel host is not to be had")));
	}

	@Test
	void aSilenceThatIsTooShortIsRefused() {
		this.contextRunner.withPropertyValues("ringkernel.isolation=process", "ringkernel.host.silence-timeout=1ms")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("ringkernel.host.silence-timeout = 1ms is out of range"));
	}

	@Test
	void aKernelCannotBeStuckAtOnce() {
		this.contextRunner.withPropertyValues("ringkernel.isolation=process", "ringkernel.host.stuck-after=0")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("ringkernel.host.stuck-after = 0 is less than 1"));
	}

	@Test
	void whetherAStuckKernelEndsItsHostIsConfigured() {
		assertThat(host(RingKernelProperties.OnStuck.RESTART).endedAfter()).isEqualTo(7);
		assertThat(host(RingKernelProperties.OnStuck.IGNORE).endedAfter()).isZero();
	}

	private static RingKernelProperties.Host host(RingKernelProperties.OnStuck onStuck) {
		return new RingKernelProperties.Host(null, Duration.ofSeconds(20), Duration.ofSeconds(3), onStuck, 7);
	}

	@Test
	void backendsThatAreBeansAreTheOnlyOnesToChooseFrom() {
		this.contextRunner.withPropertyValues("ringkernel.isolation=process")
			.withBean(CpuBackendProvider.class)
			.run((context) -> assertThat(context.getBean(RingKernelRuntime.class).plan().reasons())
				.noneMatch((reason) -> reason.contains("cuda")));
	}

	@Test
	void isolationIsNoneOfTheCpusBusiness() {
		this.contextRunner.withPropertyValues("ringkernel.isolation=process")
			.withClassLoader(new FilteredClassLoader(CudaBackendProvider.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(DeviceIsolation.class));
	}

}
