package io.ringkernel.benchmarks.gpu;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.benchmarks.gpu.BenchmarkMessages.Payload;
import io.ringkernel.benchmarks.gpu.BenchmarkMessages.VectorAddRequest;
import io.ringkernel.benchmarks.gpu.BenchmarkMessages.VectorAddResponse;
import io.ringkernel.cuda.CudaBackendProvider;
import io.ringkernel.cuda.CudaBackends;
import io.ringkernel.cuda.driver.CudaContext;
import io.ringkernel.cuda.driver.CudaDriver;
import io.ringkernel.cuda.driver.CudaUnavailableException;
import io.ringkernel.message.MessageLayout;
import io.ringkernel.platform.PlanOffer;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;

/**
 * Measures, in a fresh process, what it takes until a kernel is active, and of that what
 * is spent in the driver. The kernel is an image or, if the run is called so, a handler
 * in Java: of that, "class-file-to-active" is what it takes once the device is open, and
 * "edited" what another handler takes later.
 */
final class ActivationBenchmark {

	private static final Duration TIMEOUT = Duration.ofSeconds(30);

	/** Calls that took less in all are not listed. */
	private static final double LISTED_MILLIS = 0.5;

	private final Map<String, Double> millis = new LinkedHashMap<>();

	private final Map<String, Double> calls = new LinkedHashMap<>();

	private long last;

	private final String name;

	private final boolean timesCalls;

	private ActivationBenchmark(String name) {
		this.name = name;
		this.timesCalls = name.contains("calls");
	}

	/**
	 * Runs the measurement.
	 * @param arguments the file for the result, and which run it is: one that contains
	 * "calls" has the driver's calls timed, which takes time itself, and one that
	 * contains "handler" starts a handler in Java
	 */
	public static void main(String... arguments) throws Exception {
		try (BenchmarkResults results = new BenchmarkResults(Path.of(arguments[0]))) {
			new ActivationBenchmark(arguments[1]).run(results);
		}
		catch (CudaUnavailableException ex) {
			System.out.println("SKIPPED: " + ex.reason());
		}
		System.exit(0);
	}

	private void run(BenchmarkResults results) {
		this.last = System.nanoTime();
		CudaDriver driver = this.timesCalls ? timed(CudaDriver.class, CudaDriver.system()) : CudaDriver.system();
		driver.initialize();
		step("initialize");
		long initialized = this.last;
		this.calls.clear();
		CudaBackendProvider provider = CudaBackends.on(driver);
		PlanOffer offer = provider.plan(PlanRequest.AUTO);
		step("look");
		if (offer instanceof PlanOffer.Refused refused) {
			System.out.println("SKIPPED: " + refused.reason());
			return;
		}
		this.millis.put("of-look:probe", probeMillis((PlanOffer.Accepted) offer));
		this.calls.forEach((call, took) -> this.millis.put("of-look:" + call, took));
		this.calls.clear();
		try (RingKernelRuntime runtime = RingKernelRuntime.open(PlanRequest.AUTO, List.of(provider))) {
			step("open");
			long opened = this.last;
			KernelSpec<Payload, Payload> spec = echo();
			step("layouts");
			Kernel<Payload, Payload> kernel = runtime.define(spec);
			step("define");
			kernel.launch();
			step("launch");
			this.calls.forEach((call, took) -> this.millis.put("of-launch:" + call, took));
			kernel.activate();
			step("activate");
			this.millis.put("after-initialize", (this.last - initialized) / 1e6);
			this.millis.put("class-file-to-active", (this.last - opened) / 1e6);
			kernel.client().call(Payload.of(1), TIMEOUT);
			step("first-call");
		}
		try (RingKernelRuntime runtime = RingKernelRuntime.open(PlanRequest.AUTO, List.of(provider))) {
			this.last = System.nanoTime();
			Kernel<Payload, Payload> kernel = runtime.define(echo());
			kernel.launch();
			kernel.activate();
			step("again");
			if (compiled()) {
				activateEdited(runtime);
				step("edited");
			}
		}
		report(results);
	}

	private static double probeMillis(PlanOffer.Accepted offer) {
		return Double.parseDouble(offer.plan().platform().get("probe").replace(" ms", ""));
	}

	private KernelSpec<Payload, Payload> echo() {
		KernelOptions options = KernelOptions.builder().workers(32).threadsPerWorker(32).build();
		return new KernelSpec<>("echo", MessageLayout.of(Payload.class), MessageLayout.of(Payload.class),
				new JavaHandlers.Echo(), compiled() ? null : "classpath:kernels/echo.ptx", options);
	}

	private boolean compiled() {
		return this.name.contains("handler");
	}

	/** Another handler in a process that has compiled one, as after an edit. */
	private static void activateEdited(RingKernelRuntime runtime) {
		Kernel<VectorAddRequest, VectorAddResponse> kernel = runtime.define(new KernelSpec<>("edited",
				MessageLayout.of(VectorAddRequest.class), MessageLayout.of(VectorAddResponse.class),
				new JavaHandlers.VectorAdd(), null, KernelOptions.DEFAULTS));
		kernel.launch();
		kernel.activate();
	}

	private void step(String name) {
		long now = System.nanoTime();
		this.millis.put(name, (now - this.last) / 1e6);
		this.last = now;
	}

	private void report(BenchmarkResults results) {
		List<Object> values = new ArrayList<>(List.of("unit", "ms"));
		this.millis.forEach((name, took) -> {
			if (!name.startsWith("of-") || took >= LISTED_MILLIS) {
				values.add(name);
				values.add(took);
			}
		});
		values.addAll(List.of("run", this.name));
		results.add(this.timesCalls ? "activation-and-calls" : "activation", values.toArray());
	}

	/**
	 * The same, with the time of each call added up.
	 */
	private <T> T timed(Class<T> type, T target) {
		return type
			.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type }, (proxy, method, arguments) -> {
				long begin = System.nanoTime();
				try {
					Object result = method.invoke(target, arguments);
					return (result instanceof CudaContext context) ? timed(CudaContext.class, context) : result;
				}
				catch (InvocationTargetException ex) {
					throw ex.getCause();
				}
				finally {
					this.calls.merge(method.getName(), (System.nanoTime() - begin) / 1e6, Double::sum);
				}
			}));
	}

}
