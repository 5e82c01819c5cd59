package io.ringkernel.runtime;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.control.ControlLayout;
import io.ringkernel.observe.KernelDump;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.ring.RingLayout;
import io.ringkernel.ring.SlotDump;
import io.ringkernel.ring.SlotState;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KernelDumpTests {

	private static final int WORKERS = 3;

	private final FaultyProvider provider = new FaultyProvider();

	private final RingKernelRuntime runtime = RingKernelRuntime.open(PlanRequest.AUTO, List.of(this.provider));

	record Number(long value) {
	}

	@AfterEach
	void close() {
		this.runtime.close();
	}

	private Kernel<Number, Number> start() {
		KernelOptions options = KernelOptions.builder().workers(WORKERS).requestTimeout(Duration.ofSeconds(60)).build();
		KernelSpec<Number, Number> any = KernelSpec.of("any", Number.class, Number.class, (request) -> request,
				options);
		long fourSlots = RingLayout.totalBytes(4, any.requests().maxSize(), any.responses().maxSize());
		Kernel<Number, Number> kernel = this.runtime.define(KernelSpec.of("dumped", Number.class, Number.class,
				any.handler(), options.toBuilder().ringMemory(fourSlots).build()));
		kernel.launch();
		kernel.activate();
		return kernel;
	}

	@Test
	void aKernelWithoutMemoryHasNoDump() {
		Kernel<Number, Number> kernel = start();
		kernel.terminate();
		assertThat(kernel.dump()).isEmpty();
	}

	@Test
	void theControlBlockIsDecoded() {
		Kernel<Number, Number> kernel = start();
		for (int i = 0; i < 10; i++) {
			kernel.client().call(new Number(i));
		}
		Awaitility.await().until(() -> kernel.status().processed() == 10);
		KernelDump dump = kernel.dump().orElseThrow();
		assertThat(dump.violations()).isEmpty();
		assertThat(dump.control().magic()).isTrue();
		assertThat(dump.control().command()).isEqualTo("RUN");
		assertThat(dump.control().slots()).isEqualTo(4);
		assertThat(dump.control().workerLines()).hasSize(WORKERS);
		assertThat(dump.control().workerLines().stream().mapToLong((line) -> line.processed()).sum()).isEqualTo(10);
		assertThat(dump.control().requestFingerprint()).isEqualTo(kernel.spec().requests().fingerprint());
		assertThat(dump.ring().slots()).extracting(SlotDump::state).containsOnly(SlotState.FREE);
		kernel.deactivate();
		assertThat(kernel.dump().orElseThrow().control().command()).isEqualTo("STOP");
	}

	@Test
	void aControlBlockThatWasOverwrittenIsAViolation() {
		Kernel<Number, Number> kernel = start();
		kernel.deactivate();
		ByteBuffer memory = this.provider.latestMemory.bytes();
		memory.putLong(0, 4711);
		memory.putInt(12, 64);
		memory.putInt(ControlLayout.HOST_LINE, 9);
		memory.putInt(ControlLayout.workerLine(1), 8);
		memory.putLong(ControlLayout.WORKER_LINES + 16, 5);
		assertThat(kernel.dump().orElseThrow().violations()).containsExactly(
				"The control block does not begin with its magic word.",
				"The control block has the number of slots 64, and 4 was written.",
				"The control block has the command UNKNOWN(9).", "Worker 1 is in the state UNKNOWN(8).",
				"The workers have answered 5 requests, and only 0 positions were claimed.");
	}

	/**
	 * Four slots for six callers: waits, laps passed over, and much to mistake for a
	 * violation.
	 */
	@Test
	void aKernelUnderLoadHasNoViolation() throws Exception {
		Kernel<Number, Number> kernel = start();
		AtomicBoolean enough = new AtomicBoolean();
		ExecutorService callers = Executors.newFixedThreadPool(6);
		try {
			List<Future<?>> calls = new ArrayList<>();
			for (int caller = 0; caller < 6; caller++) {
				calls.add(callers.submit(() -> {
					for (long i = 0; !enough.get(); i++) {
						assertThat(kernel.client().call(new Number(i)).value()).isEqualTo(i);
					}
				}));
			}
			AtomicReference<KernelDump> wrong = new AtomicReference<>();
			for (int i = 0; i < 5_000 && wrong.get() == null; i++) {
				KernelDump dump = kernel.dump().orElseThrow();
				if (!dump.violations().isEmpty()) {
					wrong.set(dump);
				}
			}
			enough.set(true);
			for (Future<?> call : calls) {
				call.get(60, TimeUnit.SECONDS);
			}
			assertThat(wrong.get()).isNull();
			assertThat(kernel.dump().orElseThrow().violations()).isEmpty();
		}
		finally {
			enough.set(true);
			callers.shutdown();
		}
	}

}
