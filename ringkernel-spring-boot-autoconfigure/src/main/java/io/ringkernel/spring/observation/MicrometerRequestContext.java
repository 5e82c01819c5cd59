package io.ringkernel.spring.observation;

import java.util.function.Supplier;

import io.micrometer.context.ContextRegistry;
import io.micrometer.context.ContextSnapshot;
import io.micrometer.context.ContextSnapshotFactory;
import io.micrometer.context.integration.Slf4jThreadLocalAccessor;
import io.ringkernel.backend.RequestContext;

import org.springframework.util.function.SingletonSupplier;

/**
 * Carries what Micrometer's context propagation knows of a caller's thread to the handler
 * of its request: the current observation, and with it the trace; the diagnostic context
 * (MDC) of the log; and whatever the application has registered with the
 * {@link ContextRegistry} by the first call.
 *
 * @since 0.2.0
 */
public class MicrometerRequestContext implements RequestContext {

	private final SingletonSupplier<ContextSnapshotFactory> factory;

	/**
	 * Creates a context that carries what the global {@link ContextRegistry} has
	 * accessors for, and the diagnostic context.
	 */
	public MicrometerRequestContext() {
		this(MicrometerRequestContext::factory);
	}

	/**
	 * Creates a context that carries what a factory captures.
	 * @param factory what makes the snapshots; asked at the first call
	 */
	public MicrometerRequestContext(Supplier<? extends ContextSnapshotFactory> factory) {
		this.factory = SingletonSupplier.of(factory::get);
	}

	/**
	 * A registry of its own: an accessor of the diagnostic context in the global one
	 * would change what Reactor does.
	 */
	private static ContextSnapshotFactory factory() {
		ContextRegistry registry = new ContextRegistry();
		ContextRegistry.getInstance().getThreadLocalAccessors().forEach(registry::registerThreadLocalAccessor);
		registry.registerThreadLocalAccessor(new Slf4jThreadLocalAccessor());
		return ContextSnapshotFactory.builder().contextRegistry(registry).clearMissing(true).build();
	}

	@Override
	public Object capture() {
		return this.factory.obtain().captureAll();
	}

	@Override
	public Scope restore(Object captured) {
		return ((ContextSnapshot) captured).setThreadLocals()::close;
	}

}
