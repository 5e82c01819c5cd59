package io.ringkernel.spring.exchange;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.ringkernel.RequestPriority;
import io.ringkernel.RingKernelClient;
import org.jspecify.annotations.Nullable;

/** A method of a declared client, ready to be called. */
final class ExchangeCall {

	private final String where;

	private final ExchangeSettings settings;

	private final ExchangeSignature signature;

	private final Map<RequestPriority, RingKernelClient<Record, Record>> clients = new EnumMap<>(RequestPriority.class);

	ExchangeCall(String where, ExchangeSettings settings, ExchangeSignature signature,
			RingKernelClient<Record, Record> client) {
		this.where = where;
		this.settings = settings;
		this.signature = signature;
		for (RequestPriority priority : RequestPriority.values()) {
			this.clients.put(priority, (priority != RequestPriority.NORMAL) ? client.withPriority(priority) : client);
		}
	}

	@SuppressWarnings("unchecked")
	@Nullable Object invoke(Object[] arguments) {
		Object message = argument(arguments, this.signature.message());
		Duration timeout = timeout(arguments);
		RingKernelClient<Record, Record> client = client(arguments);
		return switch (this.signature.shape()) {
			case CALL -> (timeout != null) ? client.call((Record) message, timeout) : client.call((Record) message);
			case SUBMIT ->
				(timeout != null) ? client.submit((Record) message, timeout) : client.submit((Record) message);
			case SEND -> {
				send(client, (Record) message, timeout);
				yield null;
			}
			case BATCH -> (timeout != null) ? client.callAll((List<Record>) message, timeout)
					: client.callAll((List<Record>) message);
			case MONO -> ReactiveCalls.call(client, (Record) message, timeout);
			case FLUX -> ReactiveCalls.stream(client, message, timeout, this.settings.inFlight());
		};
	}

	private static void send(RingKernelClient<Record, Record> client, Record request, @Nullable Duration timeout) {
		if (timeout != null) {
			client.send(request, timeout);
		}
		else {
			client.send(request);
		}
	}

	private @Nullable Duration timeout(Object[] arguments) {
		return (this.signature.timeout() >= 0) ? (Duration) argument(arguments, this.signature.timeout())
				: this.settings.timeout();
	}

	private RingKernelClient<Record, Record> client(Object[] arguments) {
		RequestPriority priority = (this.signature.priority() >= 0)
				? (RequestPriority) argument(arguments, this.signature.priority()) : this.settings.priority();
		return Objects.requireNonNull(this.clients.get(priority));
	}

	private Object argument(Object[] arguments, int index) {
		Object argument = arguments[index];
		if (argument == null) {
			throw new IllegalArgumentException("Argument %d of %s is null.".formatted(index, this.where));
		}
		return argument;
	}

}
