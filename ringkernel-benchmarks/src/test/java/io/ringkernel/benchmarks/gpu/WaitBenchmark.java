package io.ringkernel.benchmarks.gpu;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

import com.sun.management.OperatingSystemMXBean;
import io.ringkernel.RingKernelClient;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.conformance.TestKernels.Slow;
import io.ringkernel.cuda.CudaBackendProvider;
import io.ringkernel.message.MessageLayout;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.ring.WaitStrategy;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import org.HdrHistogram.Histogram;

/**
 * Measures how much longer a {@code call} takes than the kernel that it calls, by how
 * long that takes, and how many cores the process keeps busy meanwhile: with the default
 * wait, and with a caller that spins. The argument is the file for the results.
 */
final class WaitBenchmark {

	private static final int[] KERNEL_MICROS = { 20, 50, 100, 200, 400, 800, 2_000, 10_000 };

	private static final Duration WARM_UP = Duration.ofMillis(500);

	private static final Duration OBSERVE = Duration.ofMillis(1_500);

	private final BenchmarkResults results;

	private final OperatingSystemMXBean process = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

	private WaitBenchmark(BenchmarkResults results) {
		this.results = results;
	}

	/**
	 * Runs the measurements.
	 * @param arguments the file for the results
	 */
	public static void main(String... arguments) throws Exception {
		CudaBackendProvider provider = BenchmarkDevice.require();
		try (BenchmarkResults results = new BenchmarkResults(Path.of(arguments[0]));
				RingKernelRuntime runtime = RingKernelRuntime.open(PlanRequest.AUTO, List.of(provider))) {
			WaitBenchmark benchmark = new WaitBenchmark(results);
			for (WaitStrategy strategy : List.of(WaitStrategy.BUSY_SPIN, KernelOptions.DEFAULTS.waitStrategy())) {
				Kernel<Slow, Slow> kernel = launch(runtime, strategy);
				for (int micros : KERNEL_MICROS) {
					benchmark.observe(kernel.client(), strategy, micros);
				}
				kernel.terminate();
			}
		}
		System.exit(0);
	}

	private static Kernel<Slow, Slow> launch(RingKernelRuntime runtime, WaitStrategy strategy) {
		Kernel<Slow, Slow> kernel = runtime.define(new KernelSpec<>(id(strategy), MessageLayout.of(Slow.class),
				MessageLayout.of(Slow.class), (request) -> request, "classpath:kernels/handlers/slow.ptx",
				KernelOptions.builder().waitStrategy(strategy).build()));
		kernel.launch();
		kernel.activate();
		return kernel;
	}

	private static String id(WaitStrategy strategy) {
		return strategy.name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

	private void observe(RingKernelClient<Slow, Slow> client, WaitStrategy strategy, int micros) throws Exception {
		measure(client, micros, WARM_UP);
		long cpu = this.process.getProcessCpuTime();
		long begin = System.nanoTime();
		Histogram beyond = measure(client, micros, OBSERVE);
		double cores = (double) (this.process.getProcessCpuTime() - cpu) / (System.nanoTime() - begin);
		this.results.add("wait", beyond, "strategy", strategy.name(), "kernel-us", micros, "cores", cores);
	}

	private static Histogram measure(RingKernelClient<Slow, Slow> client, int micros, Duration duration) {
		Histogram beyond = new Histogram(3);
		Slow request = new Slow(0, 0, micros);
		long kernel = TimeUnit.MICROSECONDS.toNanos(micros);
		long begin = System.nanoTime();
		long now = begin;
		while (now - begin < duration.toNanos()) {
			long called = now;
			client.call(request);
			now = System.nanoTime();
			beyond.recordValue(Math.max(0, now - called - kernel));
		}
		return beyond;
	}

}
