package io.ringkernel.benchmarks.gpu;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;

import com.sun.management.OperatingSystemMXBean;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.benchmarks.gpu.BenchmarkMessages.Payload;
import io.ringkernel.cuda.CudaBackendProvider;
import io.ringkernel.message.MessageLayout;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;

/**
 * Measures what an application costs that has nothing to do: the share of one core that
 * the process takes, and the device's power, with a context alone and with an active
 * kernel. The argument is the file for the results.
 */
final class IdleBenchmark {

	/** Until clocks, compilers and the kernel's pollers have settled. */
	private static final Duration SETTLE = Duration.ofSeconds(3);

	private static final Duration OBSERVE = Duration.ofSeconds(5);

	private static final int POWER_SAMPLES = 10;

	private static final Duration BETWEEN_SAMPLES = Duration.ofMillis(500);

	private final BenchmarkResults results;

	private final OperatingSystemMXBean process = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

	private IdleBenchmark(BenchmarkResults results) {
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
			IdleBenchmark benchmark = new IdleBenchmark(results);
			benchmark.observe("context", 0);
			for (int workers : new int[] { 1, 32 }) {
				Kernel<Payload, Payload> kernel = launch(runtime, workers);
				kernel.client().call(Payload.of(1));
				benchmark.observe("kernel", workers);
				kernel.terminate();
			}
			benchmark.observe("context", 0);
		}
		System.exit(0);
	}

	private static Kernel<Payload, Payload> launch(RingKernelRuntime runtime, int workers) {
		Kernel<Payload, Payload> kernel = runtime.define(new KernelSpec<>("echo-" + workers,
				MessageLayout.of(Payload.class), MessageLayout.of(Payload.class), (request) -> request,
				"classpath:kernels/echo.ptx#echo", KernelOptions.builder().workers(workers).build()));
		kernel.launch();
		kernel.activate();
		return kernel;
	}

	/**
	 * Core time first and power after it: whoever asks for power takes core time.
	 */
	private void observe(String what, int workers) throws Exception {
		Thread.sleep(SETTLE.toMillis());
		long cpuBefore = this.process.getProcessCpuTime();
		long before = System.nanoTime();
		Thread.sleep(OBSERVE.toMillis());
		double share = (double) (this.process.getProcessCpuTime() - cpuBefore) / (System.nanoTime() - before);
		OptionalDouble watts = watts();
		this.results.add("idle-" + what, "workers", workers, "seconds", OBSERVE.toSeconds(), "percent-of-a-core",
				100 * share, "watts", watts.isPresent() ? (Object) watts.getAsDouble() : "unknown");
	}

	/**
	 * The median of what nvidia-smi tells; nothing where there is none.
	 */
	private static OptionalDouble watts() throws Exception {
		double[] samples = new double[POWER_SAMPLES];
		for (int i = 0; i < samples.length; i++) {
			Thread.sleep(BETWEEN_SAMPLES.toMillis());
			OptionalDouble sample = powerDraw();
			if (sample.isEmpty()) {
				return sample;
			}
			samples[i] = sample.getAsDouble();
		}
		Arrays.sort(samples);
		return OptionalDouble.of(samples[samples.length / 2]);
	}

	private static OptionalDouble powerDraw() throws InterruptedException {
		try {
			Process smi = new ProcessBuilder("nvidia-smi", "--id=0", "--query-gpu=power.draw",
					"--format=csv,noheader,nounits")
				.redirectErrorStream(true)
				.start();
			String output = new String(smi.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
			if (!smi.waitFor(10, TimeUnit.SECONDS) || smi.exitValue() != 0) {
				return OptionalDouble.empty();
			}
			return OptionalDouble.of(Double.parseDouble(output));
		}
		catch (IOException | NumberFormatException ex) {
			System.out.println("Power is unknown: " + ex.getMessage());
			return OptionalDouble.empty();
		}
	}

}
