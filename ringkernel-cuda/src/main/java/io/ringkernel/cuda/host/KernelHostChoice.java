package io.ringkernel.cuda.host;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.ringkernel.backend.Backend;
import io.ringkernel.backend.BackendProvider;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.backend.PlanFailedException;
import io.ringkernel.exception.InvalidConfigurationException;
import io.ringkernel.exception.RingKernelException;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionPlan;
import io.ringkernel.platform.HostEvent;
import io.ringkernel.platform.HostStatus;
import io.ringkernel.platform.PlanOffer;
import io.ringkernel.platform.PlanRequest;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has kernels run in a host if there can be one, and in this process otherwise. That is
 * decided once, when a plan is first asked for, and the plan says why it is this process.
 * A kernel whose ring finds no room in shared memory runs in this process beside the
 * others.
 *
 * @since 0.2.0
 */
public final class KernelHostChoice implements BackendProvider {

	private static final Logger logger = LoggerFactory.getLogger(KernelHostChoice.class);

	private final KernelHostProvider host;

	private final BackendProvider local;

	private final Supplier<@Nullable String> obstacle;

	private boolean decided;

	/** Why kernels run in this process; {@code null} if that was not decided. */
	private @Nullable String reason;

	/** Whether a host has had a plan. */
	private volatile boolean hosted;

	/**
	 * Creates the provider.
	 * @param host has kernels run in a host
	 * @param local has kernels run in this process
	 * @param obstacle says why there can be no host, in a clause, or {@code null} if
	 * nothing stands against one; asked once
	 */
	public KernelHostChoice(KernelHostProvider host, BackendProvider local, Supplier<@Nullable String> obstacle) {
		this.host = host;
		this.local = local;
		this.obstacle = obstacle;
	}

	@Override
	public BackendKind kind() {
		return this.local.kind();
	}

	@Override
	public synchronized PlanOffer plan(PlanRequest request) {
		PlanOffer offer = this.decided ? null : decide(request);
		if (offer == null) {
			String why = this.reason;
			offer = (why != null) ? here(request, why) : this.host.plan(request);
		}
		this.hosted |= offer instanceof PlanOffer.Accepted accepted && KernelHostProvider.isOfHost(accepted.plan());
		return offer;
	}

	/** Decides where kernels run; {@code null} if there is no host. */
	private @Nullable PlanOffer decide(PlanRequest request) {
		String found = this.obstacle.get();
		this.reason = (found != null) ? found : this.host.obstacle();
		this.decided = true;
		if (this.reason != null) {
			return null;
		}
		try {
			return this.host.require(request);
		}
		catch (InvalidConfigurationException ex) {
			throw ex;
		}
		catch (RingKernelException ex) {
			this.reason = "there is no kernel host: " + ex.getMessage();
			logger.warn("Kernels run without isolation, in the process of the application: {}", ex.getMessage(), ex);
			return null;
		}
	}

	private PlanOffer here(PlanRequest request, String why) {
		PlanOffer offer = this.local.plan(request);
		if (offer instanceof PlanOffer.Accepted accepted) {
			List<String> reasons = new ArrayList<>(accepted.plan().reasons());
			reasons.add("kernels run in the process of the application, because " + why);
			return new PlanOffer.Accepted(accepted.plan().withReasons(reasons));
		}
		return offer;
	}

	@Override
	public PlanOffer planAfter(ExecutionPlan failed, PlanFailedException why, PlanRequest request) {
		if (!KernelHostProvider.isOfHost(failed)) {
			return this.local.planAfter(failed, why, request);
		}
		return (why instanceof NoRoomException) ? here(request, why.reason())
				: this.host.planAfter(failed, why, request);
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
		return KernelHostProvider.isOfHost(plan) ? this.host.open(plan) : this.local.open(plan);
	}

	@Override
	public List<HostStatus> hosts() {
		return this.hosted ? this.host.hosts() : List.of();
	}

	@Override
	public void addHostListener(Consumer<HostEvent> listener) {
		this.host.addHostListener(listener);
	}

	@Override
	public void removeHostListener(Consumer<HostEvent> listener) {
		this.host.removeHostListener(listener);
	}

}
