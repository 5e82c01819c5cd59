package io.ringkernel.cuda;

import io.ringkernel.backend.Backend;
import io.ringkernel.backend.BackendProvider;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionPlan;
import io.ringkernel.platform.PlanOffer;
import io.ringkernel.platform.PlanRequest;

/**
 * Makes the CUDA backend known. The machine is looked at once per process; what is
 * refused then says which of driver, device and their abilities is missing.
 */
public final class CudaBackendProvider implements BackendProvider {

	private final CudaPlatform platform;

	/**
	 * Creates the provider for the devices of this machine.
	 */
	public CudaBackendProvider() {
		this(CudaPlatform.system());
	}

	CudaBackendProvider(CudaPlatform platform) {
		this.platform = platform;
	}

	@Override
	public BackendKind kind() {
		return BackendKind.CUDA;
	}

	@Override
	public PlanOffer plan(PlanRequest request) {
		Findings findings = this.platform.findings();
		if (findings instanceof Findings.Unusable unusable) {
			return unusable.refusal();
		}
		return new CudaPlans((Findings.Usable) findings).choose(request);
	}

	@Override
	public PlanOffer planAfter(ExecutionPlan failed, String why, PlanRequest request) {
		Findings findings = this.platform.findings();
		if (findings instanceof Findings.Unusable unusable) {
			return unusable.refusal();
		}
		if (this.platform.device().lost() != null) {
			return new PlanOffer.Refused(why + ", and this process has lost the device", "Restart the application.");
		}
		return new CudaPlans((Findings.Usable) findings).after(failed, why, request);
	}

	@Override
	public Backend open(ExecutionPlan plan) {
		return new CudaBackend(this.platform.device(), plan);
	}

}
