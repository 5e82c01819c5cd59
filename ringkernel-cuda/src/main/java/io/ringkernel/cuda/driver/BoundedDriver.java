package io.ringkernel.cuda.driver;

import java.time.Duration;

/**
 * Makes the driver's calls on a thread of its own and waits for them no longer than a
 * deadline.
 */
final class BoundedDriver implements CudaDriver {

	/**
	 * The driver takes 0.1 s to start where something keeps the device awake, but seconds
	 * on a machine with many devices where nothing does.
	 */
	private static final Duration START = Duration.ofSeconds(20);

	private static final Duration QUERY = Duration.ofSeconds(5);

	/** A driver that works answers within microseconds, or once a kernel has ended. */
	static final Duration PATIENCE = Duration.ofSeconds(10);

	/** Compiling PTX takes from a tenth of a second to many, by what is in it. */
	static final Duration LOAD = Duration.ofSeconds(60);

	private final CudaDriver driver;

	private final Duration patience;

	private final Duration loadPatience;

	private final DriverThread thread = new DriverThread("ringkernel-cuda");

	BoundedDriver(CudaDriver driver, Duration patience, Duration loadPatience) {
		this.driver = driver;
		this.patience = patience;
		this.loadPatience = loadPatience;
	}

	@Override
	public int initialize() {
		return this.thread.call("cuInit", START, this.driver::initialize);
	}

	@Override
	public int deviceCount() {
		return this.thread.call("cuDeviceGetCount", QUERY, this.driver::deviceCount);
	}

	@Override
	public DeviceProperties properties(int ordinal) {
		return this.thread.call("cuDeviceGetAttribute", QUERY, () -> this.driver.properties(ordinal));
	}

	@Override
	public CudaContext open(int ordinal) {
		String name = "ringkernel-cuda-" + ordinal;
		DriverThread contextThread = new DriverThread(name);
		CudaContext context = contextThread.call("cuCtxCreate", START, () -> this.driver.open(ordinal));
		contextThread.prepare(context::attach);
		return new BoundedContext(context, contextThread, new DriverThread(name + "-compiler"), this.patience,
				this.loadPatience);
	}

}
