package io.ringkernel.cuda.host;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.ringkernel.RequestLostException;
import io.ringkernel.RequestStream;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.backend.Replay;
import io.ringkernel.conformance.Concurrently;
import io.ringkernel.conformance.TestKernels.Echo;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import org.awaitility.Awaitility;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Eight threads call two kernels in every way while something ends their host: one kernel
 * may be handled again, the other one may not.
 */
public final class Chaos {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private static final int CALLERS = 8;

	private static final int PER_WAY = 50;

	private final AtomicBoolean done = new AtomicBoolean();

	private final AtomicLong answered = new AtomicLong();

	private final AtomicLong lost = new AtomicLong();

	private final AtomicLong longest = new AtomicLong();

	/**
	 * Has a fault happen once under load, waits until the kernels are back on the device,
	 * and prints what it has cost.
	 * @param fault what it is, for the table
	 * @param provider what starts the host
	 * @param echo the kernel that is called, for each policy of replay
	 * @param event the fault; it may define kernels of its own
	 */
	public void survive(String fault, KernelHostProvider provider, List<KernelSpec<Echo, Echo>> echo,
			Consumer<RingKernelRuntime> event) throws InterruptedException {
		try (RingKernelRuntime runtime = RingKernelRuntime.open(PlanRequest.AUTO,
				List.of(provider, new CpuBackendProvider()))) {
			List<Kernel<Echo, Echo>> kernels = echo.stream().map(runtime::define).toList();
			kernels.forEach(Kernel::launch);
			kernels.forEach(Kernel::activate);
			Concurrently.Running callers = Concurrently.start(CALLERS,
					(caller) -> call(kernels.get(caller % kernels.size()), caller));
			awaitMore();
			this.longest.set(0);
			long first = provider.hostStatus().pid();
			long begin = System.nanoTime();
			event.accept(runtime);
			Awaitility.await().atMost(LIMIT).until(() -> provider.hostStatus().crashes() == 1);
			Awaitility.await()
				.atMost(LIMIT)
				.until(() -> provider.hostStatus().pid() != 0
						&& kernels.stream().allMatch((kernel) -> kernel.plan().backend() == BackendKind.CUDA));
			long back = System.nanoTime() - begin;
			awaitMore();
			this.done.set(true);
			callers.join(LIMIT);
			assertThat(provider.hostStatus().pid()).isNotEqualTo(first);
			System.out.printf(
					"chaos %-22s answered %d, lost where replay is never %d, lost or wrong where it is idempotent 0, longest call %.0f ms, back on the device after %.0f ms%n",
					fault, this.answered.get(), this.lost.get(), this.longest.get() / 1e6, back / 1e6);
		}
	}

	private void call(Kernel<Echo, Echo> kernel, int caller) {
		long sequence = 0;
		while (!this.done.get()) {
			for (int i = 0; i < PER_WAY; i++) {
				Echo request = Echo.of(caller, sequence++);
				timed(kernel, request, () -> kernel.client().call(request, LIMIT));
			}
			for (int i = 0; i < PER_WAY; i++) {
				Echo request = Echo.of(caller, sequence++);
				timed(kernel, request, () -> kernel.client().submit(request, LIMIT).join());
			}
			try (RequestStream<Echo, Echo> stream = kernel.client().openStream()) {
				for (int i = 0; i < PER_WAY; i++) {
					Echo request = Echo.of(caller, sequence++);
					stream.send(request);
					timed(kernel, request, stream::receive);
				}
			}
		}
	}

	/**
	 * Every request is answered rightly or, where it must not be handled again, lost by
	 * name.
	 */
	private void timed(Kernel<Echo, Echo> kernel, Echo request, Supplier<Echo> call) {
		long begin = System.nanoTime();
		try {
			assertThat(call.get()).isEqualTo(request);
			this.answered.incrementAndGet();
		}
		catch (RequestLostException ex) {
			lose(kernel, ex);
		}
		catch (CompletionException ex) {
			lose(kernel, ex.getCause());
		}
		this.longest.accumulateAndGet(System.nanoTime() - begin, Math::max);
	}

	private void lose(Kernel<Echo, Echo> kernel, Throwable cause) {
		assertThat(cause).isInstanceOf(RequestLostException.class);
		assertThat(kernel.spec().options().replay()).isEqualTo(Replay.NEVER);
		this.lost.incrementAndGet();
	}

	private void awaitMore() {
		long before = this.answered.get();
		Awaitility.await().atMost(LIMIT).until(() -> this.answered.get() > before + 20L * CALLERS);
	}

}
