package io.ringkernel.cuda.host;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import io.ringkernel.InvalidConfigurationException;
import io.ringkernel.RingKernelException;
import io.ringkernel.backend.Backend;
import io.ringkernel.backend.BackendProvider;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionPlan;
import io.ringkernel.platform.HostEvent;
import io.ringkernel.platform.HostStatus;
import io.ringkernel.platform.PlanOffer;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.platform.Transport;

/**
 * Has kernels run in a host: a process of its own, which is started when a plan is first
 * asked for. This process never loads a driver.
 * <p>
 * If the host ends, whatever the reason, its loops fail with a
 * {@link io.ringkernel.backend.DeviceLostException}, and the CPU goes on with their rings
 * where the configuration admits it. A new host is started, and kernels return to it. A
 * host that has ended three times within five minutes is not started again until one of
 * these was five minutes ago.
 *
 * @since 0.2.0
 */
public final class KernelHostProvider implements BackendProvider {

	private static final Duration PLANNING = Duration.ofSeconds(40);

	/** What stands for a kernel where none is concerned. */
	private static final String NO_KERNEL = "?";

	private final BackendProvider local;

	private final HostOptions options;

	private final KernelHost host;

	/**
	 * Creates the provider.
	 * @param local what the host opens backends with; here, it checks images and compiles
	 * handlers
	 * @param mainClass the class whose {@code main} runs a {@link HostServer} with such a
	 * provider
	 * @param options how the host is run
	 */
	public KernelHostProvider(BackendProvider local, Class<?> mainClass, HostOptions options) {
		this(local, options, new KernelHost(new HostLauncher(mainClass.getName(), options)::launch));
	}

	KernelHostProvider(BackendProvider local, HostOptions options, KernelHost host) {
		this.local = local;
		this.options = options;
		this.host = host;
	}

	@Override
	public HostStatus hostStatus() {
		return this.host.status();
	}

	@Override
	public void addHostListener(Consumer<HostEvent> listener) {
		this.host.addListener(listener);
	}

	@Override
	public void removeHostListener(Consumer<HostEvent> listener) {
		this.host.removeListener(listener);
	}

	@Override
	public BackendKind kind() {
		return this.local.kind();
	}

	@Override
	public PlanOffer plan(PlanRequest request) {
		if (request.transport() == Transport.MANAGED) {
			return new PlanOffer.Refused("managed memory cannot be shared with a kernel host",
					"Set ringkernel.transport to auto, or ringkernel.isolation to none.");
		}
		return offer(Operation.PLAN, (out) -> Plans.write(out, request));
	}

	/**
	 * A host that is lost has no other plan; the one that is started next has them all.
	 */
	@Override
	public PlanOffer planAfter(ExecutionPlan failed, String why, PlanRequest request) {
		if (!this.host.isRunning()) {
			return new PlanOffer.Refused(why, HostProcess.REMEDY);
		}
		return offer(Operation.PLAN_AFTER, (out) -> {
			Plans.write(out, failed);
			out.writeString(why);
			Plans.write(out, request);
		});
	}

	private PlanOffer offer(Operation operation, Consumer<FrameWriter> arguments) {
		PlanOffer offer = ask(operation, arguments);
		if (offer instanceof PlanOffer.Refused) {
			this.host.closeUnused();
		}
		return offer;
	}

	private PlanOffer ask(Operation operation, Consumer<FrameWriter> arguments) {
		try {
			HostProcess running = this.host.running();
			FrameReader answer = running.callUninterrupted(NO_KERNEL, operation, arguments, PLANNING);
			try {
				PlanOffer offer = Plans.readOffer(answer);
				answer.end();
				return because(offer, "kernels run in a process of their own, process " + running.pid());
			}
			catch (MalformedFrameException ex) {
				throw running.malformed(ex);
			}
		}
		catch (InvalidConfigurationException ex) {
			throw ex;
		}
		catch (RingKernelException ex) {
			return new PlanOffer.Refused("the kernel host is not to be had: " + ex.getMessage(),
					"Set ringkernel.isolation to none.");
		}
	}

	private static PlanOffer because(PlanOffer offer, String reason) {
		if (offer instanceof PlanOffer.Accepted accepted) {
			List<String> reasons = new ArrayList<>(accepted.plan().reasons());
			reasons.add(reason);
			return new PlanOffer.Accepted(accepted.plan().withReasons(reasons));
		}
		return offer;
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
		return new HostBackend(this.host, this.options, plan);
	}

}
