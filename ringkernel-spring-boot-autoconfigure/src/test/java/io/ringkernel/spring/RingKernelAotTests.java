package io.ringkernel.spring;

import io.ringkernel.RingKernelClient;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import io.ringkernel.spring.Kernels.Number;
import io.ringkernel.spring.Kernels.Text;
import io.ringkernel.spring.Kernels.TwiceAndRepeat;
import io.ringkernel.spring.boot.autoconfigure.RingKernelAutoConfiguration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.aot.test.generate.TestGenerationContext;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.test.tools.CompileWithForkedClassLoader;
import org.springframework.core.test.tools.TestCompiler;
import org.springframework.javapoet.ClassName;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for ring kernels under ahead-of-time processing.
 */
@Tag("every-platform")
class RingKernelAotTests {

	@Test
	@CompileWithForkedClassLoader
	void kernelsAreFoundAheadOfTime() {
		TestGenerationContext generation = new TestGenerationContext();
		ClassName initializerName;
		try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
			context.register(TwiceAndRepeat.class, Caller.class, RingKernelAutoConfiguration.class);
			initializerName = new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
			assertThat(context.getBeanFactory().getSingletonNames()).doesNotContain("twice", "repeatText");
		}
		generation.writeGeneratedContent();
		TestCompiler.forSystem().with(generation).compile((compiled) -> {
			GenericApplicationContext context = new GenericApplicationContext();
			compiled.getInstance(ApplicationContextInitializer.class, initializerName.canonicalName())
				.initialize(context);
			context.refresh();
			try (context) {
				assertThat(context.getBeansOfType(RingKernelRegistrar.class)).isEmpty();
				assertThat(context.getBeansOfType(Kernel.class)).containsOnlyKeys("twice.kernel", "repeat-text.kernel");
				assertThat(context.getBean(Caller.class).repeat.call(new Number(2))).isEqualTo(new Text("xx"));
				assertThat(context.getBean(Caller.class).twice.call(new Number(2))).isEqualTo(new Number(4));
				assertThat(BeanFactoryAnnotationUtils.qualifiedBeanOfType(context.getBeanFactory(), Kernel.class,
						"repeat-text"))
					.isSameAs(context.getBean("repeat-text.kernel"));
			}
		});
	}

	@Test
	@CompileWithForkedClassLoader
	void deviceThatIsThereOnlyAtRunTimeIsChosenThen() {
		TestGenerationContext generation = new TestGenerationContext();
		ClassName initializerName;
		AppearingDevice.reset();
		try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
			context.register(TwiceAndRepeat.class, AppearingDevice.Configuration.class,
					RingKernelAutoConfiguration.class);
			initializerName = new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
		}
		assertThat(AppearingDevice.looks()).as("looks for a device ahead of time").isZero();
		generation.writeGeneratedContent();
		TestCompiler.forSystem().with(generation).compile((compiled) -> {
			AppearingDevice.appear();
			GenericApplicationContext context = new GenericApplicationContext();
			compiled.getInstance(ApplicationContextInitializer.class, initializerName.canonicalName())
				.initialize(context);
			context.refresh();
			try (context) {
				assertThat(context.getBean(RingKernelRuntime.class).plan().backend()).isEqualTo(BackendKind.CUDA);
				assertThat(context.getBean("repeat-text.kernel", Kernel.class).status().plan().backend())
					.isEqualTo(BackendKind.CUDA);
				assertThat(context.getBean("twice.kernel", Kernel.class).status().plan().reasons())
					.contains("not 'cuda', because the kernel has no CUDA image");
			}
		});
		assertThat(AppearingDevice.looks()).isPositive();
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

}
