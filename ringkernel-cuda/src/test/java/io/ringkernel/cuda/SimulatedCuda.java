package io.ringkernel.cuda;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

import io.ringkernel.RingKernelHandler;
import io.ringkernel.backend.BackendProvider;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.cuda.driver.CudaException;
import io.ringkernel.cuda.driver.CudaStatus;
import io.ringkernel.cuda.driver.CudaUnavailableException;
import io.ringkernel.cuda.driver.DeviceProperties;
import io.ringkernel.cuda.simulated.SimulatedDriver;

/**
 * A machine with simulated devices, one by default, for tests of other modules.
 */
public final class SimulatedCuda {

	private final SimulatedDriver driver = new SimulatedDriver();

	/**
	 * Makes the kernel known that an image with an entry of its id holds. What it is
	 * compiled for may differ from what the application defines.
	 */
	public <I extends Record, O extends Record> SimulatedCuda kernel(String id, Class<I> request, Class<O> response,
			RingKernelHandler<I, O> handler) {
		KernelSpec<I, O> spec = KernelSpec.of(id, request, response, handler, KernelOptions.DEFAULTS);
		for (int device = 0; device < this.driver.deviceCount(); device++) {
			this.driver.context(device).install(spec);
		}
		return this;
	}

	/**
	 * Has the machine several devices; called before kernels are made known.
	 */
	public SimulatedCuda devices(int devices) {
		this.driver.devices(devices);
		return this;
	}

	/**
	 * Has a kernel on a device access memory that there is not.
	 */
	public void fault(int device) {
		this.driver.context(device).fault(new CudaStatus(700, "CUDA_ERROR_ILLEGAL_ADDRESS"));
	}

	/**
	 * Writes an image that holds kernels which were made known.
	 * @param file where to write it
	 * @param version the version of PTX, such as 8.3
	 * @param target the device it is built for, such as sm_75
	 */
	public SimulatedCuda writeImage(Path file, String version, String target, String... ids) {
		StringBuilder text = new StringBuilder(".version %s%n.target %s%n".formatted(version, target));
		for (String id : ids) {
			String entry = id.replace('-', '_');
			text.append(this.driver.context().kernel(entry).text(entry));
		}
		try {
			Files.createDirectories(file.getParent());
			Files.writeString(file, text);
			return this;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
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
		this.driver.context().launches().blocksPerMultiprocessor(blocks);
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

	/**
	 * Has a kernel fault: the process loses the device.
	 */
	public void fault() {
		this.driver.context().faultAfterTheEnd(new CudaStatus(700, "CUDA_ERROR_ILLEGAL_ADDRESS"));
	}

	public BackendProvider provider() {
		return new CudaBackendProvider(new CudaPlatform(this.driver));
	}

}
