package io.ringkernel.spring.boot.autoconfigure;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import io.ringkernel.KernelState;
import io.ringkernel.RingKernelClient;
import io.ringkernel.RingKernelHandler;
import io.ringkernel.exception.KernelNotActiveException;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.KernelListener;
import io.ringkernel.runtime.KernelStateChange;
import io.ringkernel.runtime.RingKernelRuntime;
import io.ringkernel.spring.KernelStateChangedEvent;
import io.ringkernel.spring.Kernels.Number;
import io.ringkernel.spring.Kernels.Twice;
import io.ringkernel.spring.RingKernel;
import io.ringkernel.spring.UnservedKernelsException;
import io.ringkernel.spring.exchange.ImportRingKernelExchanges;
import io.ringkernel.spring.exchange.RingKernelExchange;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.MapPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for kernels in a child of the context that has the runtime.
 */
class ChildContextTests {

	private final List<String> changes = new CopyOnWriteArrayList<>();

	private final AnnotationConfigApplicationContext parent = context(null, Map.of(), Twice.class,
			AutoConfigured.class);

	private static AnnotationConfigApplicationContext context(AnnotationConfigApplicationContext parent,
			Map<String, Object> properties, Class<?>... components) {
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("test", properties));
		if (parent != null) {
			context.setParent(parent);
		}
		context.register(components);
		return context;
	}

	private AnnotationConfigApplicationContext child(Map<String, Object> properties, Class<?>... components) {
		if (!this.parent.isActive()) {
			this.parent.refresh();
		}
		return context(this.parent, properties, components);
	}

	@AfterEach
	void close() {
		this.parent.close();
	}

	@Test
	void kernelOfAChildIsServedByTheRuntimeOfItsParent() {
		try (AnnotationConfigApplicationContext child = child(Map.of(), Thrice.class, AutoConfigured.class)) {
			child.refresh();
			assertThat(child.getBeanNamesForType(RingKernelRuntime.class)).isEmpty();
			assertThat(client(child, "three-times").call(new Number(2))).isEqualTo(new Number(6));
			assertThat(client(child, "twice").call(new Number(2))).isEqualTo(new Number(4));
			assertThat(this.parent.getBean(RingKernelRuntime.class).kernels()).extracting(Kernel::id)
				.containsExactly("twice", "three-times");
		}
	}

	@Test
	void closingTheChildEndsItsKernelsAlone() {
		AnnotationConfigApplicationContext child = child(Map.of(), Thrice.class, AutoConfigured.class);
		child.refresh();
		Kernel<?, ?> kernel = child.getBean("three-times.kernel", Kernel.class);
		RingKernelClient<Number, Number> client = client(child, "three-times");
		child.close();
		assertThat(kernel.state()).isEqualTo(KernelState.TERMINATED);
		assertThatExceptionOfType(KernelNotActiveException.class).isThrownBy(() -> client.call(new Number(1)));
		assertThat(this.parent.getBean(RingKernelRuntime.class).kernels()).extracting(Kernel::id)
			.containsExactly("twice");
		assertThat(client(this.parent, "twice").call(new Number(2))).isEqualTo(new Number(4));
	}

	@Test
	void childCanBeOpenedAgain() {
		for (int i = 0; i < 2; i++) {
			try (AnnotationConfigApplicationContext child = child(Map.of(), Thrice.class, AutoConfigured.class)) {
				child.refresh();
				assertThat(client(child, "three-times").call(new Number(2))).isEqualTo(new Number(6));
			}
		}
	}

	@Test
	void childThatFailsToStartLeavesNoKernelBehind() {
		try (AnnotationConfigApplicationContext child = child(Map.of(), Thrice.class, Broken.class,
				AutoConfigured.class)) {
			assertThatException().isThrownBy(child::refresh).withStackTraceContaining("broken");
		}
		assertThat(this.parent.getBean(RingKernelRuntime.class).kernels()).extracting(Kernel::id)
			.containsExactly("twice");
		try (AnnotationConfigApplicationContext child = child(Map.of(), Thrice.class, AutoConfigured.class)) {
			child.refresh();
			assertThat(client(child, "three-times").call(new Number(2))).isEqualTo(new Number(6));
		}
	}

	@Test
	void closingTheParentEndsTheKernelsOfTheChild() {
		AnnotationConfigApplicationContext child = child(Map.of(), Thrice.class, AutoConfigured.class);
		child.refresh();
		this.parent.close();
		assertThat(child.getBean("three-times.kernel", Kernel.class).state()).isEqualTo(KernelState.TERMINATED);
		child.close();
	}

	@Test
	void kernelOfAChildIsConfiguredByTheChild() {
		try (AnnotationConfigApplicationContext child = child(Map.of("ringkernel.kernels.three-times.workers", "3"),
				Thrice.class, AutoConfigured.class)) {
			child.refresh();
			assertThat(child.getBean("three-times.kernel", Kernel.class).spec().options().workers()).isEqualTo(3);
		}
	}

	@Test
	void importedInterfaceOfAChildCallsItsKernels() {
		try (AnnotationConfigApplicationContext child = child(Map.of(), Thrice.class, ImportsCalls.class,
				AutoConfigured.class)) {
			child.refresh();
			assertThat(child.getBean(Calls.class).thrice(new Number(1))).isEqualTo(new Number(3));
			assertThat(child.getBean(Calls.class).twice(new Number(1))).isEqualTo(new Number(2));
		}
	}

	@Test
	void everyListenerIsToldOnceAndOnlyWhileItsContextIsOpen() {
		this.parent.addApplicationListener(
				(ApplicationListener<KernelStateChangedEvent>) (event) -> this.changes.add(text(event)));
		AnnotationConfigApplicationContext child = child(Map.of(), Thrice.class, AutoConfigured.class);
		List<String> own = new CopyOnWriteArrayList<>();
		child.registerBean("listener", KernelListener.class, () -> (event) -> {
			if (event instanceof KernelStateChange change) {
				own.add(change.kernel().id() + " " + change.to());
			}
		});
		child.refresh();
		child.close();
		assertThat(own).containsExactly("three-times LAUNCHED", "three-times ACTIVE", "three-times TERMINATING",
				"three-times TERMINATED");
		this.parent.close();
		assertThat(own).hasSize(4);
		assertThat(this.changes).containsExactly("twice LAUNCHED", "twice ACTIVE", "three-times LAUNCHED",
				"three-times ACTIVE", "three-times TERMINATING", "three-times TERMINATED", "twice TERMINATING",
				"twice TERMINATED");
	}

	private static String text(KernelStateChangedEvent event) {
		return event.getKernel().id() + " " + event.getTo();
	}

	@Test
	void childThatRunsNoKernelsIsRefusedIfItHasSome() {
		try (AnnotationConfigApplicationContext child = child(Map.of(), Thrice.class)) {
			child.setDisplayName("jobs");
			assertThatExceptionOfType(UnservedKernelsException.class).isThrownBy(child::refresh)
				.withMessageContaining("The child context 'jobs' has the beans 'thrice'")
				.withMessageContaining("Add @ImportAutoConfiguration(RingKernelAutoConfiguration.class)");
		}
	}

	@Test
	void childWithoutKernelsNeedsNothing() {
		try (AnnotationConfigApplicationContext child = child(Map.of(), Plain.class)) {
			child.refresh();
			assertThat(client(child, "twice").call(new Number(2))).isEqualTo(new Number(4));
		}
	}

	@Test
	void childThatDisablesItsKernelsStarts() {
		try (AnnotationConfigApplicationContext child = child(Map.of("ringkernel.enabled", "false"), Thrice.class,
				AutoConfigured.class)) {
			child.refresh();
			assertThatException().isThrownBy(() -> client(child, "three-times").call(new Number(2)))
				.withMessageContaining("ring kernels are disabled");
		}
	}

	@Test
	void idOfTheParentIsTaken() {
		try (AnnotationConfigApplicationContext child = child(Map.of(), AnotherTwice.class, AutoConfigured.class)) {
			assertThatException().isThrownBy(child::refresh).havingRootCause().withMessageContaining("is taken");
		}
	}

	@SuppressWarnings("unchecked")
	private static RingKernelClient<Number, Number> client(AnnotationConfigApplicationContext context, String id) {
		return context.getBean(id, RingKernelClient.class);
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ RingKernelAutoConfiguration.class, DisabledRingKernelAutoConfiguration.class,
			ConfiguredKernelsCheckAutoConfiguration.class, ExchangesCheckAutoConfiguration.class })
	static class AutoConfigured {

	}

	@Configuration(proxyBeanMethods = false)
	static class Thrice {

		@Bean
		@RingKernel(id = "three-times")
		RingKernelHandler<Number, Number> thrice() {
			return (request) -> new Number(3 * request.value());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Broken {

		Broken(@Qualifier("three-times") RingKernelClient<Number, Number> client) {
			throw new IllegalStateException("broken with " + client.kernelId());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class AnotherTwice {

		@Bean
		@RingKernel(id = "twice")
		RingKernelHandler<Number, Number> anotherTwice() {
			return (request) -> request;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Plain {

	}

	interface Calls {

		@RingKernelExchange("twice")
		Number twice(Number number);

		@RingKernelExchange("three-times")
		Number thrice(Number number);

	}

	@ImportRingKernelExchanges(types = Calls.class)
	static class ImportsCalls {

	}

}
