package io.ringkernel.spring.exchange;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.function.UnaryOperator;

import io.ringkernel.RequestPriority;
import org.jspecify.annotations.Nullable;

import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.format.datetime.standard.DurationFormatterUtils;

/**
 * What the annotations of a method and of its interface say together.
 *
 * @param kernelId the kernel that is called
 * @param timeout how long a call may take, or {@code null} for the kernel's own timeout
 * @param priority the priority of a call that does not say
 * @param inFlight how many requests of a stream are in flight at most
 * @param oneWay whether the response is discarded
 */
record ExchangeSettings(String kernelId, @Nullable Duration timeout, RequestPriority priority, int inFlight,
		boolean oneWay) {

	private static final int DEFAULT_IN_FLIGHT = 32;

	/** What a client accepts for one call. */
	private static final Duration LONGEST_TIMEOUT = Duration.ofDays(365);

	static ExchangeSettings of(Class<?> type, Method method, String where, UnaryOperator<String> resolver) {
		RingKernelExchange own = annotation(method);
		RingKernelExchange common = annotation(type);
		String kernelId = resolver.apply(pick(value(own), value(common)));
		if (kernelId.isEmpty()) {
			throw new InvalidExchangeException(where, "says of no kernel that it calls it.",
					"Annotate it, or its interface, with @RingKernelExchange and the kernel's id.");
		}
		return new ExchangeSettings(kernelId, timeout(own, common, where, resolver), priority(own, common, where),
				inFlight(own, common, where), (own != null && own.oneWay()) || (common != null && common.oneWay()));
	}

	private static @Nullable RingKernelExchange annotation(AnnotatedElement element) {
		return AnnotatedElementUtils.findMergedAnnotation(element, RingKernelExchange.class);
	}

	private static String value(@Nullable RingKernelExchange annotation) {
		return (annotation != null) ? annotation.value() : "";
	}

	private static String pick(String own, String common) {
		return own.isEmpty() ? common : own;
	}

	private static @Nullable Duration timeout(@Nullable RingKernelExchange own, @Nullable RingKernelExchange common,
			String where, UnaryOperator<String> resolver) {
		String text = resolver
			.apply(pick((own != null) ? own.timeout() : "", (common != null) ? common.timeout() : ""));
		if (text.isEmpty()) {
			return null;
		}
		Duration timeout;
		try {
			timeout = DurationFormatterUtils.detectAndParse(text);
		}
		catch (IllegalArgumentException ex) {
			throw invalidTimeout(where, text, "is no duration");
		}
		if (timeout.isNegative() || timeout.isZero()) {
			throw invalidTimeout(where, text, "is not positive");
		}
		if (timeout.compareTo(LONGEST_TIMEOUT) > 0) {
			throw invalidTimeout(where, text, "is more than %d days".formatted(LONGEST_TIMEOUT.toDays()));
		}
		return timeout;
	}

	private static InvalidExchangeException invalidTimeout(String where, String text, String problem) {
		return new InvalidExchangeException(where, "has the timeout '%s', which %s.".formatted(text, problem),
				"Write, say, 50ms.");
	}

	private static RequestPriority priority(@Nullable RingKernelExchange own, @Nullable RingKernelExchange common,
			String where) {
		RequestPriority[] priorities = (own != null && own.priority().length > 0) ? own.priority()
				: ((common != null) ? common.priority() : new RequestPriority[0]);
		if (priorities.length > 1) {
			throw new InvalidExchangeException(where, "has %d priorities.".formatted(priorities.length),
					"Name one of them.");
		}
		return (priorities.length == 0) ? RequestPriority.NORMAL : priorities[0];
	}

	private static int inFlight(@Nullable RingKernelExchange own, @Nullable RingKernelExchange common, String where) {
		int inFlight = (own != null && own.inFlight() != 0) ? own.inFlight()
				: ((common != null) ? common.inFlight() : 0);
		if (inFlight < 0) {
			throw new InvalidExchangeException(where, "has inFlight = %d, which is not positive.".formatted(inFlight),
					"Set it to, say, %d.".formatted(DEFAULT_IN_FLIGHT));
		}
		return (inFlight == 0) ? DEFAULT_IN_FLIGHT : inFlight;
	}

}
