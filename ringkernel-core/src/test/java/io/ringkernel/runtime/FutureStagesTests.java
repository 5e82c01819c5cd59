package io.ringkernel.runtime;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

import io.ringkernel.backend.KernelOptions;
import io.ringkernel.ring.RingLayout;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Stages that depend on futures may do what they like: they delay nothing but themselves.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FutureStagesTests extends KernelFixture {

	private static final int SLOTS = 4;

	private final KernelOptions options = OPTIONS.toBuilder().ringMemory(RingLayout.totalBytes(SLOTS, 8, 8)).build();

	private final CountDownLatch added = new CountDownLatch(1);

	private final CountDownLatch blocked = new CountDownLatch(1);

	private final CountDownLatch release = new CountDownLatch(1);

	private Kernel<Number, Number> start(String id) {
		return start(id, (request) -> request);
	}

	private Kernel<Number, Number> start(String id, UnaryOperator<Number> handler) {
		Kernel<Number, Number> kernel = define(id, this.options, handler::apply);
		start(kernel);
		return kernel;
	}

	private Number block(Number response) {
		this.blocked.countDown();
		return await(this.release, response);
	}

	private static Number await(CountDownLatch latch, Number result) {
		try {
			assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
		return result;
	}

	// A stage of a future that is done already runs in the thread that adds it, so the
	// handler waits until it is added.
	private CompletableFuture<Number> submitWithStageThatBlocks(Kernel<Number, Number> kernel)
			throws InterruptedException {
		CompletableFuture<Number> slow = kernel.client().submit(new Number(1)).thenApply(this::block);
		this.added.countDown();
		assertThat(this.blocked.await(30, TimeUnit.SECONDS)).isTrue();
		return slow;
	}

	@Test
	void aStageThatBlocksDelaysNoOtherCallerAndNoOtherStage() throws Exception {
		Kernel<Number, Number> kernel = start("blocked", (request) -> await(this.added, request));
		CompletableFuture<Number> slow = submitWithStageThatBlocks(kernel);
		for (int i = 0; i < 10 * SLOTS; i++) {
			assertThat(kernel.client().call(new Number(i))).isEqualTo(new Number(i));
			assertThat(kernel.client().submit(new Number(i)).get(30, TimeUnit.SECONDS)).isEqualTo(new Number(i));
			assertThat(kernel.client().submit(new Number(i)).thenApply(Number::value)).succeedsWithin(LIMIT)
				.isEqualTo((long) i);
		}
		assertThat(slow).isNotDone();
		this.release.countDown();
		assertThat(slow).succeedsWithin(LIMIT);
	}

	@Test
	void aStageMayWaitForMoreResponsesThanThereAreSlots() {
		Kernel<Number, Number> kernel = start("joining");
		List<CompletableFuture<Number>> outer = IntStream.range(0, 3 * SLOTS)
			.mapToObj((i) -> kernel.client()
				.submit(new Number(i))
				.thenApply((response) -> kernel.client().submit(new Number(response.value() + 1)).join())
				.thenApply((response) -> kernel.client().call(new Number(response.value() + 1))))
			.toList();
		for (int i = 0; i < outer.size(); i++) {
			assertThat(outer.get(i)).succeedsWithin(LIMIT).isEqualTo(new Number(i + 2));
		}
		Awaitility.await().atMost(LIMIT).until(() -> kernel.status().inFlight() == 0);
	}

	@Test
	void aStageThatBlocksKeepsNoSlotOfARequestThatTimesOut() throws Exception {
		Kernel<Number, Number> kernel = start("abandoned", (request) -> await(this.added, request));
		submitWithStageThatBlocks(kernel);
		for (int i = 0; i < 10 * SLOTS; i++) {
			kernel.client().submit(new Number(i)).cancel(true);
		}
		Awaitility.await().atMost(LIMIT).until(() -> kernel.status().inFlight() == 0);
		this.release.countDown();
	}

	@Test
	void aStageMayTerminateItsKernel() {
		Kernel<Number, Number> kernel = start("own-end");
		CompletableFuture<Void> ended = kernel.client()
			.submit(new Number(1))
			.thenAccept((response) -> kernel.terminate());
		assertThat(ended).succeedsWithin(LIMIT);
	}

	@Test
	void aResponseThatSeveralThreadsWaitForIsGivenToAllOfThem() {
		Kernel<Number, Number> kernel = start("shared");
		for (int round = 0; round < 200; round++) {
			CompletableFuture<Number> reply = kernel.client().submit(new Number(round));
			List<CompletableFuture<Number>> waiting = IntStream.range(0, 3)
				.mapToObj((i) -> CompletableFuture.supplyAsync(reply::join, (task) -> new Thread(task).start()))
				.toList();
			Number expected = new Number(round);
			assertThat(waiting).allSatisfy((other) -> assertThat(other).succeedsWithin(LIMIT).isEqualTo(expected));
		}
	}

}
