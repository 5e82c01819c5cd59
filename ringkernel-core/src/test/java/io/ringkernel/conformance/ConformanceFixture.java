package io.ringkernel.conformance;

import java.time.Duration;
import java.util.List;

import io.ringkernel.TestShare;
import io.ringkernel.backend.BackendProvider;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.ring.RingLayout;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Runs the kernels of one test over one plan, and closes the runtime behind it.
 */
final class ConformanceFixture implements AfterEachCallback {

	/**
	 * For what must not happen: no test waits as long unless it fails.
	 */
	static final Duration LIMIT = Duration.ofSeconds(30);

	/**
	 * Options under which nothing times out by itself, and few threads compete.
	 */
	static final KernelOptions OPTIONS = KernelOptions.builder().workers(4).requestTimeout(LIMIT).build();

	private final BackendProvider provider;

	private final PlanRequest plan;

	private final TestKernels kernels;

	private @Nullable RingKernelRuntime runtime;

	ConformanceFixture(BackendProvider provider, PlanRequest plan, TestKernels kernels) {
		this.provider = provider;
		this.plan = plan;
		this.kernels = kernels;
	}

	/**
	 * A wait that looks often.
	 */
	static ConditionFactory await() {
		return Awaitility.await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(1)).atMost(LIMIT);
	}

	/**
	 * How many messages to send where others would send so many: a multiple of ten.
	 */
	static int many(int messages) {
		return Math.max(10, TestShare.of(messages) / 10 * 10);
	}

	BackendProvider provider() {
		return this.provider;
	}

	PlanRequest plan() {
		return this.plan;
	}

	TestKernels kernels() {
		return this.kernels;
	}

	RingKernelRuntime runtime() {
		RingKernelRuntime current = this.runtime;
		if (current == null) {
			current = RingKernelRuntime.open(this.plan, List.of(this.provider));
			this.runtime = current;
		}
		return current;
	}

	/**
	 * Aborts a test where the plan does not promise that a slow request holds up nobody
	 * else.
	 */
	void requireAnswersBesideSlowRequests() {
		Assumptions.assumeFalse(runtime().plan().answersPerLaunch(),
				"Under this plan, all requests of a launch are answered when it ends");
	}

	/**
	 * Defines, launches and activates a kernel.
	 */
	<I extends Record, O extends Record> Kernel<I, O> activate(KernelSpec<I, O> spec) {
		Kernel<I, O> kernel = runtime().define(spec);
		kernel.launch();
		kernel.activate();
		return kernel;
	}

	/**
	 * The same kernel with a ring of so many slots.
	 */
	static <I extends Record, O extends Record> KernelSpec<I, O> withSlots(int slots, KernelSpec<I, O> spec) {
		long bytes = RingLayout.totalBytes(slots, spec.requests().maxSize(), spec.responses().maxSize());
		return new KernelSpec<>(spec.id(), spec.requests(), spec.responses(), spec.handler(), spec.image(),
				spec.options().toBuilder().ringMemory(bytes).build());
	}

	/**
	 * The same kernel with an image, if it is only one in name: kernels without any are
	 * run on the CPU.
	 */
	static <I extends Record, O extends Record> KernelSpec<I, O> withImage(KernelSpec<I, O> spec) {
		return (spec.image() != null) ? spec : new KernelSpec<>(spec.id(), spec.requests(), spec.responses(),
				spec.handler(), "none", spec.options());
	}

	@Override
	public void afterEach(ExtensionContext context) {
		RingKernelRuntime current = this.runtime;
		this.runtime = null;
		if (current != null) {
			current.close();
		}
	}

}
