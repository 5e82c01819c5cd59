package io.ringkernel.sampletest;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Requests that an application has half of when it is told to stop.
 */
public final class HeldRequests implements AutoCloseable {

	private static final Duration DEADLINE = Duration.ofSeconds(60);

	private final SampleClient sample;

	private final List<HeldRequest> requests = new ArrayList<>();

	private HeldRequests(SampleClient sample) {
		this.sample = sample;
	}

	/**
	 * Sends half of so many requests, and waits until the application is busy with them.
	 */
	public static HeldRequests hold(SampleClient sample, int count) throws IOException {
		HeldRequests held = new HeldRequests(sample);
		for (int i = 0; i < count; i++) {
			held.requests.add(HeldRequest.post(sample.base().getHost(), sample.base().getPort(), "/api/vector-add",
					"{\"a\":[%d],\"b\":[1]}".formatted(i)));
		}
		// The request that asks is in flight itself.
		await().atMost(DEADLINE).until(sample::requestsInFlight, (inFlight) -> inFlight == count + 1);
		return held;
	}

	/**
	 * Sends the other halves once the application takes no requests any more, and
	 * verifies that each of them is answered.
	 */
	public void areAnsweredThoughOthersAreRefused() throws IOException {
		await().atMost(DEADLINE).until(this.sample::isRefused);
		for (HeldRequest request : this.requests) {
			request.complete();
		}
		for (int i = 0; i < this.requests.size(); i++) {
			assertThat(this.requests.get(i).response()).startsWith("HTTP/1.1 200")
				.endsWith("{\"sum\":[%d.0]}".formatted(i + 1));
		}
	}

	@Override
	public void close() throws IOException {
		for (HeldRequest request : this.requests) {
			request.close();
		}
	}

}
