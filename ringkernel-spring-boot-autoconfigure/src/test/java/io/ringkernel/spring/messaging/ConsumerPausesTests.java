package io.ringkernel.spring.messaging;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.routing.KeyExtractor;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.Replication;
import io.ringkernel.runtime.RingKernelRuntime;
import io.ringkernel.spring.KernelSettings;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ConsumerPauses}.
 */
@Timeout(60)
class ConsumerPausesTests {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private final RingKernelRuntime runtime = RingKernelRuntime.open(PlanRequest.AUTO,
			List.of(new CpuBackendProvider()));

	private final PlayedConsumers consumers = new PlayedConsumers();

	private final Map<String, List<String>> configured = new ConcurrentHashMap<>();

	private final ConsumerPauses pauses = new ConsumerPauses(this.runtime, new KernelSettings() {

		@Override
		public KernelOptions optionsOf(String kernelId) {
			return KernelOptions.DEFAULTS;
		}

		@Override
		public List<String> consumersOf(String kernelId) {
			return ConsumerPausesTests.this.configured.getOrDefault(kernelId, List.of());
		}

	}, List.of(this.consumers));

	record Number(long value) {
	}

	@BeforeEach
	void listen() {
		this.runtime.addListener(this.pauses);
		this.consumers.names.addAll(List.of("orders", "score-function-in-0", "score-batch-function-in-0", "others"));
	}

	@AfterEach
	void close() {
		this.runtime.close();
	}

	@Test
	void whatIsConfiguredIsPausedWhileTheKernelIsInactive() throws Exception {
		this.configured.put("score", List.of("orders"));
		Kernel<Number, Number> kernel = active("score", Replication.NONE, null);
		this.pauses.start();
		assertThat(paused()).isEmpty();
		kernel.deactivate();
		assertThat(paused()).contains("orders").doesNotContain("others");
		kernel.activate();
		assertThat(paused()).isEmpty();
	}

	@Test
	void bindingsOfItsFunctionsArePausedAnyway() throws Exception {
		Kernel<Number, Number> kernel = active("score", Replication.NONE, null);
		this.pauses.start();
		kernel.terminate();
		assertThat(paused()).containsExactly("score-batch-function-in-0", "score-function-in-0");
	}

	@Test
	void aKernelThatIsNotActiveAtTheStartHasNoneOfThem() throws Exception {
		this.configured.put("score", List.of("orders"));
		Kernel<Number, Number> kernel = active("score", Replication.NONE, null);
		kernel.deactivate();
		assertThat(paused()).isEmpty();
		this.pauses.start();
		assertThat(paused()).contains("orders");
	}

	@Test
	void aConsumerOfTwoKernelsNeedsBoth() throws Exception {
		this.configured.put("score", List.of("orders"));
		this.configured.put("rank", List.of("orders"));
		Kernel<Number, Number> score = active("score", Replication.NONE, null);
		Kernel<Number, Number> rank = active("rank", Replication.NONE, null);
		this.pauses.start();
		score.deactivate();
		rank.deactivate();
		score.activate();
		assertThat(paused()).containsExactly("orders");
		rank.activate();
		assertThat(paused()).isEmpty();
	}

	@Test
	void oneThatWasPausedByOthersIsLeftAlone() throws Exception {
		this.configured.put("score", List.of("orders"));
		Kernel<Number, Number> kernel = active("score", Replication.NONE, null);
		this.pauses.start();
		this.consumers.paused.add("orders");
		kernel.deactivate();
		kernel.activate();
		assertThat(paused()).containsExactly("orders");
	}

	@Test
	void aReplicaThatServesIsEnoughUnlessKeysNeedAll() throws Exception {
		this.configured.put("any", List.of("orders"));
		this.configured.put("keyed", List.of("others"));
		Kernel<Number, Number> any = active("any", new Replication(2, List.of()), null);
		Kernel<Number, Number> keyed = active("keyed", new Replication(2, List.of()), Number::value);
		this.pauses.start();
		any.replicas().get(1).deactivate();
		keyed.replicas().get(1).deactivate();
		assertThat(paused()).containsExactly("others");
		any.replicas().get(0).deactivate();
		assertThat(paused()).containsExactly("orders", "others");
	}

	@Test
	void nothingIsResumedAtTheEnd() throws Exception {
		this.configured.put("score", List.of("orders"));
		Kernel<Number, Number> kernel = active("score", Replication.NONE, null);
		this.pauses.start();
		this.pauses.stop();
		kernel.deactivate();
		assertThat(paused()).isEmpty();
	}

	private Kernel<Number, Number> active(String id, Replication replication, @Nullable KeyExtractor<Number> key) {
		Kernel<Number, Number> kernel = this.runtime.define(
				KernelSpec.of(id, Number.class, Number.class, (request) -> request, KernelOptions.DEFAULTS),
				replication, key);
		kernel.launch();
		kernel.activate();
		return kernel;
	}

	private Set<String> paused() throws InterruptedException {
		assertThat(this.runtime.awaitListeners(LIMIT)).isTrue();
		return new TreeSet<>(this.consumers.paused);
	}

	/**
	 * Consumers by name.
	 */
	private static final class PlayedConsumers implements PausableConsumers {

		private final Set<String> names = ConcurrentHashMap.newKeySet();

		private final Set<String> paused = ConcurrentHashMap.newKeySet();

		@Override
		public boolean contains(String name) {
			return this.names.contains(name);
		}

		@Override
		public boolean pause(String name) {
			return this.paused.add(name);
		}

		@Override
		public void resume(String name) {
			this.paused.remove(name);
		}

	}

}
