package io.ringkernel.spring.boot.autoconfigure;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import io.ringkernel.spring.messaging.PausableConsumers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.AnnotatedElementUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * Tests that an application's own bean takes the place of each that the starter defines.
 */
class ReplaceableBeansTests {

	private final ApplicationContextRunner everything = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(EveryPart.classes()))
		.withBean(SimpleMeterRegistry.class)
		.withBean(PausableConsumers.class, () -> mock(PausableConsumers.class))
		.withBean(ObservationRegistry.class, ObservationRegistry::create)
		.withPropertyValues("ringkernel.backend=cpu", "management.endpoints.web.exposure.include=*",
				"management.info.ringkernel.enabled=true", "ringkernel.functions=true");

	/**
	 * The beans whose types an application can name.
	 */
	static Stream<Arguments> beans() {
		return Arrays.stream(EveryPart.classes())
			.flatMap((type) -> Arrays.stream(type.getDeclaredMethods()))
			.filter((method) -> AnnotatedElementUtils.hasAnnotation(method, Bean.class))
			.filter((method) -> Modifier.isPublic(method.getReturnType().getModifiers()))
			.map((method) -> Arguments.of(method.getName(), method));
	}

	@Test
	void theyAreAllThere() {
		assertThat(EveryPart.classes()).hasSizeGreaterThanOrEqualTo(7);
		List<String> names = beans().map((bean) -> (String) bean.get()[0]).toList();
		assertThat(names).hasSizeGreaterThanOrEqualTo(10);
		this.everything.run((context) -> assertThat(context.getBeanDefinitionNames()).containsAll(names));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("beans")
	void beanOfTheApplicationTakesItsPlace(String name, Method method) {
		ConditionalOnMissingBean condition = AnnotatedElementUtils.getMergedAnnotation(method,
				ConditionalOnMissingBean.class);
		assertThat(condition).as("condition of %s", method).isNotNull();
		// A contributor to health is one among many of its type, and known by its name.
		String own = (condition.name().length > 0) ? condition.name()[0] : "own";
		Object replacement = mock(method.getReturnType());
		this.everything.withBean(own, cast(method.getReturnType()), () -> replacement).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(context.getBeanNamesForType(method.getReturnType())).containsExactly(own);
			assertThat(context.getBean(own)).isSameAs(replacement);
		});
	}

	@SuppressWarnings("unchecked")
	private static Class<Object> cast(Class<?> type) {
		return (Class<Object>) type;
	}

}
