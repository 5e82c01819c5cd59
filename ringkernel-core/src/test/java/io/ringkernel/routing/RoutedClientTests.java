package io.ringkernel.routing;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import io.ringkernel.KernelState;
import io.ringkernel.RingKernelClient;
import io.ringkernel.exception.KernelNotActiveException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RoutedClientTests {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	/** That of the last request that a replica has got. */
	private volatile Duration timeout = Duration.ZERO;

	private final Routes<Number, Number> routes = new Routes<>("numbers", replicas(2), Number::value);

	private final RoutedClient<Number, Number> client = new RoutedClient<>("numbers", LIMIT, true, this.routes);

	@Test
	void aBroadcastWhileTheNumberOfReplicasChangesReachesAllOfTheNewOnes() throws Exception {
		assertThat(this.routes.holdUp(System.nanoTime() + LIMIT.toNanos())).isTrue();
		FutureTask<List<Number>> broadcast = new FutureTask<>(() -> this.client.broadcast(new Number(7)));
		Thread caller = new Thread(broadcast);
		caller.start();
		await().atMost(LIMIT).until(() -> broadcast.isDone() || caller.getState() == Thread.State.TIMED_WAITING);
		assertThat(broadcast).isNotDone();
		this.routes.lead(replicas(3));
		this.routes.resume();
		assertThat(broadcast.get(LIMIT.toSeconds(), TimeUnit.SECONDS)).hasSize(3);
	}

	@Test
	void aBroadcastIsHeldUpForNoLongerThanItsTimeout() throws Exception {
		assertThat(this.routes.holdUp(System.nanoTime() + LIMIT.toNanos())).isTrue();
		assertThatExceptionOfType(KernelNotActiveException.class)
			.isThrownBy(() -> this.client.broadcast(new Number(7), Duration.ofMillis(1)))
			.withMessageContaining("being resized, and was for 1ms");
	}

	@Test
	void aRequestIsHeldUpForNoLongerThanItsTimeout() throws Exception {
		assertThat(this.routes.holdUp(System.nanoTime() + LIMIT.toNanos())).isTrue();
		assertThatExceptionOfType(KernelNotActiveException.class)
			.isThrownBy(() -> this.client.submit(new Number(7), Duration.ofMillis(1)))
			.withMessageContaining("being resized, and was for 1ms");
	}

	@Test
	void aRequestThatWasHeldUpHasTheRestOfItsTimeout() throws Exception {
		assertThat(this.routes.holdUp(System.nanoTime() + LIMIT.toNanos())).isTrue();
		FutureTask<Duration> held = new FutureTask<>(() -> {
			this.client.submit(new Number(7), LIMIT.multipliedBy(2));
			return this.timeout;
		});
		Thread caller = new Thread(held);
		caller.start();
		await().atMost(LIMIT).until(() -> held.isDone() || caller.getState() == Thread.State.TIMED_WAITING);
		this.routes.resume();
		assertThat(held.get(LIMIT.toSeconds(), TimeUnit.SECONDS)).isLessThan(LIMIT.multipliedBy(2))
			.isGreaterThan(LIMIT);
	}

	@Test
	void aRequestThatAReplicaHasRefusedHasTheRestOfItsTimeout() {
		Duration whole = Duration.ofSeconds(10);
		List<Duration> timeouts = new ArrayList<>();
		Consumer<Duration> refusesTheFirst = (timeout) -> {
			timeouts.add(timeout);
			if (timeouts.size() == 1) {
				await().pollDelay(Duration.ofMillis(20)).until(() -> true);
				throw new KernelNotActiveException("numbers.0", KernelState.INACTIVE);
			}
		};
		new RoutedClient<>("numbers", LIMIT, true,
				new Routes<>("numbers", List.of(new Echo(0, refusesTheFirst), new Echo(1, refusesTheFirst)), null))
			.submit(new Number(7), whole);
		assertThat(timeouts).hasSize(2).startsWith(whole);
		assertThat(timeouts.get(1)).isPositive().isLessThanOrEqualTo(whole.minusMillis(20));
	}

	private List<Echo> replicas(int count) {
		return IntStream.range(0, count)
			.mapToObj((number) -> new Echo(number, (timeout) -> this.timeout = timeout))
			.toList();
	}

	record Number(long value) {
	}

	/**
	 * Answers each request that is submitted with itself.
	 */
	private record Echo(int number, Consumer<Duration> timeouts) implements Replica<Number, Number> {

		@Override
		@SuppressWarnings("unchecked")
		public RingKernelClient<Number, Number> client() {
			return (RingKernelClient<Number, Number>) Proxy.newProxyInstance(Echo.class.getClassLoader(),
					new Class<?>[] { RingKernelClient.class }, (proxy, method, arguments) -> switch (method.getName()) {
						case "kernelId" -> "numbers." + this.number;
						case "withPriority" -> proxy;
						case "submit" -> {
							this.timeouts.accept((Duration) arguments[1]);
							yield CompletableFuture.completedFuture(arguments[0]);
						}
						case "trySubmit" -> Optional.of(CompletableFuture.completedFuture(arguments[0]));
						default -> throw new UnsupportedOperationException(method.getName());
					});
		}

		@Override
		public KernelState state() {
			return KernelState.ACTIVE;
		}

		@Override
		public int load() {
			return 0;
		}

	}

}
