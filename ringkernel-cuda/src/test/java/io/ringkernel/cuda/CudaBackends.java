package io.ringkernel.cuda;

import io.ringkernel.cuda.driver.CudaDriver;

/**
 * Backends over other drivers than the system's, for other modules.
 */
public final class CudaBackends {

	private CudaBackends() {
	}

	/**
	 * The backend over a driver.
	 */
	public static CudaBackendProvider on(CudaDriver driver) {
		return new CudaBackendProvider(new CudaPlatform(driver));
	}

}
