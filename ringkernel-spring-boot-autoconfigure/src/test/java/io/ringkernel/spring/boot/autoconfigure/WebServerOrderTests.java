package io.ringkernel.spring.boot.autoconfigure;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.ringkernel.KernelState;
import io.ringkernel.RingKernelClient;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.spring.Kernels.Number;
import io.ringkernel.spring.Kernels.Twice;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for kernels that serve a web server's requests.
 */
@Timeout(60)
@Tag("every-platform")
class WebServerOrderTests {

	@Test
	void kernelsAreActiveBeforeTheServerListensAndUntilItHasDrained() throws Exception {
		ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
			.properties("server.port=0", "server.shutdown=graceful")
			.run();
		Twofold twofold = context.getBean(Twofold.class);
		assertThat(twofold.stateWhenListening).isEqualTo(KernelState.ACTIVE);
		URI uri = URI
			.create("http://localhost:%s/".formatted(context.getEnvironment().getProperty("local.server.port")));
		HttpClient.newHttpClient().sendAsync(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
		assertThat(twofold.begun.await(10, TimeUnit.SECONDS)).isTrue();
		context.close();
		// Not what the HTTP client receives: Tomcat takes a request for finished before
		// its response is on its way, and may close the connection in between.
		assertThat(twofold.answer).succeedsWithin(10, TimeUnit.SECONDS).isEqualTo(42);
		assertThat(twofold.kernel.state()).isEqualTo(KernelState.TERMINATED);
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	@Import({ Twice.class, Twofold.class })
	static class Application {

	}

	/**
	 * Calls its kernel only once the context is being closed.
	 */
	@RestController
	static class Twofold {

		private final RingKernelClient<Number, Number> client;

		private final Kernel<Number, Number> kernel;

		private final CountDownLatch begun = new CountDownLatch(1);

		private final CountDownLatch closing = new CountDownLatch(1);

		private final CompletableFuture<Integer> answer = new CompletableFuture<>();

		private volatile @Nullable KernelState stateWhenListening;

		Twofold(RingKernelClient<Number, Number> client, Kernel<Number, Number> kernel) {
			this.client = client;
			this.kernel = kernel;
		}

		@GetMapping("/")
		int twofold() throws InterruptedException {
			this.begun.countDown();
			this.closing.await(10, TimeUnit.SECONDS);
			int value = this.client.call(new Number(21)).value();
			this.answer.complete(value);
			return value;
		}

		@EventListener(WebServerInitializedEvent.class)
		void onListening() {
			this.stateWhenListening = this.kernel.state();
		}

		@EventListener(ContextClosedEvent.class)
		void onClosing() {
			this.closing.countDown();
		}

	}

}
