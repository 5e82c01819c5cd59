package io.ringkernel.runtime;

import java.time.Duration;
import java.util.List;

import io.ringkernel.RingKernelHandler;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.platform.PlanRequest;
import org.junit.jupiter.api.AfterEach;

/**
 * A runtime whose backend fails on demand, and kernels on it.
 */
abstract class KernelFixture {

	static final Duration LIMIT = Duration.ofSeconds(30);

	static final KernelOptions OPTIONS = KernelOptions.builder()
		.workers(2)
		.requestTimeout(LIMIT)
		.stopTimeout(Duration.ofSeconds(10))
		.build();

	final FaultyProvider provider = new FaultyProvider();

	final RingKernelRuntime runtime = RingKernelRuntime.open(PlanRequest.AUTO, List.of(this.provider));

	record Number(long value) {
	}

	@AfterEach
	void closeRuntime() {
		this.provider.failure = null;
		this.runtime.close();
	}

	Kernel<Number, Number> define(String id, RingKernelHandler<Number, Number> handler) {
		return define(id, OPTIONS, handler);
	}

	Kernel<Number, Number> define(String id, KernelOptions options, RingKernelHandler<Number, Number> handler) {
		return this.runtime.define(KernelSpec.of(id, Number.class, Number.class, handler, options));
	}

	static void start(Kernel<?, ?> kernel) {
		kernel.launch();
		kernel.activate();
	}

	static List<String> threads(String id) {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.map(Thread::getName)
			.filter((name) -> name.startsWith("ringkernel-" + id))
			.toList();
	}

}
