package io.ringkernel.cuda.driver;

import java.time.Duration;

/**
 * The CUDA driver of this process.
 *
 * @since 0.1.0
 */
public interface CudaDriver {

	/**
	 * Loads and initializes the driver. Doing so again does nothing.
	 * @return its version as the driver counts: 12030 for CUDA 12.3
	 * @throws CudaUnavailableException if there is no driver that could be called
	 * @throws CudaException if it cannot be initialized
	 * @throws CudaDeadlineException if it did not answer in time
	 */
	int initialize();

	/**
	 * {@return how many devices there are}
	 */
	int deviceCount();

	/**
	 * {@return what a device is}
	 * @param ordinal the device, from 0
	 */
	DeviceProperties properties(int ordinal);

	/**
	 * {@return a context on a device, on a thread of its own} It is not the primary
	 * context, which other CUDA libraries of the process use: what they wait for there
	 * are their kernels alone. Only a device that gives no further context has its
	 * primary one used.
	 * @param ordinal the device, from 0
	 */
	CudaContext open(int ordinal);

	/**
	 * {@return the driver of this machine, called through JCuda, not yet initialized}
	 */
	static CudaDriver system() {
		return bounded(new JCudaDriverCalls(NativePlatform.current()));
	}

	/**
	 * {@return a driver whose calls are made on threads of their own and waited for no
	 * longer than a deadline}
	 * @param driver the driver to call
	 */
	static CudaDriver bounded(CudaDriver driver) {
		return bounded(driver, BoundedDriver.PATIENCE);
	}

	/**
	 * {@return the same with another deadline for most calls}
	 * @param driver the driver to call
	 * @param patience how long a call may take that neither starts nor loads anything
	 */
	static CudaDriver bounded(CudaDriver driver, Duration patience) {
		return bounded(driver, patience, BoundedDriver.LOAD);
	}

	/**
	 * {@return the same with other deadlines}
	 * @param driver the driver to call
	 * @param patience how long a call may take that neither starts nor loads anything
	 * @param loadPatience how long a call may take that compiles or loads a module
	 * @since 0.2.0
	 */
	static CudaDriver bounded(CudaDriver driver, Duration patience, Duration loadPatience) {
		return new BoundedDriver(driver, patience, loadPatience);
	}

}
