package io.ringkernel.cuda.host;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.ringkernel.RequestStream;
import io.ringkernel.backend.BackendProvider;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.backend.Replay;
import io.ringkernel.conformance.Concurrently;
import io.ringkernel.conformance.TestKernels.Echo;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.exception.RequestLostException;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.HostEvent;
import io.ringkernel.platform.KernelHostLost;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import org.awaitility.Awaitility;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Eight threads call kernels in every way while something ends their host again and
 * again. Each request is answered rightly or, if its kernel must not handle it again,
 * lost by name.
 */
public final class Chaos implements AutoCloseable {

	private static final Duration LIMIT = Duration.ofSeconds(60);

	private static final int CALLERS = 8;

	private static final int PER_WAY = 50;

	private final AtomicBoolean done = new AtomicBoolean();

	private final AtomicLong answered = new AtomicLong();

	private final AtomicLong lost = new AtomicLong();

	private final AtomicLong longest = new AtomicLong();

	private final AtomicLong lostAt = new AtomicLong();

	private final KernelHostProvider provider;

	private final RingKernelRuntime runtime;

	private final List<Kernel<Echo, Echo>> kernels;

	private final Concurrently.Running callers;

	/**
	 * Starts the callers.
	 * @param provider what starts hosts
	 * @param echo the kernels that are called
	 */
	public Chaos(KernelHostProvider provider, List<KernelSpec<Echo, Echo>> echo) {
		this.provider = provider;
		provider.addHostListener(this::onEvent);
		this.runtime = RingKernelRuntime.open(PlanRequest.AUTO, List.of(provider, new CpuBackendProvider()));
		this.kernels = echo.stream().map(this.runtime::define).toList();
		this.kernels.forEach(Kernel::launch);
		this.kernels.forEach(Kernel::activate);
		this.callers = Concurrently.start(CALLERS,
				(caller) -> call(this.kernels.get(caller % this.kernels.size()), caller));
	}

	/**
	 * What starts another host however often one ends.
	 * @param local what the host opens backends with
	 * @param mainClass the class whose {@code main} is the host
	 */
	public static KernelHostProvider patient(BackendProvider local, Class<?> mainClass, HostOptions options) {
		return new KernelHostProvider(local, options,
				() -> new KernelHost(new HostLauncher(mainClass.getName(), options)::launch,
						new CrashBudget(Integer.MAX_VALUE)));
	}

	private void onEvent(HostEvent event) {
		if (event instanceof KernelHostLost) {
			this.lostAt.compareAndSet(0, System.nanoTime());
		}
	}

	/**
	 * Has a fault happen under load, and waits until the kernels are back on the device.
	 * @param hosts how many hosts it ends
	 * @param fault the fault; it may define kernels of its own
	 * @return what it has cost
	 */
	public Cost survive(int hosts, Consumer<RingKernelRuntime> fault) {
		awaitMore();
		int crashes = this.provider.hosts().get(0).crashes() + hosts;
		long lostBefore = this.lost.get();
		long replayedBefore = replayed();
		this.longest.set(0);
		this.lostAt.set(0);
		long begin = System.nanoTime();
		fault.accept(this.runtime);
		Awaitility.await().atMost(LIMIT).until(() -> this.provider.hosts().get(0).crashes() == crashes);
		Awaitility.await()
			.atMost(LIMIT)
			.until(() -> this.provider.hosts().get(0).pid() != 0
					&& this.kernels.stream().allMatch((kernel) -> kernel.plan().backend() == BackendKind.CUDA));
		long back = System.nanoTime() - begin;
		awaitMore();
		return new Cost(this.longest.get(), this.lostAt.get() - begin, back, this.lost.get() - lostBefore,
				replayed() - replayedBefore);
	}

	private long replayed() {
		return this.kernels.stream().mapToLong((kernel) -> kernel.status().replayed()).sum();
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
		assertThat(this.callers.threads()).as("callers that nothing has ended").allMatch(Thread::isAlive);
	}

	/**
	 * How many requests were answered so far, each rightly.
	 */
	public long answered() {
		return this.answered.get();
	}

	/**
	 * Ends the load.
	 * @throws AssertionError if a request was answered wrongly, or failed as it must not
	 */
	@Override
	public void close() throws InterruptedException {
		this.done.set(true);
		try {
			this.callers.join(LIMIT);
		}
		finally {
			this.runtime.close();
		}
	}

	/**
	 * What a fault has cost.
	 *
	 * @param longestCallNanos the longest call of a kernel that is not at fault
	 * @param seenNanos from the fault to the event that tells of the end of the host
	 * @param backNanos from the fault until all kernels were back on the device
	 * @param lost requests that failed since they may have been handled
	 * @param replayed requests that were handled again
	 */
	public record Cost(long longestCallNanos, long seenNanos, long backNanos, long lost, long replayed) {
	}

}
