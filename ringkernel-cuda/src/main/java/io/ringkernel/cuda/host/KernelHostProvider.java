package io.ringkernel.cuda.host;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.ringkernel.backend.Backend;
import io.ringkernel.backend.BackendProvider;
import io.ringkernel.backend.DeviceLostException;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.backend.PlanFailedException;
import io.ringkernel.cuda.host.remote.HostProcess;
import io.ringkernel.cuda.host.server.HostServer;
import io.ringkernel.cuda.host.wire.FrameWriter;
import io.ringkernel.cuda.host.wire.HostOperation;
import io.ringkernel.cuda.host.wire.Plans;
import io.ringkernel.exception.InvalidConfigurationException;
import io.ringkernel.exception.RingKernelException;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionPlan;
import io.ringkernel.platform.HostEvent;
import io.ringkernel.platform.HostStatus;
import io.ringkernel.platform.PlanOffer;
import io.ringkernel.platform.PlanRequest;
import org.jspecify.annotations.Nullable;

/**
 * Has kernels run in a host: a process of its own for each device, which is started when
 * a plan for that device is first asked for. This process never loads a driver, and a
 * fault on one device ends no kernel on another.
 * <p>
 * If a host ends, whatever the reason, its loops fail with a
 * {@link io.ringkernel.backend.DeviceLostException}, and the CPU goes on with their rings
 * where the configuration admits it. A new host is started, and kernels return to it. A
 * host that has ended three times within five minutes is not started again until one of
 * these was five minutes ago.
 *
 * @since 0.2.0
 */
public final class KernelHostProvider implements BackendProvider {

	private static final Duration PLANNING = Duration.ofSeconds(40);

	/** The name and the value of what a plan says of where its kernels run. */
	private static final Map.Entry<String, String> OF_HOST = Map.entry("isolation", "process");

	/** What stands for a kernel where none is concerned. */
	private static final String NO_KERNEL = "?";

	private final BackendProvider local;

	private final HostOptions options;

	private final Supplier<KernelHost> launching;

	/** By device. */
	private final Map<Integer, KernelHost> hosts = new TreeMap<>();

	private final List<Consumer<HostEvent>> listeners = new ArrayList<>();

	/**
	 * Creates the provider.
	 * @param local what the host opens backends with; here, it checks images and compiles
	 * handlers
	 * @param mainClass the class whose {@code main} runs a {@link HostServer} with such a
	 * provider
	 * @param options how the host is run
	 */
	public KernelHostProvider(BackendProvider local, Class<?> mainClass, HostOptions options) {
		this(local, options,
				() -> new KernelHost(new HostLauncher(mainClass.getName(), options)::launch, new CrashBudget()));
	}

	KernelHostProvider(BackendProvider local, HostOptions options, Supplier<KernelHost> launching) {
		this.local = local;
		this.options = options;
		this.launching = launching;
	}

	/** The host that uses a device, which may not run. */
	private KernelHost host(int device) {
		synchronized (this.hosts) {
			return this.hosts.computeIfAbsent(device, (first) -> {
				KernelHost host = this.launching.get();
				this.listeners.forEach(host::addListener);
				return host;
			});
		}
	}

	@Override
	public List<HostStatus> hosts() {
		synchronized (this.hosts) {
			return this.hosts.values().stream().map(KernelHost::status).toList();
		}
	}

	@Override
	public void addHostListener(Consumer<HostEvent> listener) {
		synchronized (this.hosts) {
			this.listeners.add(listener);
			this.hosts.values().forEach((host) -> host.addListener(listener));
		}
	}

	@Override
	public void removeHostListener(Consumer<HostEvent> listener) {
		synchronized (this.hosts) {
			this.listeners.remove(listener);
			this.hosts.values().forEach((host) -> host.removeListener(listener));
		}
	}

	@Override
	public BackendKind kind() {
		return this.local.kind();
	}

	@Override
	public PlanOffer plan(PlanRequest request) {
		try {
			return require(request);
		}
		catch (InvalidConfigurationException ex) {
			throw ex;
		}
		catch (RingKernelException ex) {
			return refuse(ex);
		}
	}

	PlanOffer require(PlanRequest request) {
		return offer(host(request.device()), HostOperation.PLAN, (out) -> Plans.write(out, request));
	}

	/** Why a host cannot be had, as far as that can be told without one: a clause. */
	@Nullable String obstacle() {
		String command = HostCommand.obstacle();
		return (command != null) ? command : RingDirectories.of(this.options).obstacle();
	}

	static boolean isOfHost(ExecutionPlan plan) {
		return OF_HOST.getValue().equals(plan.platform().get(OF_HOST.getKey()));
	}

	/**
	 * A host that is lost has no other plan; the one that is started next has them all,
	 * and may run already because another kernel has returned.
	 */
	@Override
	public PlanOffer planAfter(ExecutionPlan failed, PlanFailedException why, PlanRequest request) {
		KernelHost host = host(failed.device());
		if (why instanceof DeviceLostException || why instanceof NoRoomException || !host.isRunning()) {
			return new PlanOffer.Refused(why.reason(), HostProcess.REMEDY);
		}
		try {
			return offer(host, HostOperation.PLAN_AFTER, (out) -> {
				Plans.write(out, failed);
				out.writeString(why.reason());
				Plans.write(out, request);
			});
		}
		catch (RingKernelException ex) {
			return refuse(ex);
		}
	}

	private static PlanOffer refuse(RingKernelException ex) {
		return new PlanOffer.Refused("the kernel host is not to be had: " + ex.getMessage(),
				"Set ringkernel.isolation to none.");
	}

	/** A host that nobody uses afterwards is not kept. */
	private PlanOffer offer(KernelHost host, HostOperation operation, Consumer<FrameWriter> arguments) {
		PlanOffer offer = null;
		try {
			offer = ask(host, operation, arguments);
			return offer;
		}
		finally {
			if (!(offer instanceof PlanOffer.Accepted)) {
				host.closeUnused();
			}
		}
	}

	private PlanOffer ask(KernelHost host, HostOperation operation, Consumer<FrameWriter> arguments) {
		HostProcess running = host.running();
		PlanOffer offer = running.callUninterrupted(NO_KERNEL, operation, arguments, PLANNING, Plans::readOffer);
		return (offer instanceof PlanOffer.Accepted accepted) ? new PlanOffer.Accepted(ofHost(accepted.plan(), running))
				: offer;
	}

	private static ExecutionPlan ofHost(ExecutionPlan plan, HostProcess host) {
		List<String> reasons = new ArrayList<>(plan.reasons());
		reasons.add("kernels run in a process of their own, process " + host.pid());
		Map<String, String> platform = new TreeMap<>(plan.platform());
		platform.put(OF_HOST.getKey(), OF_HOST.getValue());
		return new ExecutionPlan(plan.backend(), plan.mode(), plan.transport(), plan.device(), plan.answersPerLaunch(),
				reasons, platform);
	}

	@Override
	public boolean compilesHandlers() {
		return this.local.compilesHandlers();
	}

	@Override
	public void checkImage(KernelSpec<?, ?> kernel) {
		this.local.checkImage(kernel);
	}

	@Override
	public Backend open(ExecutionPlan plan) {
		return new HostBackend(host(plan.device()), this.options, plan);
	}

}
