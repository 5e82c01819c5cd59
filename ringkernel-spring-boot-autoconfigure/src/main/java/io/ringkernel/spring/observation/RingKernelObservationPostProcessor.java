package io.ringkernel.spring.observation;

import java.util.function.BooleanSupplier;

import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.ringkernel.RingKernelClient;
import io.ringkernel.runtime.RingKernelRuntime;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.PriorityOrdered;
import org.springframework.util.ClassUtils;
import org.springframework.util.function.SingletonSupplier;

/**
 * Has the calls of each {@link RingKernelClient} bean observed: a span per call where
 * there is tracing.
 * <p>
 * An observation takes about as long as a call to a GPU. If the handlers are beans and
 * all of them only make metrics, which kernels have of their own at a fraction of that,
 * calls are not observed, unless the application has a
 * {@link RingKernelObservationConvention}. Each client decides that at its first call,
 * once the registry has a handler, and again when a handler becomes a bean later.
 * <p>
 * It comes before other post-processors, so that what they make of a client is what is
 * injected: a spy of a test, for instance. Define it by a static {@code @Bean} method.
 * Its constructor cannot be autowired, because it is created before the post-processor
 * that does so.
 *
 * @since 0.1.0
 */
public class RingKernelObservationPostProcessor implements BeanPostProcessor, PriorityOrdered {

	private static final boolean METERS = ClassUtils.isPresent(
			"io.micrometer.core.instrument.observation.MeterObservationHandler",
			RingKernelObservationPostProcessor.class.getClassLoader());

	private final ObjectProvider<ObservationRegistry> registry;

	private final ObjectProvider<RingKernelObservationConvention> convention;

	private final ObjectProvider<ObservationHandler<?>> handlers;

	private final ObjectProvider<RingKernelRuntime> runtime;

	private volatile boolean hasOtherHandler;

	/**
	 * Creates the processor.
	 * @param registry where observations are registered; without one, nothing is observed
	 * @param convention how they are named and tagged, if not as by default
	 * @param handlers who sees them, as far as they are beans
	 * @param runtime the runtime that knows the kernels
	 */
	public RingKernelObservationPostProcessor(ObjectProvider<ObservationRegistry> registry,
			ObjectProvider<RingKernelObservationConvention> convention, ObjectProvider<ObservationHandler<?>> handlers,
			ObjectProvider<RingKernelRuntime> runtime) {
		this.registry = registry;
		this.convention = convention;
		this.handlers = handlers;
		this.runtime = runtime;
	}

	@Override
	public int getOrder() {
		return HIGHEST_PRECEDENCE;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (METERS && bean instanceof ObservationHandler<?> handler && !MeterHandlers.isOne(handler)) {
			this.hasOtherHandler = true;
		}
		if (bean instanceof RingKernelClient<?, ?> client && !(bean instanceof ObservedRingKernelClient)) {
			ObservationRegistry found = this.registry.getIfUnique();
			if (found != null) {
				return observed(client, found);
			}
		}
		return bean;
	}

	private BooleanSupplier observed() {
		SingletonSupplier<Boolean> atFirst = SingletonSupplier.of(this::isObserved);
		return () -> this.hasOtherHandler || atFirst.obtain();
	}

	/** At the first call all handlers exist; a post-processor must create none. */
	private boolean isObserved() {
		return !METERS || this.convention.getIfAvailable() != null || this.handlers.stream().findAny().isEmpty()
				|| !this.handlers.stream().allMatch(MeterHandlers::isOne);
	}

	private <I extends Record, O extends Record> RingKernelClient<I, O> observed(RingKernelClient<I, O> client,
			ObservationRegistry found) {
		return this.runtime.getObject()
			.kernel(client.kernelId())
			.<RingKernelClient<I, O>>map((kernel) -> new ObservedRingKernelClient<>(client,
					new ClientObservations(kernel, found, this.convention::getIfAvailable, observed())))
			.orElse(client);
	}

	/** Looked at only where the class of meters is there. */
	private static final class MeterHandlers {

		static boolean isOne(ObservationHandler<?> handler) {
			return handler instanceof io.micrometer.core.instrument.observation.MeterObservationHandler<?>;
		}

	}

}
