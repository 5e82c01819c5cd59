package io.ringkernel.spring.boot.autoconfigure;

import java.util.List;

import io.ringkernel.KernelState;
import io.ringkernel.RingKernelClient;
import io.ringkernel.backend.BackendProvider;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.Replay;
import io.ringkernel.backend.ReplayPolicy;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.PlanOffer;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import io.ringkernel.spring.KernelDefaults;
import io.ringkernel.spring.KernelOptionsCustomizer;
import io.ringkernel.spring.KernelSettings;
import io.ringkernel.spring.Kernels.Number;
import io.ringkernel.spring.Kernels.Text;
import io.ringkernel.spring.Kernels.Twice;
import io.ringkernel.spring.Kernels.TwiceAndRepeat;
import io.ringkernel.spring.RingKernel;
import io.ringkernel.spring.RingKernelLifecycle;
import io.ringkernel.spring.RingKernelRegistrar;
import io.ringkernel.spring.UnknownKernelIdException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.AdditionalAnswers.delegatesTo;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;

/**
 * Tests for {@link RingKernelAutoConfiguration}.
 */
@ExtendWith(OutputCaptureExtension.class)
class RingKernelAutoConfigurationTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(RingKernelAutoConfiguration.class))
		.withUserConfiguration(TwiceAndRepeat.class)
		.withPropertyValues("ringkernel.defaults.workers=1");

	@Test
	void isRegistered() {
		assertThat(ImportCandidates.load(AutoConfiguration.class, getClass().getClassLoader())).contains(
				RingKernelAutoConfiguration.class.getName(), ConfiguredKernelsCheckAutoConfiguration.class.getName());
	}

	@Test
	void backendsThatAreBeansAreTheOnlyOnesToChooseFrom() {
		PlanOffer.Refused refusal = new PlanOffer.Refused("it is not today's", "Try tomorrow.");
		BackendProvider cpu = mock();
		given(cpu.kind()).willReturn(BackendKind.CPU);
		given(cpu.plan(any())).willReturn(refusal);
		this.contextRunner.withBean(BackendProvider.class, () -> cpu)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("not 'cpu', because it is not today's")
				.hasMessageNotContaining("cuda"));
	}

	@Test
	void configuredKernelThatIsMissingIsLeftToACheckOfItsOwn() {
		this.contextRunner.withPropertyValues("ringkernel.kernels.twize.workers=2")
			.run((context) -> assertThat(context).hasNotFailed());
		this.contextRunner.withPropertyValues("ringkernel.kernels.twize.workers=2")
			.withConfiguration(AutoConfigurations.of(ConfiguredKernelsCheckAutoConfiguration.class))
			.run((context) -> assertThat(context).getFailure().isInstanceOf(UnknownKernelIdException.class));
	}

	@Test
	void configuredKernelsAreNotCheckedWhereTheyAreDisabled() {
		this.contextRunner.withPropertyValues("ringkernel.kernels.twize.workers=2", "ringkernel.enabled=false")
			.withConfiguration(AutoConfigurations.of(ConfiguredKernelsCheckAutoConfiguration.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(ConfiguredKernelsCheck.class));
	}

	@Test
	void kernelsAnswer() {
		this.contextRunner.withBean(Caller.class).run((context) -> {
			assertThat(context.getBean(Caller.class).twice.call(new Number(21))).isEqualTo(new Number(42));
			assertThat(context.getBean(Caller.class).repeat.call(new Number(3))).isEqualTo(new Text("xxx"));
		});
	}

	@Test
	void kernelsAnswerWhereBeansAreCreatedLazily() {
		this.contextRunner.withBean(Caller.class)
			.withInitializer(
					(context) -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
			.run((context) -> assertThat(context.getBean(Caller.class).twice.call(new Number(2)).value()).isEqualTo(4));
	}

	@Test
	void handlersAreNotCreatedWhereTheKernelsAreDisabled() {
		this.contextRunner.withPropertyValues("ringkernel.enabled=false").run((context) -> {
			assertThat(context).hasNotFailed()
				.doesNotHaveBean(RingKernelAutoConfiguration.class)
				.doesNotHaveBean(RingKernelProperties.class)
				.doesNotHaveBean(RingKernelRegistrar.class)
				.doesNotHaveBean(RingKernelRuntime.class)
				.doesNotHaveBean(RingKernelLifecycle.class)
				.doesNotHaveBean(Kernel.class)
				.doesNotHaveBean(RingKernelClient.class);
		});
	}

	@Test
	void disabledKernelsSayNothing(CapturedOutput output) {
		this.contextRunner.withPropertyValues("ringkernel.enabled=false")
			.run((context) -> assertThat(output).doesNotContain("io.ringkernel"));
	}

	@Test
	void startupSaysOnceHowKernelsRunAndWhy(CapturedOutput output) {
		this.contextRunner.run((context) -> {
			assertThat(output.toString().lines().filter((line) -> line.contains("ringkernel"))).satisfiesExactly(
					(plan) -> assertThat(plan).contains("INFO", "backend 'cpu'", "mode 'persistent'", "because "),
					(image) -> assertThat(image).contains("WARN", "'repeat-text'", "its image 'classpath:repeat.ptx'"));
			assertThat(output).doesNotContain("ERROR", "Exception");
		});
	}

	@Test
	void kernelsAskThePolicyOfTheApplicationWhatIsHandledAgain() {
		ReplayPolicy policy = (kernelId, request) -> request instanceof Number;
		this.contextRunner.withBean(ReplayPolicy.class, () -> policy)
			.run((context) -> assertThat(context.getBeansOfType(Kernel.class).values()).isNotEmpty()
				.allSatisfy((kernel) -> assertThat(kernel.spec().replay()).isSameAs(policy)));
		this.contextRunner.run((context) -> assertThat(context.getBeansOfType(Kernel.class).values()).isNotEmpty()
			.allSatisfy((kernel) -> assertThat(kernel.spec().replay()).isNull()));
	}

	@Test
	void twoPoliciesAreNoAnswer() {
		ReplayPolicy policy = (kernelId, request) -> true;
		this.contextRunner.withBean("first", ReplayPolicy.class, () -> policy)
			.withBean("second", ReplayPolicy.class, () -> policy)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(NoUniqueBeanDefinitionException.class)
				.hasMessageContainingAll("first", "second"));
	}

	@Test
	void applicationWithoutKernelsStarts() {
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(RingKernelAutoConfiguration.class))
			.run((context) -> assertThat(context).hasSingleBean(RingKernelRuntime.class)
				.doesNotHaveBean(Kernel.class)
				.doesNotHaveBean(RingKernelClient.class));
	}

	@Test
	void backendThatIsAskedForIsUsed() {
		this.contextRunner.withPropertyValues("ringkernel.backend=cpu")
			.run((context) -> assertThat(context.getBean(RingKernelRuntime.class).plan())
				.satisfies((plan) -> assertThat(plan.backend()).isEqualTo(BackendKind.CPU))
				.satisfies((plan) -> assertThat(plan.reasons()).contains("backend 'cpu' was asked for")));
	}

	@Test
	void modeThatIsAskedForIsUsed() {
		this.contextRunner.withPropertyValues("ringkernel.mode=event-driven").withBean(Caller.class).run((context) -> {
			assertThat(context.getBean(RingKernelRuntime.class).plan().mode()).isEqualTo(ExecutionMode.EVENT_DRIVEN);
			assertThat(context.getBean(Caller.class).twice.call(new Number(1))).isEqualTo(new Number(2));
		});
	}

	@Test
	void runtimeOfTheApplicationIsUsed() {
		this.contextRunner
			.withBean("runtime", RingKernelRuntime.class,
					() -> RingKernelRuntime.open(PlanRequest.AUTO, List.of(new CpuBackendProvider())))
			.run((context) -> {
				assertThat(context).hasSingleBean(RingKernelRuntime.class).hasBean("runtime");
				assertThat(context.getBean(RingKernelRuntime.class).kernels()).hasSize(2)
					.allMatch((kernel) -> kernel.state() == KernelState.ACTIVE);
			});
	}

	@Test
	void settingsOfTheApplicationAreUsed() {
		KernelSettings settings = (kernelId) -> KernelOptions.builder().workers(3).build();
		this.contextRunner.withBean("settings", KernelSettings.class, () -> settings)
			.run((context) -> assertThat(context.getBean("twice.kernel", Kernel.class).spec().options().workers())
				.isEqualTo(3));
	}

	@Test
	void optionsAreCustomizedInOrderOnceConfigurationHasBeenRead() {
		this.contextRunner.withPropertyValues("ringkernel.kernels.twice.workers=2")
			.withUserConfiguration(Customizers.class)
			.run((context) -> {
				assertThat(context.getBean("twice.kernel", Kernel.class).spec().options().workers()).isEqualTo(21);
				assertThat(context.getBean("repeat-text.kernel", Kernel.class).spec().options().workers()).isEqualTo(1);
			});
	}

	@Configuration(proxyBeanMethods = false)
	static class Customizers {

		@Bean
		@Order(2)
		KernelOptionsCustomizer plusOne() {
			return (kernelId, options) -> kernelId.equals("twice")
					? options.toBuilder().workers(options.workers() + 1).build() : options;
		}

		@Bean
		@Order(1)
		KernelOptionsCustomizer timesTen() {
			return (kernelId, options) -> kernelId.equals("twice")
					? options.toBuilder().workers(options.workers() * 10).build() : options;
		}

	}

	@Test
	void customizerHasTheLastWordOnWhatTheAnnotationDeclares() {
		KernelOptionsCustomizer never = (kernelId, options) -> options.toBuilder().replay(Replay.NEVER).build();
		this.contextRunner.withBean(Repeatable.class)
			.run((context) -> assertThat(replay(context, "repeatable")).isEqualTo(Replay.IDEMPOTENT));
		this.contextRunner.withBean(Repeatable.class)
			.withBean(KernelOptionsCustomizer.class, () -> never)
			.run((context) -> assertThat(replay(context, "repeatable")).isEqualTo(Replay.NEVER));
	}

	@Test
	void settingsOfTheApplicationSayWhatIsReplayedIfNothingIsDeclared() {
		KernelSettings settings = (kernelId) -> KernelOptions.builder().replay(Replay.IDEMPOTENT).build();
		this.contextRunner.withBean("settings", KernelSettings.class, () -> settings)
			.run((context) -> assertThat(replay(context, "twice")).isEqualTo(Replay.IDEMPOTENT));
	}

	private static Replay replay(ApplicationContext context, String kernelId) {
		return context.getBean(kernelId + ".kernel", Kernel.class).spec().options().replay();
	}

	@RingKernel(id = "repeatable", replay = Replay.IDEMPOTENT)
	static class Repeatable extends Twice {

	}

	@Test
	void defaultsOfALibraryGiveWayToWhatIsConfigured() {
		KernelDefaults wide = (kernelId, defaults) -> kernelId.equals("twice")
				? defaults.toBuilder().threadsPerWorker(96).build() : defaults;
		int narrow = KernelOptions.DEFAULTS.threadsPerWorker();
		ApplicationContextRunner runner = this.contextRunner.withBean(KernelDefaults.class, () -> wide);
		runner.run((context) -> assertThat(threads(context)).isEqualTo(96));
		// Also where that is what a kernel has without the library.
		runner.withPropertyValues("ringkernel.kernels.twice.threads-per-worker=" + narrow)
			.run((context) -> assertThat(threads(context)).isEqualTo(narrow));
		runner.withPropertyValues("ringkernel.defaults.threads-per-worker=32")
			.run((context) -> assertThat(threads(context)).isEqualTo(32));
	}

	private static int threads(ApplicationContext context) {
		return context.getBean("twice.kernel", Kernel.class).spec().options().threadsPerWorker();
	}

	@Test
	void configuredImageReplacesThatOfTheAnnotation() {
		this.contextRunner
			.withPropertyValues("ringkernel.kernels.repeat-text.image=file:${images}/other.ptx", "images=/opt")
			.run((context) -> assertThat(context.getBean("repeat-text.kernel", Kernel.class).spec().image())
				.isEqualTo("file:/opt/other.ptx"));
	}

	@Test
	void refusedTimingIntervalOpensNoBackend() {
		BackendProvider cpu = mock(BackendProvider.class, delegatesTo(new CpuBackendProvider()));
		this.contextRunner.withBean(BackendProvider.class, () -> cpu)
			.withPropertyValues("ringkernel.timing-interval=0")
			.run((context) -> {
				assertThat(context).getFailure().rootCause().hasMessageContaining("ringkernel.timing-interval = 0");
				verify(cpu, never()).open(any());
			});
	}

	@Test
	void lifecycleOfTheApplicationIsUsed() {
		this.contextRunner.withBean(NeverStarted.class).run((context) -> {
			assertThat(context).hasSingleBean(RingKernelLifecycle.class);
			assertThat(context.getBean("twice.kernel", Kernel.class).state()).isEqualTo(KernelState.CREATED);
		});
	}

	@Test
	void registrarOfTheApplicationIsUsed() {
		this.contextRunner.withBean("registrar", RingKernelRegistrar.class, RingKernelRegistrar::new)
			.run((context) -> assertThat(context).hasSingleBean(RingKernelRegistrar.class).hasBean("registrar"));
	}

	@Test
	void closingTheContextTerminatesTheKernels() {
		this.contextRunner.run((context) -> {
			Kernel<?, ?> kernel = context.getBean("twice.kernel", Kernel.class);
			context.getSourceApplicationContext().close();
			assertThat(kernel.state()).isEqualTo(KernelState.TERMINATED);
		});
	}

	static class Caller {

		private final RingKernelClient<Number, Number> twice;

		private final RingKernelClient<Number, Text> repeat;

		Caller(RingKernelClient<Number, Number> twice,
				@Qualifier("repeat-text") RingKernelClient<Number, Text> repeat) {
			this.twice = twice;
			this.repeat = repeat;
		}

	}

	static class NeverStarted extends RingKernelLifecycle {

		NeverStarted(RingKernelRuntime runtime, ObjectProvider<Kernel<?, ?>> kernels, KernelSettings settings) {
			super(runtime, kernels, settings);
		}

		@Override
		public boolean isAutoStartup() {
			return false;
		}

	}

}
