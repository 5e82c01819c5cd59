package io.ringkernel.cuda.host;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.backend.Replay;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.cuda.host.DeviceHostMain.Number;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.HostEvent;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.KernelEvent;
import io.ringkernel.runtime.KernelListener;
import io.ringkernel.runtime.KernelPlanChange;
import io.ringkernel.runtime.RingKernelRuntime;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A runtime whose kernels run in a kernel host, and what it tells of the host's end.
 */
abstract class KernelHostFixture {

	static final Duration LIMIT = Duration.ofSeconds(60);

	static final KernelOptions OPTIONS = KernelOptions.builder()
		.workers(4)
		.requestTimeout(LIMIT)
		.replay(Replay.IDEMPOTENT)
		.build();

	static final PlanRequest CUDA = new PlanRequest(BackendKind.CUDA, null, null);

	final AtomicBoolean done = new AtomicBoolean();

	final AtomicLong answered = new AtomicLong();

	final KernelHostProvider provider;

	final Path directory;

	final List<KernelPlanChange> changes = new CopyOnWriteArrayList<>();

	final List<HostEvent> events = new CopyOnWriteArrayList<>();

	RingKernelRuntime runtime;

	KernelHostFixture(Path directory) {
		this.directory = directory;
		this.provider = new KernelHostProvider(new DeviceHostMain.Device(), DeviceHostMain.class,
				new HostOptions(directory, Duration.ofSeconds(30), Duration.ofSeconds(1), HostOptions.STUCK_AFTER));
	}

	@AfterEach
	void close() {
		this.runtime.close();
	}

	final Kernel<Number, Number> activate(PlanRequest request) {
		return activate(request, OPTIONS);
	}

	final Kernel<Number, Number> activate(PlanRequest request, KernelOptions options) {
		this.runtime = RingKernelRuntime.open(request, List.of(this.provider, new CpuBackendProvider()));
		this.runtime.addListener(new Listener());
		return activate(this.runtime, "numbers", options);
	}

	static Kernel<Number, Number> activate(RingKernelRuntime runtime, String id, KernelOptions options) {
		return activate(runtime,
				DeviceHostMain.kernel(id, options.toBuilder().stopTimeout(Duration.ofSeconds(1)).build()));
	}

	static Kernel<Number, Number> activate(RingKernelRuntime runtime, KernelSpec<Number, Number> spec) {
		Kernel<Number, Number> kernel = runtime.define(spec);
		kernel.launch();
		kernel.activate();
		assertThat(kernel.client().call(new Number(1))).isEqualTo(new Number(2));
		return kernel;
	}

	final void call(Kernel<Number, Number> kernel, int caller) {
		for (long i = 0; !this.done.get(); i++) {
			Number request = new Number(caller * 1_000_000_000L + i);
			assertThat(kernel.client().call(request)).isEqualTo(DeviceHostMain.twice(request));
			this.answered.incrementAndGet();
		}
	}

	final void awaitMore(long answers) {
		long before = this.answered.get();
		Awaitility.await().atMost(LIMIT).until(() -> this.answered.get() >= before + answers);
	}

	/**
	 * A hand-over begins with the first thread that waits for a response. It may be
	 * answered before the plan is told.
	 */
	final void awaitCpu(Kernel<Number, Number> kernel) {
		awaitChange(kernel, BackendKind.CPU);
	}

	/** The kernel has left the device, and is back. */
	final void awaitReturn(Kernel<Number, Number> kernel) {
		awaitChange(kernel, BackendKind.CPU);
		awaitChange(kernel, BackendKind.CUDA);
		assertThat(kernel.client().call(new Number(4))).isEqualTo(new Number(8));
	}

	final void awaitChange(Kernel<Number, Number> kernel, BackendKind backend) {
		assertThat(kernel.client().call(new Number(3))).isEqualTo(new Number(6));
		Awaitility.await()
			.atMost(LIMIT)
			.until(() -> this.changes.stream().anyMatch((change) -> change.to().backend() == backend));
	}

	/** Further events may follow. */
	@SafeVarargs
	final void awaitEvents(Class<? extends HostEvent>... types) {
		Awaitility.await().atMost(LIMIT).until(() -> this.events.size() >= types.length);
		assertThat(this.events.stream().limit(types.length)).<Object>extracting(Object::getClass)
			.containsExactly((Object[]) types);
	}

	final class Listener implements KernelListener {

		@Override
		public void onEvent(KernelEvent event) {
			if (event instanceof KernelPlanChange change) {
				KernelHostFixture.this.changes.add(change);
			}
		}

		@Override
		public void onHostEvent(HostEvent event) {
			KernelHostFixture.this.events.add(event);
		}

	}

	final ProcessHandle host() {
		return ProcessHandle.of(this.provider.hosts().get(0).pid()).orElseThrow();
	}

}
