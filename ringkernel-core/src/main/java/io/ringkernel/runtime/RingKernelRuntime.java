package io.ringkernel.runtime;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.concurrent.CopyOnWriteArrayList;

import io.ringkernel.InvalidConfigurationException;
import io.ringkernel.KernelLaunchException;
import io.ringkernel.RequestInterruptedException;
import io.ringkernel.RingKernelException;
import io.ringkernel.backend.BackendProvider;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.backend.PlanFailedException;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ConfiguredName;
import io.ringkernel.platform.ExecutionPlan;
import io.ringkernel.platform.PlanRequest;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The kernels of an application, on one backend. It is where a program that does not use
 * Spring begins: <pre>{@code
 * try (RingKernelRuntime runtime = RingKernelRuntime.open(PlanRequest.AUTO)) {
 *     Kernel<Sum, Total> kernel = runtime.define(KernelSpec.of("sum", Sum.class, Total.class, handler, DEFAULTS));
 *     kernel.launch();
 *     kernel.activate();
 *     Total total = kernel.client().call(new Sum(1, 2));
 * }
 * }</pre>
 */
public final class RingKernelRuntime implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(RingKernelRuntime.class);

	private final PlanRequest request;

	private final Planner planner;

	private final KernelHost host;

	/** Where kernels without a CUDA image run, if there are any. */
	private @Nullable KernelHost fallback;

	/** Where kernels were moved to. */
	private final List<KernelHost> successors = new CopyOnWriteArrayList<>();

	private final KernelEvents events = new KernelEvents();

	private final Map<String, Kernel<?, ?>> kernels = Collections.synchronizedMap(new LinkedHashMap<>());

	private int timingInterval = KernelTimings.DEFAULT_INTERVAL;

	RingKernelRuntime(PlanRequest request, Planner planner) {
		this.request = request;
		this.planner = planner;
		this.host = host(planner.choose(request));
	}

	private static KernelHost host(Planner.Choice choice) {
		return new KernelHost(choice.plan(), choice.provider().open(choice.plan()));
	}

	/**
	 * Opens a runtime on the best backend that is there and that honours what is asked.
	 * @param request what the configuration asks for
	 * @return the runtime
	 * @throws InvalidConfigurationException if no backend can do what is asked: says why,
	 * and what to set
	 */
	public static RingKernelRuntime open(PlanRequest request) {
		List<BackendProvider> providers = new ArrayList<>();
		ServiceLoader.load(BackendProvider.class, RingKernelRuntime.class.getClassLoader()).forEach(providers::add);
		return open(request, providers);
	}

	/**
	 * Opens a runtime on the first of the given backends that honours what is asked.
	 * @param request what the configuration asks for
	 * @param providers the backends to choose from; a device is preferred to the CPU
	 * @return the runtime
	 * @throws InvalidConfigurationException if none can do what is asked
	 */
	public static RingKernelRuntime open(PlanRequest request, List<BackendProvider> providers) {
		RingKernelRuntime runtime = new RingKernelRuntime(request, new Planner(providers));
		ExecutionPlan plan = runtime.plan();
		if (logger.isInfoEnabled()) {
			logger.info("Ring kernels run on backend '{}', mode '{}', transport '{}': {}",
					ConfiguredName.of(plan.backend()), ConfiguredName.of(plan.mode()),
					ConfiguredName.of(plan.transport()), String.join("; ", plan.reasons()));
		}
		return runtime;
	}

	/**
	 * How kernels are run here, and why.
	 * @return the plan
	 */
	public ExecutionPlan plan() {
		return this.host.plan();
	}

	/**
	 * Why nothing can run on the planned backend any more, such as a device that this
	 * process has lost. Known without asking a driver.
	 * @return the failure; {@code null} while it is sound
	 */
	public @Nullable Throwable platformFailure() {
		return this.host.backend().failure();
	}

	/**
	 * What was asked for.
	 * @return the request that this runtime was opened with
	 */
	public PlanRequest request() {
		return this.request;
	}

	/**
	 * Times one request in so many of every kernel, also of those that are defined later.
	 * @param interval how many; 1 for every request
	 * @throws InvalidConfigurationException if it is not from 1 to
	 * {@value KernelTimings#MAX_INTERVAL}
	 */
	public void timingInterval(int interval) {
		synchronized (this.kernels) {
			KernelTimings.check(interval);
			this.timingInterval = interval;
			this.kernels.values().forEach((kernel) -> kernel.timings().interval(interval));
		}
	}

	/**
	 * Defines a kernel: {@link io.ringkernel.KernelState#CREATED CREATED}. On a platform
	 * with a CUDA device, a kernel without an image runs on the CPU, unless CUDA was
	 * asked for.
	 * @param <I> the request
	 * @param <O> the response
	 * @param spec the definition
	 * @return the kernel
	 * @throws InvalidConfigurationException if there is one with the same id
	 * @throws KernelLaunchException if CUDA was asked for and the kernel has no image
	 */
	public <I extends Record, O extends Record> Kernel<I, O> define(KernelSpec<I, O> spec) {
		Kernel<I, O> kernel = new Kernel<>(spec, hostOf(spec), this::after, this.events);
		synchronized (this.kernels) {
			kernel.timings().interval(this.timingInterval);
			if (this.kernels.putIfAbsent(spec.id(), kernel) != null) {
				throw new InvalidConfigurationException("kernel id", "'" + spec.id() + "'", "is taken",
						"Give each kernel an id of its own.");
			}
		}
		return kernel;
	}

	private KernelHost hostOf(KernelSpec<?, ?> spec) {
		if (this.host.plan().backend() != BackendKind.CUDA || spec.image() != null) {
			return this.host;
		}
		if (this.request.backend() == BackendKind.CUDA) {
			throw new KernelLaunchException(spec.id(), "it has no CUDA image, and ringkernel.backend is 'cuda'. "
					+ "Name its image, or set ringkernel.backend to auto.", null);
		}
		synchronized (this.kernels) {
			KernelHost cpu = this.fallback;
			if (cpu == null) {
				cpu = host(this.planner.chooseCpu(this.request, "not 'cuda', because the kernel has no CUDA image"));
				this.fallback = cpu;
			}
			return cpu;
		}
	}

	/**
	 * The host that comes after one whose plan has failed; each kernel that is moved has
	 * its own.
	 */
	private @Nullable KernelHost after(KernelHost failed, PlanFailedException why) {
		Planner.Choice choice = this.planner.after(failed.plan(), why.reason(), this.request);
		if (choice == null) {
			return null;
		}
		KernelHost next = host(choice);
		this.successors.add(next);
		return next;
	}

	/**
	 * The kernels, in the order in which they were defined.
	 * @return a copy
	 */
	public Collection<Kernel<?, ?>> kernels() {
		synchronized (this.kernels) {
			return List.copyOf(this.kernels.values());
		}
	}

	/**
	 * The kernel with some id.
	 * @param id the id
	 * @return the kernel, if there is one
	 */
	public Optional<Kernel<?, ?>> kernel(String id) {
		return Optional.ofNullable(this.kernels.get(id));
	}

	/**
	 * Has a listener told what happens to the kernels from now on.
	 * @param listener the listener
	 */
	public void addListener(KernelListener listener) {
		this.events.add(listener);
	}

	/**
	 * Has a listener told no more.
	 * @param listener the listener
	 */
	public void removeListener(KernelListener listener) {
		this.events.remove(listener);
	}

	/**
	 * Waits until the listeners have been told of all that has happened by now. On the
	 * thread that tells them, it does not wait.
	 * @param timeout how long to wait
	 * @return whether they have been told
	 * @throws InterruptedException if the thread was interrupted
	 */
	public boolean awaitListeners(Duration timeout) throws InterruptedException {
		return this.events.await(timeout);
	}

	/**
	 * Terminates all kernels and closes the backend. A kernel that cannot be terminated
	 * is logged and does not keep the others from it.
	 */
	@Override
	public void close() {
		boolean interrupted = Thread.interrupted();
		for (Kernel<?, ?> kernel : kernels()) {
			interrupted |= terminate(kernel);
		}
		this.successors.forEach((successor) -> successor.backend().close());
		this.host.backend().close();
		synchronized (this.kernels) {
			if (this.fallback != null) {
				this.fallback.backend().close();
			}
		}
		this.events.close();
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * Terminates a kernel, which is bounded in time; an interrupt does not keep it from
	 * it, since the backend is closed next.
	 * @return whether the thread was interrupted meanwhile
	 */
	private static boolean terminate(Kernel<?, ?> kernel) {
		boolean interrupted = false;
		while (true) {
			try {
				kernel.terminate();
				return interrupted;
			}
			catch (RequestInterruptedException ex) {
				interrupted = Thread.interrupted();
			}
			catch (RingKernelException ex) {
				logger.error("Ring kernel '{}' could not be terminated", kernel.id(), ex);
				return interrupted;
			}
		}
	}

}
