package io.ringkernel.runtime;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import io.ringkernel.backend.Compile;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.backend.PlanFailedException;
import io.ringkernel.exception.InvalidConfigurationException;
import io.ringkernel.exception.KernelLaunchException;
import io.ringkernel.exception.UnusableImageException;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ConfiguredName;
import io.ringkernel.platform.ExecutionPlan;
import io.ringkernel.platform.PlanRequest;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The backends of a runtime: that of kernels which name no device, those of devices that
 * kernels name, and those of kernels that their device cannot run, or that were moved.
 * Says which of them a kernel runs on.
 */
final class PlannedBackends {

	/** Says where kernels run in the name of the runtime. */
	private static final Logger logger = LoggerFactory.getLogger(RingKernelRuntime.class);

	private final PlanRequest request;

	private final Planner planner;

	private final PlannedBackend first;

	/** Those of devices that kernels name, in the order in which they did. */
	private final Map<Integer, PlannedBackend> devices = Collections.synchronizedMap(new LinkedHashMap<>());

	/** Those of kernels that the device cannot run, or that were moved. */
	private final List<PlannedBackend> others = new CopyOnWriteArrayList<>();

	private volatile boolean failsOnUnusableImage;

	/** Whether the runtime is closed, or is being closed. */
	private volatile boolean closed;

	PlannedBackends(PlanRequest request, Planner planner) {
		this.request = request;
		this.planner = planner;
		this.first = openFirst(request, planner);
	}

	private static PlannedBackend openFirst(PlanRequest request, Planner planner) {
		try {
			return opened(planner.choose(request));
		}
		catch (InvalidConfigurationException ex) {
			throw ex.setting().equals("device")
					? new InvalidConfigurationException("ringkernel.device", ex.value(), ex.reason(), ex.remedy()) : ex;
		}
	}

	private static PlannedBackend opened(Planner.Choice choice) {
		return new PlannedBackend(choice.plan(), choice.provider().open(choice.plan()));
	}

	static void log(String which, ExecutionPlan plan) {
		if (logger.isInfoEnabled()) {
			logger.info("{} run on backend '{}', mode '{}', transport '{}': {}", which,
					ConfiguredName.of(plan.backend()), ConfiguredName.of(plan.mode()),
					ConfiguredName.of(plan.transport()), String.join("; ", plan.reasons()));
		}
	}

	/** That of kernels which name no device. */
	PlannedBackend first() {
		return this.first;
	}

	/** The first one, then those of devices that kernels name. Calls no driver. */
	List<PlannedBackend> ofDevices() {
		List<PlannedBackend> used = new ArrayList<>(List.of(this.first));
		synchronized (this.devices) {
			this.devices.values()
				.stream()
				.filter((planned) -> planned.plan().backend() != BackendKind.CPU)
				.forEach(used::add);
		}
		return used;
	}

	/** Whether a kernel whose image no device can run is refused. */
	void failOnUnusableImage(boolean fail) {
		this.failsOnUnusableImage = fail;
	}

	static <I extends Record, O extends Record> KernelSpec<I, O> on(KernelSpec<I, O> spec, int device) {
		return spec.withOptions(spec.options().toBuilder().device(device).build());
	}

	/** The devices that the replicas of a kernel run on, one after another. */
	List<Integer> devicesOf(KernelSpec<?, ?> spec, Replication replication) {
		if (replication.devices().equals(Replication.ALL)) {
			return allDevices(spec.options().device());
		}
		return replication.devices().isEmpty() ? List.of(spec.options().device()) : replication.devices();
	}

	/** Those that the process can use, counted by asking for one after another. */
	private List<Integer> allDevices(int device) {
		List<Integer> all = new ArrayList<>();
		boolean more = this.first.plan().backend() != BackendKind.CPU;
		for (int i = 0; more; i++) {
			try {
				if (plannedOn(i).plan().backend() != BackendKind.CPU) {
					all.add(i);
				}
			}
			catch (InvalidConfigurationException ex) {
				if (!ex.setting().equals("device")) {
					throw ex;
				}
				more = false;
			}
		}
		return all.isEmpty() ? List.of(device) : all;
	}

	/** The one that a kernel runs on. */
	PlannedBackend of(KernelSpec<?, ?> spec) {
		requireOpen(spec.id());
		if (spec.image() != null || isCompiled(spec)) {
			// A launch that has to be on a device checks the image itself.
			return (this.request.backend() == BackendKind.CUDA) ? plannedOn(deviceOf(spec)) : plannedForImage(spec);
		}
		if (this.first.plan().backend() != BackendKind.CUDA) {
			return this.first;
		}
		if (this.request.backend() == BackendKind.CUDA) {
			throw new KernelLaunchException(spec.id(), "it has no CUDA image, and ringkernel.backend is 'cuda'. "
					+ "Name its image, or set ringkernel.backend to auto.", null);
		}
		return cpu("the kernel has no CUDA image");
	}

	/** Whether its handler becomes its image. */
	private boolean isCompiled(KernelSpec<?, ?> spec) {
		boolean isRequired = spec.options().compile() == Compile.REQUIRED;
		if (isRequired && !this.planner.compilesHandlers()) {
			throw new UnusableImageException(spec.id(),
					"its handler is required to be compiled, and no backend here compiles handlers",
					"Add the dependency io.ringkernel:ringkernel-cuda, or set compile to auto.", null);
		}
		return isRequired || (spec.options().compile() == Compile.AUTO && this.planner.compilesHandlers()
				&& this.first.plan().backend() == BackendKind.CUDA);
	}

	private int deviceOf(KernelSpec<?, ?> spec) {
		int named = spec.options().device();
		return (named == KernelOptions.DEVICE_OF_RUNTIME) ? this.request.device() : named;
	}

	private PlannedBackend plannedOn(int device) {
		if (device == this.request.device() || this.request.backend() == BackendKind.CPU) {
			return this.first;
		}
		synchronized (this.devices) {
			PlannedBackend known = this.devices.get(device);
			if (known == null) {
				known = opened(this.planner.choose(this.request.on(device)));
				this.devices.put(device, known);
				log("Ring kernels that name device " + device, known.plan());
			}
			return known;
		}
	}

	private PlannedBackend plannedForImage(KernelSpec<?, ?> spec) {
		int device = deviceOf(spec);
		PlannedBackend planned = plannedOn(device);
		try {
			this.planner.checkImage(on(spec, device));
			return planned;
		}
		catch (UnusableImageException ex) {
			boolean isRequired = (spec.image() != null) ? this.failsOnUnusableImage
					: spec.options().compile() == Compile.REQUIRED;
			if (isRequired) {
				throw ex;
			}
			String silence = (spec.image() != null) ? ""
					: " Set compile to off for this kernel if the CPU is meant to run it.";
			logger.warn("Ring kernel '{}' runs on the CPU, and no device can run it: {}{}", spec.id(), ex.explanation(),
					silence);
			return (planned.plan().backend() == BackendKind.CUDA) ? cpu(ex.reason())
					: planned.because("no device can run the kernel: " + ex.reason());
		}
	}

	/** The CPU, for a kernel that the chosen device cannot run. */
	private PlannedBackend cpu(String reason) {
		PlannedBackend cpu = opened(this.planner.chooseCpu(this.request, "not 'cuda', because " + reason));
		this.others.add(cpu);
		return cpu;
	}

	/**
	 * The other devices that a kernel may go on on if its own is lost, best first.
	 * @param turn its number among the replicas of its own device: each of these begins
	 * with another one of the devices
	 */
	List<PlannedBackend> spares(KernelSpec<?, ?> spec, PlannedBackend planned, List<Integer> devices, int turn) {
		List<PlannedBackend> spares = new ArrayList<>();
		if (planned.plan().backend() != BackendKind.CPU) {
			devices.stream()
				.distinct()
				.filter((device) -> device != planned.plan().device())
				.map((device) -> of(on(spec, device)))
				.filter((spare) -> spare.plan().backend() == planned.plan().backend())
				.forEach(spares::add);
			Collections.rotate(spares, -turn);
		}
		return List.copyOf(spares);
	}

	/**
	 * What comes after a failed plan; {@code null} if nothing honours the configuration.
	 */
	@Nullable PlannedBackend after(PlannedBackend failed, PlanFailedException why) {
		return open(this.planner.after(failed.plan(), why, this.request.on(failed.plan().device())));
	}

	/** The CPU; {@code null} if the configuration does not admit it. */
	@Nullable PlannedBackend insteadOf(PlannedBackend device, String why) {
		return open(this.planner.leave(device.plan(), why, this.request));
	}

	boolean mayLeave(PlannedBackend device) {
		return this.planner.mayLeave(device.plan(), this.request);
	}

	/** Each kernel that is moved has a backend of its own. */
	private @Nullable PlannedBackend open(Planner.@Nullable Choice choice) {
		if (choice == null) {
			return null;
		}
		PlannedBackend next = opened(choice);
		this.others.add(next);
		return next;
	}

	/** Has no kernel defined or launched any more. */
	void refuse() {
		this.closed = true;
	}

	void requireOpen(String kernelId) {
		if (this.closed) {
			throw new KernelLaunchException(kernelId, "its runtime is closed.", "Open another one and define it there.",
					null);
		}
	}

	void close() {
		this.others.forEach(PlannedBackends::close);
		this.devices.values().forEach(PlannedBackends::close);
		close(this.first);
	}

	private static void close(PlannedBackend planned) {
		try {
			planned.backend().close();
		}
		catch (RuntimeException | Error ex) {
			logger.error("The backend '{}' could not be closed", ConfiguredName.of(planned.plan().backend()), ex);
		}
	}

}
