package io.ringkernel.spring;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.ringkernel.KernelState;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.ExecutionPlan;
import io.ringkernel.platform.Transport;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.KernelEvent;
import io.ringkernel.runtime.KernelListener;
import io.ringkernel.runtime.KernelPlanChange;
import io.ringkernel.runtime.KernelStateChange;
import io.ringkernel.runtime.RingKernelRuntime;
import io.ringkernel.spring.Kernels.Twice;
import io.ringkernel.spring.boot.autoconfigure.RingKernelAutoConfiguration;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.event.EventListener;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what applications are told of their kernels.
 */
class KernelEventPublisherTests {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(RingKernelAutoConfiguration.class))
		.withUserConfiguration(Twice.class)
		.withPropertyValues("ringkernel.defaults.workers=1");

	static class Listener {

		private static final List<KernelStateChangedEvent> changes = new CopyOnWriteArrayList<>();

		@EventListener
		void on(KernelStateChangedEvent event) {
			changes.add(event);
		}

	}

	@Test
	void everyStateOfAKernelIsAnApplicationEvent() {
		Listener.changes.clear();
		this.contextRunner.withBean(Listener.class).run((context) -> {
			Kernel<?, ?> kernel = context.getBean("twice.kernel", Kernel.class);
			kernel.deactivate();
			kernel.activate();
		});
		assertThat(Listener.changes).extracting(KernelStateChangedEvent::getTo)
			.containsExactly(KernelState.LAUNCHED, KernelState.ACTIVE, KernelState.INACTIVE, KernelState.ACTIVE,
					KernelState.TERMINATING, KernelState.TERMINATED);
		KernelStateChangedEvent first = Listener.changes.get(0);
		assertThat(first.getFrom()).isEqualTo(KernelState.CREATED);
		assertThat(first.getKernel().id()).isEqualTo("twice");
		assertThat(first.getSource()).isSameAs(first.getKernel());
		assertThat(first.getCause()).isNull();
		assertThat(first).asString().contains("ring kernel 'twice'", "CREATED", "LAUNCHED");
	}

	@Test
	void aChangeOfPlanIsAnApplicationEvent() {
		this.contextRunner.run((context) -> {
			Kernel<?, ?> kernel = context.getBean("twice.kernel", Kernel.class);
			ExecutionPlan before = context.getBean(RingKernelRuntime.class).plan();
			ExecutionPlan after = new ExecutionPlan(BackendKind.CUDA, ExecutionMode.EVENT_DRIVEN, Transport.BRIDGED,
					List.of(), java.util.Map.of());
			List<Object> published = new ArrayList<>();
			new KernelEventPublisher(published::add)
				.onEvent(new KernelPlanChange(kernel, before, after, true, "A copy did not complete."));
			assertThat(published).singleElement().isInstanceOfSatisfying(KernelPlanChangedEvent.class, (event) -> {
				assertThat(event.getKernel()).isSameAs(kernel);
				assertThat(event.getFrom()).isEqualTo(before);
				assertThat(event.getTo()).isEqualTo(after);
				assertThat(event.isDegraded()).isTrue();
				assertThat(event.getReason()).isEqualTo("A copy did not complete.");
			});
		});
	}

	@Test
	void listenersThatAreBeansAreToldAsWell() {
		List<KernelEvent> told = new CopyOnWriteArrayList<>();
		this.contextRunner.withBean("own", KernelListener.class, () -> told::add).run((context) -> {
			assertThat(context.getBean(RingKernelRuntime.class).awaitListeners(LIMIT)).isTrue();
			assertThat(told).extracting((event) -> ((KernelStateChange) event).to())
				.containsExactly(KernelState.LAUNCHED, KernelState.ACTIVE);
		});
	}

	@Test
	void publisherOfTheApplicationIsUsed() {
		this.contextRunner.withBean("own", KernelEventPublisher.class, () -> new KernelEventPublisher((event) -> {
		})).run((context) -> assertThat(context).hasSingleBean(KernelEventPublisher.class).hasBean("own"));
	}

}
