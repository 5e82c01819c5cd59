package io.ringkernel.cuda;

import io.ringkernel.RingKernelHandler;
import io.ringkernel.backend.BackendProvider;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.cuda.driver.CudaException;
import io.ringkernel.cuda.driver.CudaStatus;
import io.ringkernel.cuda.driver.CudaUnavailableException;
import io.ringkernel.cuda.driver.DeviceProperties;

/**
 * A machine with a simulated device, for tests of other modules.
 */
public final class SimulatedCuda {

	private final SimulatedDriver driver = new SimulatedDriver();

	/**
	 * Makes the kernel known that an image with an entry of its id holds. What it is
	 * compiled for may differ from what the application defines.
	 */
	public <I extends Record, O extends Record> SimulatedCuda kernel(String id, Class<I> request, Class<O> response,
			RingKernelHandler<I, O> handler) {
		this.driver.context().install(KernelSpec.of(id, request, response, handler, KernelOptions.DEFAULTS));
		return this;
	}

	public SimulatedCuda withoutDriver() {
		this.driver.failing(new CudaUnavailableException("no CUDA driver is installed",
				"Install the NVIDIA driver, or set ringkernel.backend to auto.", null));
		return this;
	}

	/**
	 * @param version the CUDA version, such as 12040
	 */
	public SimulatedCuda driver(int version) {
		this.driver.version(version);
		return this;
	}

	public SimulatedCuda capability(int major, int minor) {
		this.driver.properties(new DeviceProperties("Simulated", major, minor, 8, 1L << 34, 1024, 200_000, false, false,
				true, true, true, true, true, 1_000_000_000));
		return this;
	}

	/**
	 * Has each of the eight multiprocessors hold so many blocks of a kernel.
	 */
	public SimulatedCuda blocksPerMultiprocessor(int blocks) {
		this.driver.context().blocksPerMultiprocessor(blocks);
		return this;
	}

	/**
	 * Has the operating system lock no more memory from now on.
	 */
	public void lockNoMore() {
		this.driver.context()
			.failRegistrations(
					new CudaException("cuMemHostRegister", new CudaStatus(304, "CUDA_ERROR_OPERATING_SYSTEM")), false);
	}

	public BackendProvider provider() {
		return new CudaBackendProvider(new CudaPlatform(this.driver));
	}

}
