package io.ringkernel.runtime;

import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

import io.ringkernel.KernelState;
import io.ringkernel.backend.BackendProvider;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.exception.InvalidConfigurationException;
import io.ringkernel.exception.KernelLaunchException;
import io.ringkernel.exception.UnusableImageException;
import io.ringkernel.observe.KernelTimings;
import io.ringkernel.platform.ExecutionPlan;
import io.ringkernel.platform.HostEvent;
import io.ringkernel.platform.HostStatus;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.routing.KeyExtractor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The kernels of an application, each on the device that it names, or on the first. It is
 * where a program that does not use Spring begins: <pre>{@code
 * try (RingKernelRuntime runtime = RingKernelRuntime.open(PlanRequest.AUTO)) {
 *     Kernel<Sum, Total> kernel = runtime.define(KernelSpec.of("sum", Sum.class, Total.class, handler, DEFAULTS));
 *     kernel.launch();
 *     kernel.activate();
 *     Total total = kernel.client().call(new Sum(1, 2));
 * }
 * }</pre>
 *
 * @since 0.1.0
 */
public final class RingKernelRuntime implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(RingKernelRuntime.class);

	private final PlanRequest request;

	private final Planner planner;

	private final PlannedBackends backends;

	private final KernelEvents events = new KernelEvents();

	private final Consumer<HostEvent> hostListener = this.events::publish;

	private final Map<String, Kernel<?, ?>> kernels = Collections.synchronizedMap(new LinkedHashMap<>());

	private volatile int timingInterval = KernelTimings.DEFAULT_INTERVAL;

	RingKernelRuntime(PlanRequest request, Planner planner) {
		this.request = request;
		this.planner = planner;
		this.backends = new PlannedBackends(request, planner);
		planner.providers().forEach((provider) -> provider.addHostListener(this.hostListener));
	}

	/**
	 * Opens a runtime on the best backend that is there and that honours what is asked.
	 * @param request what the configuration asks for
	 * @return the runtime
	 * @throws InvalidConfigurationException if no backend can do what is asked: says why,
	 * and what to set
	 */
	public static RingKernelRuntime open(PlanRequest request) {
		return open(request, BackendProvider.installed());
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
		PlannedBackends.log("Ring kernels", runtime.plan());
		return runtime;
	}

	/**
	 * {@return how kernels are run here that name no device, and why}
	 */
	public ExecutionPlan plan() {
		return this.backends.first().plan();
	}

	/**
	 * {@return why nothing can run on the planned backend any more, such as a device that
	 * this process has lost; {@code null} while it is sound} Known without asking a
	 * driver.
	 */
	public @Nullable Throwable platformFailure() {
		return this.backends.first().backend().failure();
	}

	/**
	 * {@return how kernels are run on each device in use: that of kernels which name
	 * none, then those that kernels name} A device that nothing names is not looked at.
	 * Calls no driver.
	 * @since 0.2.0
	 */
	public List<DeviceStatus> devices() {
		return this.backends.ofDevices()
			.stream()
			.map((device) -> new DeviceStatus(device.plan(), device.backend().failure(),
					device.backend().isRecoverable()))
			.toList();
	}

	/**
	 * {@return the kernel hosts: the processes that use devices in place of this one;
	 * empty if this process uses the devices itself} Asks none of them.
	 * @since 0.2.0
	 */
	public List<HostStatus> hosts() {
		return this.planner.providers().stream().flatMap((provider) -> provider.hosts().stream()).toList();
	}

	/**
	 * {@return the request that this runtime was opened with}
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
			this.kernels.values()
				.stream()
				.flatMap((kernel) -> kernel.replicas().stream())
				.forEach((replica) -> replica.timings().interval(interval));
		}
	}

	/**
	 * Refuses kernels that are defined later and whose image no device can run, instead
	 * of logging a warning and running them on the CPU. Off by default.
	 * @param fail whether to refuse them
	 * @since 0.2.0
	 */
	public void failOnUnusableImage(boolean fail) {
		this.backends.failOnUnusableImage(fail);
	}

	/**
	 * Defines a kernel: {@link io.ringkernel.KernelState#CREATED CREATED}. If it names a
	 * device, that device is looked at now, unless another kernel has named it. On a
	 * platform with a CUDA device, a kernel runs on the CPU if it has no image, or one
	 * that no device can run, unless CUDA was asked for. If CUDA was asked for, the
	 * launch checks the image.
	 * @param <I> the request
	 * @param <O> the response
	 * @param spec the definition
	 * @return the kernel
	 * @throws InvalidConfigurationException if there is one with the same id, or if it
	 * names a device that there is not
	 * @throws KernelLaunchException if CUDA was asked for and the kernel has no image, or
	 * if this runtime is closed
	 * @throws UnusableImageException if no device can run its image, and
	 * {@link #failOnUnusableImage} was set
	 */
	public <I extends Record, O extends Record> Kernel<I, O> define(KernelSpec<I, O> spec) {
		return define(spec, Replication.NONE, null);
	}

	/**
	 * Defines a kernel with replicas, as {@link #define(KernelSpec)} defines one. Each
	 * replica is placed as if it were a kernel that names its device. A kernel with one
	 * replica is an ordinary kernel.
	 * @param <I> the request
	 * @param <O> the response
	 * @param spec the definition
	 * @param replication how many replicas, and on which devices
	 * @param key reads the key of a request, if requests with equal keys go to the same
	 * replica; {@code null} if any replica serves any request
	 * @return the kernel
	 * @throws io.ringkernel.exception.RingKernelException as {@link #define(KernelSpec)}
	 * says
	 * @since 0.2.0
	 */
	public <I extends Record, O extends Record> Kernel<I, O> define(KernelSpec<I, O> spec, Replication replication,
			@Nullable KeyExtractor<? super I> key) {
		if (spec.replica().isPresent()) {
			throw new InvalidConfigurationException("kernel id", "'" + spec.id() + "'", "is the id of a replica",
					"Use no dot in the id of a kernel.");
		}
		Kernel<I, O> kernel = create(spec, replication, key);
		synchronized (this.kernels) {
			kernel.replicas().forEach((replica) -> replica.timings().interval(this.timingInterval));
			if (this.kernels.putIfAbsent(spec.id(), kernel) != null) {
				throw new InvalidConfigurationException("kernel id", "'" + spec.id() + "'", "is taken",
						"Give each kernel an id of its own.");
			}
		}
		return kernel;
	}

	private <I extends Record, O extends Record> Kernel<I, O> create(KernelSpec<I, O> spec, Replication replication,
			@Nullable KeyExtractor<? super I> key) {
		List<Integer> devices = this.backends.devicesOf(spec, replication);
		int count = (replication.replicas() == Replication.ONE_PER_DEVICE) ? devices.size() : replication.replicas();
		List<Integer> spares = (replication.onLoss() == OnLoss.MOVE) ? devices : List.of();
		if (count == 1) {
			return single(PlannedBackends.on(spec, devices.get(0)), spares, 0);
		}
		return new ReplicatedKernel<>(spec, count, key, (number) -> {
			SingleKernel<I, O> replica = single(spec.replica(number, devices.get(number % devices.size())), spares,
					number / devices.size());
			replica.timings().interval(this.timingInterval);
			return replica;
		}, this.events);
	}

	private <I extends Record, O extends Record> SingleKernel<I, O> single(KernelSpec<I, O> spec, List<Integer> devices,
			int turn) {
		PlannedBackend planned = this.backends.of(spec);
		return new SingleKernel<>(spec, planned, this.backends, this.backends.spares(spec, planned, devices, turn),
				this.events);
	}

	/**
	 * Terminates a kernel and forgets it: its id is free for another one.
	 * @param kernel a kernel of this runtime; another one is left alone
	 * @throws io.ringkernel.exception.KernelStuckException if its loop does not stop in
	 * time; the kernel is then kept
	 * @since 0.2.0
	 */
	public void remove(Kernel<?, ?> kernel) {
		if (this.kernels.containsValue(kernel)) {
			kernel.terminate();
			if (this.kernels.remove(kernel.id(), kernel)) {
				kernel.replicas().forEach((replica) -> this.events.publish(new KernelRemoval(replica)));
			}
		}
	}

	/**
	 * {@return a copy of the kernels, in the order in which they were defined}
	 */
	public Collection<Kernel<?, ?>> kernels() {
		synchronized (this.kernels) {
			return List.copyOf(this.kernels.values());
		}
	}

	/**
	 * {@return the kernel with some id, or the replica of one}
	 * @param id the id, such as {@code vector-add} or {@code vector-add.0}
	 */
	public Optional<Kernel<?, ?>> kernel(String id) {
		Kernel<?, ?> kernel = this.kernels.get(id);
		return (kernel != null) ? Optional.of(kernel)
				: kernels().stream()
					.<Kernel<?, ?>>flatMap((replicated) -> replicated.replicas().stream())
					.filter((replica) -> replica.id().equals(id))
					.findFirst();
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
	 * Terminates all kernels and closes the backends. A kernel that cannot be terminated,
	 * or a backend that cannot be closed, is logged and does not keep the others from it.
	 * An interrupt does not either. From now on, no kernel is defined or launched.
	 */
	@Override
	public void close() {
		this.backends.refuse();
		kernels().forEach(RingKernelRuntime::terminate);
		boolean interrupted = Thread.interrupted();
		this.backends.close();
		this.planner.providers().forEach((provider) -> provider.removeHostListener(this.hostListener));
		this.events.close();
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

	private static void terminate(Kernel<?, ?> kernel) {
		try {
			LifecycleLock.terminate(kernel);
		}
		catch (RuntimeException | Error ex) {
			logger.error("Ring kernel '{}' could not be terminated", kernel.id(), ex);
		}
	}

}
