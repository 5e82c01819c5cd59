package io.ringkernel.spring.exchange;

import io.ringkernel.spring.Kernels.Number;
import io.ringkernel.spring.Kernels.TwiceAndRepeat;
import io.ringkernel.spring.boot.autoconfigure.RingKernelAutoConfiguration;
import io.ringkernel.spring.exchange.scanned.Doubling;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.aot.test.generate.TestGenerationContext;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.test.tools.CompileWithForkedClassLoader;
import org.springframework.core.test.tools.TestCompiler;
import org.springframework.javapoet.ClassName;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for declared clients under ahead-of-time processing.
 */
@Tag("every-platform")
class RingKernelExchangeAotTests {

	@ImportRingKernelExchanges(basePackageClasses = Doubling.class)
	static class Scans {

	}

	@Test
	@CompileWithForkedClassLoader
	void declaredClientsAreFoundAheadOfTime() {
		TestGenerationContext generation = new TestGenerationContext();
		ClassName initializerName;
		try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
			context.register(TwiceAndRepeat.class, Scans.class, RingKernelAutoConfiguration.class);
			initializerName = new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
		}
		RuntimeHints hints = generation.getRuntimeHints();
		assertThat(RuntimeHintsPredicates.proxies().forInterfaces(Doubling.class)).accepts(hints);
		assertThat(RuntimeHintsPredicates.reflection()
			.onType(java.util.function.Function.class)
			.withMemberCategory(MemberCategory.INVOKE_PUBLIC_METHODS)).accepts(hints);
		generation.writeGeneratedContent();
		TestCompiler.forSystem().with(generation).compile((compiled) -> {
			GenericApplicationContext context = new GenericApplicationContext();
			compiled.getInstance(ApplicationContextInitializer.class, initializerName.canonicalName())
				.initialize(context);
			context.refresh();
			try (context) {
				assertThat(context.getBean(Doubling.class).apply(new Number(4))).isEqualTo(new Number(8));
			}
		});
	}

}
