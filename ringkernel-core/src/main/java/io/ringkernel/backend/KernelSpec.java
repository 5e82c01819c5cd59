package io.ringkernel.backend;

import io.ringkernel.InvalidConfigurationException;
import io.ringkernel.RingKernelHandler;
import io.ringkernel.message.MessageLayout;
import org.jspecify.annotations.Nullable;

/**
 * A kernel as it is defined: what it is called, what it speaks and what computes it.
 *
 * @param <I> the request
 * @param <O> the response
 * @param id its id: lower-case letters, digits and single hyphens between them
 * @param requests the layout of requests
 * @param responses the layout of responses
 * @param handler what computes a response in Java
 * @param image where its CUDA image is found, or {@code null} if it has none
 * @param options how it is run
 */
public record KernelSpec<I extends Record, O extends Record>(String id, MessageLayout<I> requests,
		MessageLayout<O> responses, RingKernelHandler<I, O> handler, @Nullable String image, KernelOptions options) {

	/**
	 * Creates the definition.
	 * @param id its id
	 * @param requests the layout of requests
	 * @param responses the layout of responses
	 * @param handler what computes a response in Java
	 * @param image where its CUDA image is found, or {@code null}
	 * @param options how it is run
	 * @throws InvalidConfigurationException if the id is not of that form
	 */
	public KernelSpec {
		if (!id.matches("[a-z0-9]+(-[a-z0-9]+)*")) {
			throw new InvalidConfigurationException("kernel id", "'" + id + "'", "is no valid id",
					"Use lower-case letters and digits, with single hyphens between them, such as 'vector-add'.");
		}
	}

	/**
	 * Defines a kernel by its types.
	 * @param <I> the request
	 * @param <O> the response
	 * @param id its id
	 * @param requestType the request record
	 * @param responseType the response record
	 * @param handler what computes a response in Java
	 * @param options how it is run
	 * @return the definition, without a CUDA image
	 * @throws io.ringkernel.UnsupportedMessageTypeException if a type cannot be laid out
	 */
	public static <I extends Record, O extends Record> KernelSpec<I, O> of(String id, Class<I> requestType,
			Class<O> responseType, RingKernelHandler<I, O> handler, KernelOptions options) {
		return new KernelSpec<>(id, MessageLayout.of(requestType), MessageLayout.of(responseType), handler, null,
				options);
	}

}
