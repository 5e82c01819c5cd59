package io.ringkernel.spring.boot.autoconfigure.actuate;

import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

import io.ringkernel.spring.boot.autoconfigure.actuate.PathArguments.Argument;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.filter.reactive.ServerWebExchangeContextFilter;
import org.springframework.web.server.ServerWebExchange;

/**
 * The {@link RingKernelsEndpointWebExtension} for Spring WebFlux. It finds the request in
 * the Reactor context, where a {@link ServerWebExchangeContextFilter} puts it, and runs
 * operations on a scheduler for blocking work.
 *
 * @since 0.2.0
 */
@EndpointWebExtension(endpoint = RingKernelsEndpoint.class)
public class ReactiveRingKernelsEndpointWebExtension {

	private final RingKernelsEndpointWebExtension operations;

	/**
	 * Creates the extension.
	 * @param operations what it runs
	 */
	public ReactiveRingKernelsEndpointWebExtension(RingKernelsEndpointWebExtension operations) {
		this.operations = operations;
	}

	/**
	 * Reads as {@link RingKernelsEndpointWebExtension#ringKernels} does.
	 * @param user who asks
	 * @return names and values
	 */
	@ReadOperation
	public Mono<Map<String, Object>> ringKernels(SecurityContext user) {
		return blocking(() -> this.operations.ringKernels(user));
	}

	/**
	 * Reads one kernel as {@link RingKernelsEndpointWebExtension#ringKernel} does.
	 * @param user who asks
	 * @param id its id
	 * @return its status, or what is wrong
	 */
	@ReadOperation
	public Mono<WebEndpointResponse<Map<String, Object>>> ringKernel(SecurityContext user, @Selector String id) {
		return checked(List.of(Argument.id(id)), () -> this.operations.show(user, id));
	}

	/**
	 * Reads a view of a kernel as {@link RingKernelsEndpointWebExtension#view} does.
	 * @param id the kernel's id
	 * @param view {@code ring} or {@code code}
	 * @return names and values, or what is wrong
	 */
	@ReadOperation
	public Mono<WebEndpointResponse<Map<String, Object>>> view(@Selector String id, @Selector String view) {
		return checked(List.of(Argument.id(id), Argument.view(view)), () -> this.operations.show(id, view));
	}

	/**
	 * Takes a kernel to another state as {@link RingKernelsEndpointWebExtension#act}
	 * does.
	 * @param user who asks
	 * @param id its id
	 * @param action {@code activate}, {@code deactivate}, {@code terminate} or
	 * {@code relaunch}
	 * @return its new status, or what is wrong
	 */
	@WriteOperation
	public Mono<WebEndpointResponse<Map<String, Object>>> act(SecurityContext user, @Selector String id,
			@Nullable String action) {
		return checked(List.of(Argument.id(id)), () -> this.operations.perform(user, id, action));
	}

	private static Mono<WebEndpointResponse<Map<String, Object>>> checked(List<Argument> arguments,
			Callable<WebEndpointResponse<Map<String, Object>>> operation) {
		return Mono.deferContextual((context) -> {
			ServerHttpRequest request = ServerWebExchangeContextFilter.getExchange(context)
				.map(ServerWebExchange::getRequest)
				.orElseThrow(() -> new IllegalStateException(
						"The request is not in the Reactor context. Declare a ServerWebExchangeContextFilter."));
			String contradiction = PathArguments.contradiction(request.getPath().value(),
					request.getQueryParams().keySet(), arguments);
			return (contradiction != null) ? Mono.just(RingKernelsEndpointWebExtension.badRequest(contradiction))
					: blocking(operation);
		});
	}

	private static <T> Mono<T> blocking(Callable<T> operation) {
		return Mono.fromCallable(operation).subscribeOn(Schedulers.boundedElastic());
	}

}
