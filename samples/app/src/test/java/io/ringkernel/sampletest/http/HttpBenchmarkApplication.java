package io.ringkernel.sampletest.http;

import io.ringkernel.RingKernelClient;
import io.ringkernel.RingKernelHandler;
import io.ringkernel.sample.SampleApplication;
import io.ringkernel.sample.vectoradd.VectorAddRequest;
import io.ringkernel.sample.vectoradd.VectorAddResponse;

import org.springframework.boot.SpringApplication;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/**
 * The sample with two more endpoints, which differ in nothing but the way to the handler.
 */
final class HttpBenchmarkApplication {

	private HttpBenchmarkApplication() {
	}

	public static void main(String[] args) {
		SpringApplication.run(new Class<?>[] { SampleApplication.class, Endpoints.class }, args);
	}

	@RestController
	static class Endpoints {

		private final RingKernelClient<VectorAddRequest, VectorAddResponse> client;

		private final RingKernelHandler<VectorAddRequest, VectorAddResponse> handler;

		Endpoints(RingKernelClient<VectorAddRequest, VectorAddResponse> client,
				RingKernelHandler<VectorAddRequest, VectorAddResponse> handler) {
			this.client = client;
			this.handler = handler;
		}

		@PostMapping("/benchmark/ring")
		VectorAddResponse ring(@RequestBody VectorAddRequest request) {
			return this.client.call(request);
		}

		@PostMapping("/benchmark/direct")
		VectorAddResponse direct(@RequestBody VectorAddRequest request) throws Exception {
			return this.handler.handle(request);
		}

	}

}
