package io.ringkernel.backend;

import java.util.OptionalInt;

import io.ringkernel.RingKernelHandler;
import io.ringkernel.exception.InvalidConfigurationException;
import io.ringkernel.message.MessageLayout;
import org.jspecify.annotations.Nullable;

/**
 * A kernel as it is defined: what it is called, what it speaks and what computes it.
 *
 * @param <I> the request
 * @param <O> the response
 * @param id its id: lower-case letters, digits and single hyphens between them; that of a
 * replica is the id of its kernel, a dot and the number of the replica
 * @param requests the layout of requests
 * @param responses the layout of responses
 * @param handler what computes a response in Java
 * @param image where its CUDA image is found, or {@code null} if it has none
 * @param options how it is run
 * @param context what carries the context of a caller to the handler, or {@code null}
 * @param replay what is asked which requests may be handled again; {@code null} if the
 * options alone decide
 * @since 0.1.0
 */
public record KernelSpec<I extends Record, O extends Record>(String id, MessageLayout<I> requests,
		MessageLayout<O> responses, RingKernelHandler<I, O> handler, @Nullable String image, KernelOptions options,
		@Nullable RequestContext context, @Nullable ReplayPolicy replay) {

	/** Stands between the id of a kernel and the number of a replica. */
	private static final char REPLICA = '.';

	/**
	 * Creates the definition.
	 * @param id its id
	 * @param requests the layout of requests
	 * @param responses the layout of responses
	 * @param handler what computes a response in Java
	 * @param image where its CUDA image is found, or {@code null}
	 * @param options how it is run
	 * @param context what carries the context of a caller to the handler, or {@code null}
	 * @param replay what is asked which requests may be handled again, or {@code null}
	 * @throws InvalidConfigurationException if the id is not of that form
	 */
	public KernelSpec {
		if (!id.matches("[a-z0-9]+(-[a-z0-9]+)*(\\.[0-9]{1,4})?")) {
			throw new InvalidConfigurationException("kernel id", "'" + id + "'", "is no valid id",
					"Use lower-case letters and digits, with single hyphens between them, such as 'vector-add'.");
		}
	}

	/**
	 * Creates the definition of a kernel whose handler needs no context of its callers.
	 * @param id its id
	 * @param requests the layout of requests
	 * @param responses the layout of responses
	 * @param handler what computes a response in Java
	 * @param image where its CUDA image is found, or {@code null}
	 * @param options how it is run
	 * @throws InvalidConfigurationException if the id is not of that form
	 */
	public KernelSpec(String id, MessageLayout<I> requests, MessageLayout<O> responses, RingKernelHandler<I, O> handler,
			@Nullable String image, KernelOptions options) {
		this(id, requests, responses, handler, image, options, null, null);
	}

	/**
	 * {@return a copy whose handler sees the context of the caller}
	 * @param context what captures and restores it
	 * @since 0.2.0
	 */
	public KernelSpec<I, O> withContext(RequestContext context) {
		return new KernelSpec<>(this.id, this.requests, this.responses, this.handler, this.image, this.options, context,
				this.replay);
	}

	/**
	 * {@return a copy some of whose requests may be handled again}
	 * @param replay what is asked which
	 * @since 0.2.0
	 */
	public KernelSpec<I, O> withReplay(ReplayPolicy replay) {
		return new KernelSpec<>(this.id, this.requests, this.responses, this.handler, this.image, this.options,
				this.context, replay);
	}

	/**
	 * {@return a copy with other options}
	 * @param options how it is run
	 * @since 0.2.0
	 */
	public KernelSpec<I, O> withOptions(KernelOptions options) {
		return new KernelSpec<>(this.id, this.requests, this.responses, this.handler, this.image, options, this.context,
				this.replay);
	}

	/**
	 * {@return the definition of one replica}
	 * @param number its number, from 0
	 * @param device the device that runs it, as in {@link KernelOptions#device}
	 * @since 0.2.0
	 */
	public KernelSpec<I, O> replica(int number, int device) {
		return new KernelSpec<>(this.id + REPLICA + number, this.requests, this.responses, this.handler, this.image,
				this.options.toBuilder().device(device).build(), this.context, this.replay);
	}

	/**
	 * {@return the number of the replica that this defines; nothing for a kernel}
	 * @since 0.2.0
	 */
	public OptionalInt replica() {
		int dot = this.id.indexOf(REPLICA);
		return (dot < 0) ? OptionalInt.empty()
				: OptionalInt.of(Integer.parseInt(this.id, dot + 1, this.id.length(), 10));
	}

	/**
	 * {@return the id of the kernel, also if this defines one of its replicas}
	 * @since 0.2.0
	 */
	public String kernelId() {
		int dot = this.id.indexOf(REPLICA);
		return (dot < 0) ? this.id : this.id.substring(0, dot);
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
	 * @throws io.ringkernel.exception.UnsupportedMessageTypeException if a type cannot be
	 * laid out
	 */
	public static <I extends Record, O extends Record> KernelSpec<I, O> of(String id, Class<I> requestType,
			Class<O> responseType, RingKernelHandler<I, O> handler, KernelOptions options) {
		return new KernelSpec<>(id, MessageLayout.of(requestType), MessageLayout.of(responseType), handler, null,
				options);
	}

}
