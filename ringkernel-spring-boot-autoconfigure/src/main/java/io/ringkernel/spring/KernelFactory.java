package io.ringkernel.spring;

import io.ringkernel.InvalidConfigurationException;
import io.ringkernel.RingKernelHandler;
import io.ringkernel.UnsupportedMessageTypeException;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.message.MessageLayout;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;

/**
 * Creates the {@link Kernel} beans. Everything but runtime and settings is an argument of
 * the bean definition, which ahead-of-time processing can write down.
 */
final class KernelFactory {

	/** Where {@link #create} has the location of the image. */
	static final int IMAGE_INDEX = 1;

	/** Where {@link #create} has the record of requests. */
	static final int REQUEST_INDEX = 4;

	/** Where {@link #create} has the record of responses. */
	static final int RESPONSE_INDEX = 5;

	private KernelFactory() {
	}

	static <I extends Record, O extends Record> Kernel<I, O> create(String id, String image, String handlerBean,
			RingKernelHandler<I, O> handler, Class<I> request, Class<O> response, RingKernelRuntime runtime,
			KernelSettings settings) {
		MessageLayout<I> requests = layout(id, handlerBean, request);
		MessageLayout<O> responses = layout(id, handlerBean, response);
		return runtime.define(spec(id, image, handlerBean, requests, responses, handler, settings.optionsOf(id)));
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
