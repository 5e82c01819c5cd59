package io.ringkernel.runtime;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

import io.ringkernel.RequestStream;
import io.ringkernel.RingKernelClient;
import io.ringkernel.RingKernelHandler;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.backend.RequestContext;
import io.ringkernel.exception.HandlerFailedException;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.PlanRequest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

@Timeout(60)
class RequestContextTests {

	private static final ThreadLocal<@Nullable String> TRACE = new ThreadLocal<>();

	private final RingKernelRuntime runtime = RingKernelRuntime.open(new PlanRequest(BackendKind.CPU, null, null));

	private final Queue<String> seen = new ConcurrentLinkedQueue<>();

	record Number(long value) {
	}

	@AfterEach
	void close() {
		TRACE.remove();
		this.runtime.close();
	}

	@Test
	void aHandlerSeesTheContextOfItsCaller() throws Exception {
		RingKernelClient<Number, Number> client = start(new TraceContext(), this::note);
		TRACE.set("call");
		client.call(new Number(1));
		TRACE.set("submit");
		client.submit(new Number(1)).get(30, TimeUnit.SECONDS);
		TRACE.set("try");
		client.trySubmit(new Number(1)).orElseThrow().get(30, TimeUnit.SECONDS);
		TRACE.set("all");
		client.callAll(List.of(new Number(1), new Number(2)));
		TRACE.set("stream");
		try (RequestStream<Number, Number> stream = client.openStream()) {
			stream.send(new Number(1));
			TRACE.set("another");
			stream.receive();
		}
		assertThat(this.seen).containsExactly("call", "submit", "try", "all", "all", "stream");
	}

	@Test
	void aContextIsGoneOnceItsRequestIsHandled() {
		RingKernelClient<Number, Number> client = start(new TraceContext(), (request) -> {
			note(request);
			if (request.value() == 0) {
				throw new IllegalArgumentException("none");
			}
			return request;
		});
		TRACE.set("first");
		assertThatExceptionOfType(HandlerFailedException.class).isThrownBy(() -> client.call(new Number(0)));
		TRACE.remove();
		client.call(new Number(1));
		assertThat(this.seen).containsExactly("first", "null");
	}

	@Test
	void aContextThatCannotBeCapturedReachesTheCallerAndNothingIsSent() {
		RingKernelClient<Number, Number> client = start(new TraceContext() {
			@Override
			public @Nullable Object capture() {
				throw new IllegalStateException("no context");
			}
		}, this::note);
		assertThatIllegalStateException().isThrownBy(() -> client.call(new Number(1))).withMessage("no context");
		assertThat(this.seen).isEmpty();
		assertThat(this.runtime.kernel("traced").orElseThrow().status().inFlight()).isZero();
	}

	@Test
	void aContextThatCannotBeRestoredFailsItsRequestAlone() {
		RingKernelClient<Number, Number> client = start(new TraceContext() {
			@Override
			public Scope restore(Object captured) {
				throw new IllegalStateException("no scope");
			}
		}, this::note);
		TRACE.set("lost");
		assertThatExceptionOfType(HandlerFailedException.class).isThrownBy(() -> client.call(new Number(1)))
			.withStackTraceContaining("no scope");
		TRACE.remove();
		assertThat(client.call(new Number(2)).value()).isEqualTo(2);
	}

	private RingKernelClient<Number, Number> start(RequestContext context, RingKernelHandler<Number, Number> handler) {
		KernelOptions options = KernelOptions.builder().workers(1).requestTimeout(Duration.ofSeconds(30)).build();
		Kernel<Number, Number> kernel = this.runtime
			.define(KernelSpec.of("traced", Number.class, Number.class, handler, options).withContext(context));
		kernel.launch();
		kernel.activate();
		return kernel.client();
	}

	private Number note(Number request) {
		this.seen.add(String.valueOf(TRACE.get()));
		return request;
	}

	private static class TraceContext implements RequestContext {

		@Override
		public @Nullable Object capture() {
			return TRACE.get();
		}

		@Override
		public Scope restore(Object captured) {
			TRACE.set((String) captured);
			return TRACE::remove;
		}

	}

}
