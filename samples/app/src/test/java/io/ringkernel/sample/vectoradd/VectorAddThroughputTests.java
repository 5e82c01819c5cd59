package io.ringkernel.sample.vectoradd;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import io.ringkernel.RingKernelClient;
import io.ringkernel.runtime.Kernel;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A million requests, none lost and none answered with another one's response.
 */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.NONE, properties = "sample.validation.enabled=false")
@Tag("every-platform")
class VectorAddThroughputTests {

	private static final Logger log = LoggerFactory.getLogger(VectorAddThroughputTests.class);

	private static final int REQUESTS = 1_000_000;

	private static final int THREADS = 4;

	private static final int IN_FLIGHT = 64;

	@Autowired
	private RingKernelClient<VectorAddRequest, VectorAddResponse> client;

	@Autowired
	private Kernel<VectorAddRequest, VectorAddResponse> kernel;

	@Test
	void losesNoneOfAMillionRequests() throws Exception {
		ExecutorService callers = Executors.newFixedThreadPool(THREADS);
		long start = System.nanoTime();
		try {
			List<Callable<Integer>> shares = new ArrayList<>();
			for (int thread = 0; thread < THREADS; thread++) {
				int first = thread * (REQUESTS / THREADS);
				shares.add(() -> run(first, REQUESTS / THREADS));
			}
			int right = 0;
			for (Future<Integer> share : callers.invokeAll(shares)) {
				right += share.get();
			}
			assertThat(right).isEqualTo(REQUESTS);
		}
		finally {
			callers.shutdownNow();
		}
		log.info("{} requests a second", TimeUnit.SECONDS.toNanos(REQUESTS) / (System.nanoTime() - start));
		assertThat(this.kernel.status().processed()).isEqualTo(REQUESTS);
		assertThat(this.kernel.status().failed()).isZero();
		assertThat(this.kernel.status().inFlight()).isZero();
	}

	private int run(int first, int count) {
		Queue<CompletableFuture<VectorAddResponse>> replies = new ArrayDeque<>(IN_FLIGHT);
		int right = 0;
		for (int i = first; i < first + count; i++) {
			if (replies.size() == IN_FLIGHT) {
				right += check(replies, i - IN_FLIGHT);
			}
			replies.add(this.client.submit(request(i)));
		}
		while (!replies.isEmpty()) {
			right += check(replies, first + count - replies.size());
		}
		return right;
	}

	private static int check(Queue<CompletableFuture<VectorAddResponse>> replies, int i) {
		float[] sum = replies.remove().join().sum();
		return (sum.length == 2 && sum[0] == i && sum[1] == 2f * i) ? 1 : 0;
	}

	/** Up to a million, every integer is a float. */
	private static VectorAddRequest request(int i) {
		return new VectorAddRequest(new float[] { i - 1, i }, new float[] { 1, i });
	}

}
