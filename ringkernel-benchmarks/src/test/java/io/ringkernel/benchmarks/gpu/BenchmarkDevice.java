package io.ringkernel.benchmarks.gpu;

import io.ringkernel.cuda.CudaBackendProvider;
import io.ringkernel.platform.PlanOffer;
import io.ringkernel.platform.PlanRequest;

/**
 * The device that a benchmark needs.
 */
final class BenchmarkDevice {

	private BenchmarkDevice() {
	}

	/**
	 * Looks for a device. If there is none, says so and ends the process.
	 */
	static CudaBackendProvider require() {
		CudaBackendProvider provider = new CudaBackendProvider();
		if (provider.plan(PlanRequest.AUTO) instanceof PlanOffer.Refused refused) {
			System.out.println("SKIPPED: " + refused.reason());
			System.exit(0);
		}
		return provider;
	}

}
