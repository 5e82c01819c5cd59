package io.ringkernel.cuda.driver;

import java.util.Set;

/**
 * What a call of the driver returned.
 *
 * @param code the number
 * @param name the name in {@code cuda.h}
 * @since 0.1.0
 */
public record CudaStatus(int code, String name) {

	/** What a stream query returns while the stream is not done. */
	static final int NOT_READY = 600;

	private static final int INVALID_VALUE = 1;

	private static final int OUT_OF_MEMORY = 2;

	private static final int STUB_LIBRARY = 34;

	private static final int DEVICE_UNAVAILABLE = 46;

	private static final int NO_DEVICE = 100;

	private static final int INVALID_IMAGE = 200;

	private static final int NO_BINARY_FOR_GPU = 209;

	private static final int INVALID_PTX = 218;

	private static final int UNSUPPORTED_PTX_VERSION = 222;

	private static final int NOT_FOUND = 500;

	private static final int LAUNCH_OUT_OF_RESOURCES = 701;

	private static final int LAUNCH_TIMEOUT = 702;

	private static final int ALREADY_REGISTERED = 712;

	private static final int NOT_REGISTERED = 713;

	private static final int REGISTRATION_NOT_PERMITTED = 800;

	private static final int SYSTEM_NOT_READY = 802;

	private static final int SYSTEM_DRIVER_MISMATCH = 803;

	private static final int COMPAT_NOT_SUPPORTED = 804;

	/**
	 * Faults and traps of a kernel, and the limit on its time: the driver reports them
	 * after it has ended all kernels of the context.
	 */
	private static final Set<Integer> ENDS_KERNELS = Set.of(700, 702, 710, 714, 715, 716, 717, 718, 719, 721);

	/**
	 * Other errors after which the process can use the device no more: uncorrectable
	 * memory errors, faults contained by the device or outside of it, a context or an MPS
	 * server that is gone. Kernels may still run.
	 */
	private static final Set<Integer> FATAL = Set.of(4, 46, 201, 214, 220, 226, 709, 810, 911, 999);

	/**
	 * {@return whether the process has lost the device: every later call reports the
	 * same, and only a new process can use it again}
	 */
	public boolean isFatal() {
		return endsKernels() || FATAL.contains(this.code);
	}

	/**
	 * {@return whether the driver ends all kernels of the context before it reports this
	 * error}
	 * @since 0.2.0
	 */
	public boolean endsKernels() {
		return ENDS_KERNELS.contains(this.code);
	}

	/**
	 * {@return whether a kernel was ended for the time it took}
	 */
	public boolean isTimeLimit() {
		return this.code == LAUNCH_TIMEOUT;
	}

	/**
	 * {@return whether there is not enough memory}
	 */
	public boolean isOutOfMemory() {
		return this.code == OUT_OF_MEMORY;
	}

	/**
	 * {@return whether what was looked up is not there}
	 */
	public boolean isNotFound() {
		return this.code == NOT_FOUND;
	}

	/**
	 * {@return whether memory that was to be registered is so already}
	 */
	public boolean isAlreadyRegistered() {
		return this.code == ALREADY_REGISTERED;
	}

	/**
	 * {@return whether memory that was to be unregistered is not registered}
	 */
	public boolean isNotRegistered() {
		return this.code == NOT_REGISTERED;
	}

	/**
	 * {@return whether the library is the toolkit's stub, which links and does nothing}
	 */
	public boolean isStub() {
		return this.code == STUB_LIBRARY;
	}

	/**
	 * {@return whether there is no device}
	 */
	public boolean isNoDevice() {
		return this.code == NO_DEVICE;
	}

	/**
	 * {@return what to do about it: a sentence}
	 */
	public String remedy() {
		return switch (this.code) {
			case INVALID_VALUE -> "An argument is out of the driver's range; this is a defect, please report it.";
			case OUT_OF_MEMORY -> "Lower ring-memory or the number of workers, or free memory of the device.";
			case STUB_LIBRARY ->
				"The stub of libcuda that comes with the toolkit was loaded: put the driver's own before it on the library path.";
			case DEVICE_UNAVAILABLE ->
				"Another process has the device, whose compute mode admits one: end that, or set nvidia-smi -c DEFAULT.";
			case NO_DEVICE ->
				"Look for the device with nvidia-smi; in a container, start it with --gpus all; check CUDA_VISIBLE_DEVICES.";
			case INVALID_IMAGE, INVALID_PTX, UNSUPPORTED_PTX_VERSION ->
				"Build the image with a lower PTX version, or install a newer driver.";
			case NO_BINARY_FOR_GPU ->
				"Build the image for this device's compute capability, or as PTX for a lower one.";
			case NOT_FOUND -> "Check the name.";
			case LAUNCH_OUT_OF_RESOURCES -> "Lower threads-per-worker or the number of workers.";
			case LAUNCH_TIMEOUT -> "The device limits how long a kernel may run: use one that drives no display.";
			case REGISTRATION_NOT_PERMITTED -> "Raise the limit on locked memory (ulimit -l).";
			case SYSTEM_NOT_READY -> "Start the fabric manager or the driver's services, then try again.";
			case SYSTEM_DRIVER_MISMATCH, COMPAT_NOT_SUPPORTED ->
				"The driver's library and its kernel module do not match: reboot, or reinstall the driver.";
			default -> isFatal() ? "This process can no longer use the device: restart it."
					: "See the CUDA driver API for this error.";
		};
	}

}
