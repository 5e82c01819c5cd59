package io.ringkernel.spring.exchange;

import java.time.Duration;

import io.ringkernel.RingKernelClient;
import io.ringkernel.spring.reactive.ReactiveRingKernelClient;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

/** The methods that speak of publishers: the one class here that needs Reactor. */
final class ReactiveCalls {

	private ReactiveCalls() {
	}

	static boolean isPublisher(Class<?> type) {
		return Publisher.class.isAssignableFrom(type);
	}

	static boolean isMono(Class<?> type) {
		return type == Mono.class;
	}

	static Object call(RingKernelClient<Record, Record> client, Record request, @Nullable Duration timeout) {
		return reactive(client, timeout).call(request);
	}

	@SuppressWarnings("unchecked")
	static Object stream(RingKernelClient<Record, Record> client, Object requests, @Nullable Duration timeout,
			int inFlight) {
		return reactive(client, timeout).withInFlight(inFlight).stream((Publisher<Record>) requests);
	}

	private static ReactiveRingKernelClient<Record, Record> reactive(RingKernelClient<Record, Record> client,
			@Nullable Duration timeout) {
		ReactiveRingKernelClient<Record, Record> reactive = ReactiveRingKernelClient.of(client);
		return (timeout != null) ? reactive.withTimeout(timeout) : reactive;
	}

}
