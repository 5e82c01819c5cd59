package io.ringkernel.spring.exchange;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;

import io.ringkernel.RequestPriority;
import org.jspecify.annotations.Nullable;

import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/**
 * What a method takes and returns.
 *
 * @param shape what it makes of a request
 * @param request the request record
 * @param response the response record, or {@code null} where it is discarded
 * @param message the parameter that holds the request or requests
 * @param timeout the parameter that holds the timeout, or -1
 * @param priority the parameter that holds the priority, or -1
 */
record ExchangeSignature(Shape shape, Class<?> request, @Nullable Class<?> response, int message, int timeout,
		int priority) {

	private static final String REMEDY = "Let it take a request record and return the response record, or a "
			+ "CompletableFuture or Mono of it; take a List and return a List; or take a Publisher and return a Flux. "
			+ "A Duration and a RequestPriority may be parameters as well.";

	private static final boolean REACTOR = ClassUtils.isPresent("reactor.core.publisher.Flux",
			ExchangeSignature.class.getClassLoader());

	static ExchangeSignature of(Class<?> type, Method method, String where, boolean oneWay) {
		int message = parameter(method, null, where);
		if (message < 0) {
			throw new InvalidExchangeException(where, "takes no request.", REMEDY);
		}
		ResolvableType taken = ResolvableType.forMethodParameter(method, message, type);
		ResolvableType returned = ResolvableType.forMethodReturnType(method, type);
		Shape shape = shape(taken.toClass(), returned.toClass(), where, oneWay);
		boolean many = shape == Shape.BATCH || shape == Shape.FLUX;
		boolean wrapped = shape != Shape.CALL;
		return new ExchangeSignature(shape, record(many ? taken.getGeneric(0) : taken, "request", where),
				(shape == Shape.SEND) ? null : record(wrapped ? returned.getGeneric(0) : returned, "response", where),
				message, parameter(method, Duration.class, where), parameter(method, RequestPriority.class, where));
	}

	/** The parameter of some type, or of neither type that means something of its own. */
	private static int parameter(Method method, @Nullable Class<?> wanted, String where) {
		int found = -1;
		for (int i = 0; i < method.getParameterCount(); i++) {
			Class<?> type = method.getParameterTypes()[i];
			boolean option = type == Duration.class || type == RequestPriority.class;
			if ((wanted != null) ? type == wanted : !option) {
				if (found >= 0) {
					throw new InvalidExchangeException(where, "has two parameters of which it can have one: %s and %s."
						.formatted(method.getParameterTypes()[found].getSimpleName(), type.getSimpleName()), REMEDY);
				}
				found = i;
			}
		}
		return found;
	}

	private static Shape shape(Class<?> taken, Class<?> returned, String where, boolean oneWay) {
		boolean nothing = returned == void.class;
		if (nothing != oneWay) {
			throw new InvalidExchangeException(where,
					nothing ? "returns nothing, and does not say that the response is discarded."
							: "is one-way and returns %s.".formatted(returned.getSimpleName()),
					nothing ? "Return the response, or declare the method with @RingKernelExchange(oneWay = true)."
							: "Return void, or remove oneWay.");
		}
		if (isPublisher(taken)) {
			return require(Shape.FLUX, isPublisher(returned) && !isMono(returned), taken, returned, where);
		}
		if (taken == List.class) {
			return require(Shape.BATCH, returned == List.class, taken, returned, where);
		}
		if (nothing) {
			return Shape.SEND;
		}
		if (returned == CompletableFuture.class || returned == CompletionStage.class || returned == Future.class) {
			return Shape.SUBMIT;
		}
		if (isPublisher(returned)) {
			return Shape.MONO;
		}
		return require(Shape.CALL, Record.class.isAssignableFrom(returned), taken, returned, where);
	}

	private static Shape require(Shape shape, boolean fits, Class<?> taken, Class<?> returned, String where) {
		if (!fits) {
			throw new InvalidExchangeException(where,
					"takes %s and returns %s.".formatted(taken.getSimpleName(), returned.getSimpleName()), REMEDY);
		}
		return shape;
	}

	private static boolean isPublisher(Class<?> type) {
		return REACTOR && ReactiveCalls.isPublisher(type);
	}

	private static boolean isMono(Class<?> type) {
		return REACTOR && ReactiveCalls.isMono(type);
	}

	private static Class<?> record(ResolvableType type, String role, String where) {
		Class<?> resolved = type.resolve();
		if (resolved == null || !resolved.isRecord()) {
			throw new InvalidExchangeException(where,
					"does not say which record is the %s: it has %s there.".formatted(role, type), REMEDY);
		}
		return resolved;
	}

	/**
	 * What a method makes of a request: its parameter and its result.
	 */
	enum Shape {

		/** A request; waits for its response. */
		CALL,

		/** A request; a future of its response. */
		SUBMIT,

		/** A request; nothing. */
		SEND,

		/** A list of requests; waits for their responses. */
		BATCH,

		/** A request; a Mono of its response. */
		MONO,

		/** A publisher of requests; a Flux of their responses. */
		FLUX

	}

}
