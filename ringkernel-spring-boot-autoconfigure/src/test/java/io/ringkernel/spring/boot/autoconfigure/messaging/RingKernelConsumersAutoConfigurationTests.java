package io.ringkernel.spring.boot.autoconfigure.messaging;

import java.time.Duration;
import java.util.Map;

import io.ringkernel.RingKernelHandler;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import io.ringkernel.spring.RingKernel;
import io.ringkernel.spring.boot.autoconfigure.RingKernelAutoConfiguration;
import io.ringkernel.spring.messaging.ConsumerPauses;
import io.ringkernel.spring.messaging.PausableConsumers;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.cloud.stream.binding.BindingsLifecycleController;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.MapPropertySource;
import org.springframework.kafka.annotation.EnableKafka;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.listener.MessageListenerContainer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RingKernelConsumersAutoConfiguration}. The listeners do not start, so
 * no broker is needed. The module {@code sample-stream} tests bindings, with a broker.
 */
class RingKernelConsumersAutoConfigurationTests {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(RingKernelAutoConfiguration.class, RingKernelConsumersAutoConfiguration.class))
		.withUserConfiguration(Kernels.class)
		.withPropertyValues("ringkernel.backend=cpu");

	@Test
	void withoutConsumersThereIsNothingToPause() {
		this.contextRunner.run((context) -> assertThat(context).doesNotHaveBean(ConsumerPauses.class));
	}

	@Test
	void withoutMessagingThereIsNothingToPause() {
		this.contextRunner
			.withClassLoader(
					new FilteredClassLoader(BindingsLifecycleController.class, KafkaListenerEndpointRegistry.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(ConsumerPauses.class));
	}

	@Test
	void aListenerIsPausedWithItsKernel() {
		this.contextRunner.withUserConfiguration(Listeners.class)
			.withPropertyValues("ringkernel.kernels.echo.consumers=orders")
			.run((context) -> {
				Kernel<?, ?> kernel = context.getBean(RingKernelRuntime.class).kernel("echo").orElseThrow();
				KafkaListenerEndpointRegistry registry = context.getBean(KafkaListenerEndpointRegistry.class);
				kernel.deactivate();
				awaitPause(registry, "orders", true);
				assertThat(isPaused(registry, "others")).isFalse();
				kernel.activate();
				awaitPause(registry, "orders", false);
			});
	}

	@Test
	void oneThatIsPausedAlreadyStaysSo() {
		this.contextRunner.withUserConfiguration(Listeners.class).run((context) -> {
			KafkaListenerEndpointRegistry registry = context.getBean(KafkaListenerEndpointRegistry.class);
			KafkaListeners listeners = context.getBean(KafkaListeners.class);
			assertThat(listeners.pause("orders")).isTrue();
			assertThat(listeners.pause("orders")).isFalse();
			assertThat(isPaused(registry, "orders")).isTrue();
			listeners.resume("orders");
			assertThat(isPaused(registry, "orders")).isFalse();
			assertThat(listeners.contains("order")).isFalse();
			assertThat(listeners.pause("order")).isFalse();
		});
	}

	@Test
	void aListenerOfAChildContextIsPausedWithTheKernelOfItsParent() {
		this.contextRunner.withUserConfiguration(Listeners.class).run((parent) -> {
			Kernel<?, ?> kernel = parent.getBean(RingKernelRuntime.class).kernel("echo").orElseThrow();
			child(parent).withUserConfiguration(ListenersOfAChild.class)
				.withInitializer((context) -> context.getEnvironment()
					.getPropertySources()
					.addFirst(new MapPropertySource("child",
							Map.of("ringkernel.kernels.echo.consumers", "refunds,orders"))))
				.run((child) -> {
					KafkaListenerEndpointRegistry registry = child.getBean(KafkaListenerEndpointRegistry.class);
					kernel.deactivate();
					awaitPause(registry, "refunds", true);
					assertThat(isPaused(parent.getBean(KafkaListenerEndpointRegistry.class), "orders")).isFalse();
					kernel.activate();
					awaitPause(registry, "refunds", false);
				});
		});
	}

	@Test
	void theListenersOfAParentContextAreLeftToIt() {
		this.contextRunner.withUserConfiguration(Listeners.class)
			.withBean(PausableConsumers.class, NoConsumers::new)
			.run((parent) -> child(parent).run((child) -> {
				assertThat(parent).hasSingleBean(ConsumerPauses.class);
				assertThat(child.getBeanFactory().getBeansOfType(ConsumerPauses.class)).isEmpty();
			}));
	}

	private static ApplicationContextRunner child(ApplicationContext parent) {
		return new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(RingKernelAutoConfiguration.class,
					RingKernelConsumersAutoConfiguration.class))
			.withParent(parent);
	}

	private static void awaitPause(KafkaListenerEndpointRegistry registry, String id, boolean paused) {
		Awaitility.await().atMost(LIMIT).until(() -> isPaused(registry, id) == paused);
	}

	private static boolean isPaused(KafkaListenerEndpointRegistry registry, String id) {
		MessageListenerContainer container = registry.getListenerContainer(id);
		assertThat(container).isNotNull();
		return container.isPauseRequested();
	}

	@Test
	void consumersOfTheApplicationArePausedAsWell() {
		this.contextRunner.withBean(PausableConsumers.class, NoConsumers::new)
			.run((context) -> assertThat(context).hasSingleBean(ConsumerPauses.class));
	}

	record Echo(long value) {
	}

	@Configuration(proxyBeanMethods = false)
	static class Kernels {

		@Bean
		@RingKernel(id = "echo")
		RingKernelHandler<Echo, Echo> echo() {
			return (request) -> request;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Listeners extends Containers {

		@KafkaListener(id = "orders", topics = "orders")
		void orders(String value) {
			throw new AssertionError(value);
		}

		@KafkaListener(id = "others", topics = "others")
		void others(String value) {
			throw new AssertionError(value);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ListenersOfAChild extends Containers {

		@KafkaListener(id = "refunds", topics = "refunds")
		void refunds(String value) {
			throw new AssertionError(value);
		}

	}

	@EnableKafka
	static class Containers {

		@Bean
		ConcurrentKafkaListenerContainerFactory<String, String> kafkaListenerContainerFactory() {
			ConcurrentKafkaListenerContainerFactory<String, String> factory = new ConcurrentKafkaListenerContainerFactory<>();
			factory.setConsumerFactory(new DefaultKafkaConsumerFactory<>(Map.of("bootstrap.servers", "localhost:1"),
					new StringDeserializer(), new StringDeserializer()));
			factory.setAutoStartup(false);
			return factory;
		}

	}

	private static final class NoConsumers implements PausableConsumers {

		@Override
		public boolean contains(String name) {
			return false;
		}

		@Override
		public boolean pause(String name) {
			return false;
		}

		@Override
		public void resume(String name) {
			throw new AssertionError(name);
		}

	}

}
