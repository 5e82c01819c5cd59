package io.ringkernel.spring;

import java.util.List;

import io.ringkernel.RingKernelClient;
import io.ringkernel.RingKernelHandler;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.backend.Replay;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import io.ringkernel.spring.Kernels.Number;
import io.ringkernel.spring.Kernels.Text;
import io.ringkernel.spring.Kernels.Twice;
import io.ringkernel.spring.Kernels.TwiceAndRepeat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.core.ResolvableType;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link RingKernelRegistrar}, without Spring Boot.
 */
class RingKernelRegistrarTests {

	@Test
	void clientIsInjectedByItsTypeArguments() {
		try (AnnotationConfigApplicationContext context = refreshed(TwiceAndRepeat.class, ByTypeArguments.class)) {
			ByTypeArguments injected = context.getBean(ByTypeArguments.class);
			assertThat(injected.twice.kernelId()).isEqualTo("twice");
			assertThat(injected.repeat.kernelId()).isEqualTo("repeat-text");
			assertThat(injected.kernel.id()).isEqualTo("repeat-text");
		}
	}

	@Test
	void clientIsInjectedWithTheIdAsQualifier() {
		try (AnnotationConfigApplicationContext context = refreshed(SameTypes.class, ByQualifier.class)) {
			ByQualifier injected = context.getBean(ByQualifier.class);
			assertThat(injected.twice.kernelId()).isEqualTo("twice");
			assertThat(injected.thrice.kernelId()).isEqualTo("three-times");
			assertThat(injected.kernel.id()).isEqualTo("three-times");
			assertThat(BeanFactoryAnnotationUtils.qualifiedBeanOfType(context.getBeanFactory(), RingKernelClient.class,
					"three-times"))
				.isSameAs(injected.thrice);
		}
	}

	@Test
	void clientIsFoundByItsTypeOnceItIsThere() {
		try (AnnotationConfigApplicationContext context = refreshed(TwiceAndRepeat.class)) {
			ResolvableType type = ResolvableType.forClassWithGenerics(RingKernelClient.class, Number.class, Text.class);
			assertThat(context.getBeanNamesForType(type)).containsExactly("repeat-text");
			assertThatExceptionOfType(NoUniqueBeanDefinitionException.class)
				.isThrownBy(() -> context.getBean(RingKernelClient.class));
		}
	}

	@Test
	void clientAnswersOnceTheKernelIsActive() {
		try (AnnotationConfigApplicationContext context = refreshed(TwiceAndRepeat.class, ByTypeArguments.class)) {
			ByTypeArguments injected = context.getBean(ByTypeArguments.class);
			injected.kernel.launch();
			injected.kernel.activate();
			assertThat(injected.repeat.call(new Number(3))).isEqualTo(new Text("xxx"));
		}
	}

	@Test
	void kernelHasTheImageOfTheAnnotation() {
		try (AnnotationConfigApplicationContext context = refreshed(TwiceAndRepeat.class)) {
			assertThat(context.getBean("repeat-text.kernel", Kernel.class).spec().image())
				.isEqualTo("classpath:repeat.ptx");
			assertThat(context.getBean("twice.kernel", Kernel.class).spec().image()).isNull();
		}
	}

	@Test
	void handlerMayBeDeclaredByCode() {
		try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
			context.register(WithoutBoot.class);
			for (String id : List.of("first", "second")) {
				RootBeanDefinition handler = new RootBeanDefinition(Thrice.class);
				RingKernelRegistrar.declare(handler, id, "classpath:%s.ptx".formatted(id), Replay.IDEMPOTENT);
				context.registerBeanDefinition(id + ".handler", handler);
			}
			context.refresh();
			KernelSpec<?, ?> first = context.getBean("first.kernel", Kernel.class).spec();
			assertThat(first.image()).isEqualTo("classpath:first.ptx");
			assertThat(first.options().replay()).isEqualTo(Replay.IDEMPOTENT);
			assertThat(context.getBean("second", RingKernelClient.class).kernelId()).isEqualTo("second");
		}
	}

	@Test
	void clientHasAnotherNameWhereAnotherBeanHasItsName() {
		try (AnnotationConfigApplicationContext context = refreshed(HandlerNamedLikeTheKernel.class)) {
			assertThat(context.getBean("echo")).isInstanceOf(RingKernelHandler.class);
			assertThat(context.getBean("echo.client", RingKernelClient.class).kernelId()).isEqualTo("echo");
			assertThat(BeanFactoryAnnotationUtils.qualifiedBeanOfType(context.getBeanFactory(), RingKernelClient.class,
					"echo"))
				.isSameAs(context.getBean("echo.client"));
		}
	}

	@Test
	void clientOfTheApplicationReplacesTheClient() {
		try (AnnotationConfigApplicationContext context = refreshed(Twice.class, OwnClient.class)) {
			assertThat(context.getBeansOfType(RingKernelClient.class)).containsOnlyKeys("twice");
			assertThat(context.getBean("twice")).isSameAs(OwnClient.CLIENT);
			assertThat(context.getBeansOfType(Kernel.class)).containsOnlyKeys("twice.kernel");
		}
	}

	@Test
	void annotationOfTheMethodWinsOverThatOfTheClass() {
		try (AnnotationConfigApplicationContext context = refreshed(TwoOfOneClass.class)) {
			assertThat(context.getBeansOfType(Kernel.class)).containsOnlyKeys("twice.kernel", "again.kernel");
		}
	}

	@Test
	void scopedHandlerIsOneKernel() {
		try (AnnotationConfigApplicationContext context = refreshed(ScopedHandler.class)) {
			assertThat(context.getBeansOfType(Kernel.class)).containsOnlyKeys("scoped.kernel");
		}
	}

	@ParameterizedTest
	@ValueSource(classes = { PrimaryByKernel.class, PrimaryByBean.class })
	void primaryKernelIsInjectedWhereSeveralHaveItsTypes(Class<?> configuration) {
		try (AnnotationConfigApplicationContext context = refreshed(Twice.class, configuration, ByType.class)) {
			assertThat(context.getBean(ByType.class).client.kernelId()).isEqualTo("three-times");
			assertThat(context.getBean(ByType.class).kernel.id()).isEqualTo("three-times");
		}
	}

	@Test
	void beansOfAKernelSayWhereTheyComeFrom() {
		try (AnnotationConfigApplicationContext context = refreshed(Twice.class)) {
			for (String name : List.of("twice", "twice.kernel")) {
				assertThat(context.getBeanDefinition(name).getResourceDescription())
					.isEqualTo("the @RingKernel bean 'kernels.Twice' (" + Twice.class.getName() + ")");
			}
		}
	}

	@Test
	void placeholdersInTheImageAreResolved() {
		try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
			TestPropertyValues.of("kernels.directory=file:/opt/kernels").applyTo(context);
			context.register(WithoutBoot.class, ConfiguredImage.class);
			context.refresh();
			assertThat(context.getBean("configured.kernel", Kernel.class).spec().image())
				.isEqualTo("file:/opt/kernels/all.ptx#twice");
		}
	}

	@Test
	void handlersAreNotCreated() {
		DefaultListableBeanFactory beanFactory = new DefaultListableBeanFactory();
		beanFactory.registerBeanDefinition("handler", new RootBeanDefinition(Twice.class));
		new RingKernelRegistrar().postProcessBeanFactory(beanFactory);
		assertThat(beanFactory.getSingletonNames()).isEmpty();
		assertThat(beanFactory.getBeanDefinitionNames()).containsExactly("handler", "twice.kernel", "twice");
	}

	@Test
	void beansAreNamed() {
		try (AnnotationConfigApplicationContext context = refreshed(TwiceAndRepeat.class)) {
			assertThat(context.getBeansOfType(RingKernelClient.class)).containsOnlyKeys("twice", "repeat-text");
			assertThat(context.getBeansOfType(Kernel.class)).containsOnlyKeys("twice.kernel", "repeat-text.kernel");
		}
	}

	static AnnotationConfigApplicationContext refreshed(Class<?>... components) {
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		context.register(WithoutBoot.class);
		context.register(components);
		context.refresh();
		return context;
	}

	@Configuration(proxyBeanMethods = false)
	static class WithoutBoot {

		@Bean
		static RingKernelRegistrar registrar() {
			return new RingKernelRegistrar();
		}

		@Bean
		RingKernelRuntime runtime() {
			return RingKernelRuntime.open(PlanRequest.AUTO);
		}

		@Bean
		KernelSettings settings() {
			return (kernelId) -> KernelOptions.DEFAULTS;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class PrimaryByKernel {

		@Bean
		@RingKernel(id = "three-times", primary = true)
		Thrice thrice() {
			return new Thrice();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class PrimaryByBean {

		@Bean
		@Primary
		@RingKernel(id = "three-times")
		Thrice thrice() {
			return new Thrice();
		}

	}

	static class ByType {

		private final RingKernelClient<Number, Number> client;

		private final Kernel<Number, Number> kernel;

		ByType(RingKernelClient<Number, Number> onlyClient, Kernel<Number, Number> onlyKernel) {
			this.client = onlyClient;
			this.kernel = onlyKernel;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ConfiguredImage {

		@Bean
		@RingKernel(id = "configured", image = "${kernels.directory}/all.ptx#twice")
		Thrice handler() {
			return new Thrice();
		}

	}

	static class ByTypeArguments {

		private final RingKernelClient<Number, Number> twice;

		private final RingKernelClient<Number, Text> repeat;

		private final Kernel<Number, Text> kernel;

		ByTypeArguments(RingKernelClient<Number, Number> first, RingKernelClient<Number, Text> second,
				Kernel<Number, Text> third) {
			this.twice = first;
			this.repeat = second;
			this.kernel = third;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import(Twice.class)
	static class SameTypes {

		@Bean
		@RingKernel(id = "three-times")
		Thrice thrice() {
			return new Thrice();
		}

	}

	static class Thrice implements RingKernelHandler<Number, Number> {

		@Override
		public Number handle(Number request) {
			return new Number(request.value() * 3);
		}

	}

	static class ByQualifier {

		private final RingKernelClient<Number, Number> twice;

		private final RingKernelClient<Number, Number> thrice;

		private final Kernel<?, ?> kernel;

		ByQualifier(@Qualifier("twice") RingKernelClient<Number, Number> first,
				@Qualifier("three-times") RingKernelClient<Number, Number> second,
				@Qualifier("three-times") Kernel<?, ?> third) {
			this.twice = first;
			this.thrice = second;
			this.kernel = third;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class HandlerNamedLikeTheKernel {

		@Bean
		@RingKernel(id = "echo")
		RingKernelHandler<Number, Number> echo() {
			return (request) -> request;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnClient {

		@SuppressWarnings("unchecked")
		private static final RingKernelClient<Number, Number> CLIENT = mock();

		@Bean
		RingKernelClient<Number, Number> twice() {
			return CLIENT;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class TwoOfOneClass {

		@Bean
		Twice first() {
			return new Twice();
		}

		@Bean
		@RingKernel(id = "again")
		Twice second() {
			return new Twice();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ScopedHandler {

		@Bean
		@RingKernel(id = "scoped")
		@Scope(value = "prototype", proxyMode = ScopedProxyMode.TARGET_CLASS)
		Thrice handler() {
			return new Thrice();
		}

	}

}
