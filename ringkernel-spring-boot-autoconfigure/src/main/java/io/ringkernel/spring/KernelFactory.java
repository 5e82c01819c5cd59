package io.ringkernel.spring;

import io.ringkernel.RingKernelHandler;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.backend.Replay;
import io.ringkernel.backend.ReplayPolicy;
import io.ringkernel.backend.RequestContext;
import io.ringkernel.exception.InvalidConfigurationException;
import io.ringkernel.exception.UnsupportedMessageTypeException;
import io.ringkernel.message.MessageLayout;
import io.ringkernel.routing.KeyExtractor;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;

/**
 * Creates the {@link Kernel} beans. What belongs to the kernel is an argument of the bean
 * definition, which ahead-of-time processing can write down; the rest is injected.
 */
final class KernelFactory {

	// Where create has the arguments of these names.

	static final int ID_INDEX = 0;

	static final int IMAGE_INDEX = 1;

	static final int REQUEST_INDEX = 4;

	static final int RESPONSE_INDEX = 5;

	static final int REPLAY_INDEX = 6;

	private KernelFactory() {
	}

	static <I extends Record, O extends Record> Kernel<I, O> create(String id, String image, String handlerBean,
			RingKernelHandler<I, O> handler, Class<I> request, Class<O> response, Replay replay,
			RingKernelRuntime runtime, KernelSettings settings, ObjectProvider<RequestContext> context,
			ObjectProvider<ReplayPolicy> policy, DefaultListableBeanFactory beanFactory) {
		MessageLayout<I> requests = layout(id, handlerBean, request);
		MessageLayout<O> responses = layout(id, handlerBean, response);
		String location = resolve(id, settings.imageOf(id, image), handlerBean, beanFactory);
		KernelSpec<I, O> spec = spec(id, location, handlerBean, requests, responses, handler,
				settings.optionsOf(id).toBuilder().replay(settings.replayOf(id, replay)).build());
		ReplayPolicy asked = policy.getIfAvailable();
		KernelSpec<I, O> decided = (asked != null) ? spec.withReplay(asked) : spec;
		RequestContext carried = context.getIfUnique();
		Kernel<I, O> kernel = define((carried != null) ? decided.withContext(carried) : decided, runtime, settings,
				keyOf(id, request, settings, beanFactory));
		if (beanFactory.getBeanNamesForType(RingKernelRuntime.class, true, false).length == 0) {
			// The runtime of a parent context outlives this one, which may fail to start.
			beanFactory.registerDisposableBean(nameOf(id), () -> runtime.remove(kernel));
		}
		return kernel;
	}

	/** The name of the kernel bean. */
	static String nameOf(String id) {
		return id + ".kernel";
	}

	private static <I extends Record, O extends Record> Kernel<I, O> define(KernelSpec<I, O> spec,
			RingKernelRuntime runtime, KernelSettings settings, @Nullable KeyExtractor<? super I> key) {
		try {
			return runtime.define(spec, settings.replicationOf(spec.id()), key);
		}
		catch (InvalidConfigurationException ex) {
			throw ex.setting().equals("device") ? new InvalidConfigurationException(
					settings.nameOf(spec.id(), "devices"), ex.value(), ex.reason(), ex.remedy()) : ex;
		}
	}

	/** What reads the key of requests; {@code null} if they are not routed by key. */
	@SuppressWarnings("unchecked")
	private static <I extends Record> @Nullable KeyExtractor<? super I> keyOf(String id, Class<I> request,
			KernelSettings settings, BeanFactory beanFactory) {
		String routing = settings.routingOf(id);
		if (routing.equals(KernelSettings.LEAST_LOADED)) {
			return null;
		}
		try {
			if (routing.equals(KernelSettings.BY_KEY)) {
				return KeyExtractor.ofComponent(request);
			}
			if (beanFactory.containsBean(routing) && beanFactory.isTypeMatch(routing, KeyExtractor.class)) {
				return beanFactory.getBean(routing, KeyExtractor.class);
			}
			throw new InvalidConfigurationException("routing", routing, "is no KeyExtractor bean",
					"Set it to least-loaded, key, or the name of a KeyExtractor bean.");
		}
		catch (InvalidConfigurationException ex) {
			throw new InvalidConfigurationException(settings.nameOf(id, ex.setting()), ex.value(), ex.reason(),
					ex.remedy());
		}
	}

	/**
	 * Resolves placeholders here rather than in the registrar, so that a location that
	 * was written down ahead of time follows the properties of the machine it runs on.
	 */
	private static String resolve(String id, String image, String handlerBean, ConfigurableBeanFactory beanFactory) {
		try {
			String resolved = beanFactory.resolveEmbeddedValue(image);
			return (resolved != null) ? resolved : "";
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidHandlerBeanException(id, handlerBean,
					"its image '%s' has a placeholder that no property resolves.".formatted(image),
					"Set the property, or set ringkernel.kernels.%s.image.".formatted(id), ex);
		}
	}

	private static <I extends Record, O extends Record> KernelSpec<I, O> spec(String id, String image,
			String handlerBean, MessageLayout<I> requests, MessageLayout<O> responses, RingKernelHandler<I, O> handler,
			KernelOptions options) {
		try {
			return new KernelSpec<>(id, requests, responses, handler, image.isEmpty() ? null : image, options);
		}
		catch (InvalidConfigurationException ex) {
			throw new InvalidHandlerBeanException(id, handlerBean, "the id %s.".formatted(ex.reason()), ex.remedy(),
					null);
		}
	}

	private static <T extends Record> MessageLayout<T> layout(String id, String handlerBean, Class<T> message) {
		try {
			return MessageLayout.of(message);
		}
		catch (UnsupportedMessageTypeException ex) {
			throw new InvalidHandlerBeanException(id, handlerBean,
					"the record %s cannot be laid out: %s.".formatted(message.getName(), ex.getMessage()),
					"Change the record %s, so that all of it has a place of a known size."
						.formatted(message.getSimpleName()),
					ex);
		}
	}

}
