package io.ringkernel.sample.web;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.ringkernel.sample.SampleApplication;
import io.ringkernel.sampletest.FaultyKernel;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@Tag("every-platform")
class GracefulShutdownTests {

	@Test
	void answersRequestsInFlight() throws Exception {
		ConfigurableApplicationContext application = new SpringApplicationBuilder(SampleApplication.class,
				FaultyKernel.class)
			.run("--server.port=0");
		int port = application.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
		FaultyKernel.Gate gate = application.getBean(FaultyKernel.Gate.class);
		FaultyKernel.FaultyController controller = application.getBean(FaultyKernel.FaultyController.class);
		CompletableFuture<HttpResponse<String>> response = HttpClient.newHttpClient()
			.sendAsync(HttpRequest.newBuilder(URI.create("http://localhost:%d/faulty/WAIT".formatted(port)))
				.POST(HttpRequest.BodyPublishers.noBody())
				.build(), HttpResponse.BodyHandlers.ofString());
		gate.awaitArrivals(1);

		CompletableFuture<Void> closing = CompletableFuture.runAsync(application::close);
		await().until(() -> refusesConnections(port));
		assertThat(response).isNotDone();
		gate.open();

		// What the controller has got is what the kernel answers for: Tomcat takes a
		// request for done a moment
		// before it writes the response, and may close the connection in between.
		closing.get(10, TimeUnit.SECONDS);
		assertThat(controller.answered()).isEqualTo(1);
	}

	private static boolean refusesConnections(int port) {
		try (Socket socket = new Socket("localhost", port)) {
			return !socket.isConnected();
		}
		catch (IOException ex) {
			return true;
		}
	}

}
