package io.ringkernel.benchmarks;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

import com.sun.management.OperatingSystemMXBean;
import io.ringkernel.Durations;
import io.ringkernel.RingKernelClient;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.platform.Transport;
import io.ringkernel.ring.WaitStrategy;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;

/**
 * How much longer a {@code call} takes than the handler that it calls, by how long that
 * takes, and how many cores the process keeps busy meanwhile.
 * <p>
 * The handler keeps a core busy for a given time and responds with the time that it was
 * seen to take, so what is left is the way there and back. One caller at a time; each
 * duration is measured after a warm-up.
 * <p>
 * Beside each stands what two bare threads take that hand a turn to each other, where the
 * caller parks and the other one unparks it: what the machine charges for a sleep.
 */
public final class CallWait {

	private static final long[] HANDLER_MICROS = { 50, 100, 200, 400, 800, 2_000, 10_000 };

	private static final long WARM_UP_NANOS = TimeUnit.SECONDS.toNanos(1);

	private final OperatingSystemMXBean process = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

	private final RingKernelClient<Work, Worked> client;

	private final long nanos;

	private CallWait(RingKernelClient<Work, Worked> client, long nanos) {
		this.client = client;
		this.nanos = nanos;
	}

	/**
	 * Measures and prints a table.
	 * @param args the wait strategy, as it is configured, and how many seconds to measure
	 * each duration for; {@code back-off} and 3 by default
	 */
	public static void main(String[] args) {
		WaitStrategy strategy = (args.length > 0)
				? WaitStrategy.valueOf(args[0].toUpperCase(Locale.ROOT).replace('-', '_'))
				: KernelOptions.DEFAULTS.waitStrategy();
		long seconds = (args.length > 1) ? Long.parseLong(args[1]) : 3;
		KernelOptions options = KernelOptions.builder().waitStrategy(strategy).build();
		try (RingKernelRuntime runtime = RingKernelRuntime
			.open(new PlanRequest(BackendKind.CPU, ExecutionMode.PERSISTENT, Transport.DIRECT))) {
			Kernel<Work, Worked> kernel = runtime
				.define(KernelSpec.of("work", Work.class, Worked.class, CallWait::work, options));
			kernel.launch();
			kernel.activate();
			CallWait measured = new CallWait(kernel.client(), TimeUnit.SECONDS.toNanos(seconds));
			System.out.println(
					"| handler | p50 of call less handler, us | p90 | p99 | cores | calls | bare park and unpark, p50, us |");
			System.out.println("|---|---|---|---|---|---|---|");
			for (long micros : HANDLER_MICROS) {
				System.out.println(measured.row(TimeUnit.MICROSECONDS.toNanos(micros)));
			}
		}
	}

	private static Worked work(Work request) {
		return new Worked(keepBusy(request.nanos()));
	}

	/** Keeps a core busy, and returns for how many nanoseconds it has. */
	static long keepBusy(long nanos) {
		long begin = System.nanoTime();
		long now = begin;
		while (now - begin < nanos) {
			now = System.nanoTime();
		}
		return now - begin;
	}

	private String row(long handlerNanos) {
		Work work = new Work(handlerNanos);
		int most = (int) (this.nanos / handlerNanos) + 1;
		long[] overheads = new long[most];
		measure(work, overheads, WARM_UP_NANOS);
		long cpu = this.process.getProcessCpuTime();
		long begin = System.nanoTime();
		int calls = measure(work, overheads, this.nanos);
		double cores = (double) (this.process.getProcessCpuTime() - cpu) / (System.nanoTime() - begin);
		long[] sorted = Arrays.copyOf(overheads, calls);
		Arrays.sort(sorted);
		long[] bare = new BareHandOver(handlerNanos).measure(WARM_UP_NANOS);
		return "| %s | %.1f | %.1f | %.1f | %.2f | %d | %.1f |".formatted(
				Durations.format(Duration.ofNanos(handlerNanos)), micros(sorted, 0.5), micros(sorted, 0.9),
				micros(sorted, 0.99), cores, calls, micros(bare, 0.5));
	}

	private int measure(Work work, long[] overheads, long forNanos) {
		long begin = System.nanoTime();
		int calls = 0;
		long now = begin;
		while (now - begin < forNanos && calls < overheads.length) {
			long called = now;
			long handler = this.client.call(work).nanos();
			now = System.nanoTime();
			overheads[calls++] = now - called - handler;
		}
		return calls;
	}

	private static double micros(long[] sorted, double quantile) {
		return sorted[(int) (quantile * (sorted.length - 1))] / 1e3;
	}

	record Work(long nanos) {
	}

	record Worked(long nanos) {
	}

}
