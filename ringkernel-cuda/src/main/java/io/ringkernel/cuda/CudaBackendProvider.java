package io.ringkernel.cuda;

import io.ringkernel.backend.Backend;
import io.ringkernel.backend.BackendProvider;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ConfiguredName;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.ExecutionPlan;
import io.ringkernel.platform.PlanOffer;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.platform.Transport;

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
		Transport transport = request.transport();
		if (transport != null && transport != Transport.MAPPED) {
			return new PlanOffer.Refused(
					"the CUDA backend has no transport '%s'".formatted(ConfiguredName.of(transport)),
					"Set ringkernel.transport to auto or mapped.");
		}
		Findings.Usable usable = (Findings.Usable) findings;
		ExecutionMode mode = (request.mode() != null) ? request.mode() : ExecutionMode.PERSISTENT;
		return new PlanOffer.Accepted(new ExecutionPlan(BackendKind.CUDA, mode, Transport.MAPPED,
				usable.reasons(request.mode()), usable.describe()));
	}

	@Override
	public Backend open(ExecutionPlan plan) {
		return new CudaBackend(this.platform.device(), plan);
	}

}
