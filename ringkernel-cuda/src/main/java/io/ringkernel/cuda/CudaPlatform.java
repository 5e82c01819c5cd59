package io.ringkernel.cuda;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import io.ringkernel.cuda.driver.CudaDriver;
import io.ringkernel.cuda.driver.CudaUnavailableException;
import io.ringkernel.cuda.probe.DriverStart;
import io.ringkernel.cuda.probe.Findings;
import io.ringkernel.cuda.probe.PlatformHints;
import io.ringkernel.exception.InvalidConfigurationException;
import io.ringkernel.exception.RingKernelException;
import org.jspecify.annotations.Nullable;

/**
 * What CUDA is on this machine. The driver is started once. Each device is looked at
 * once, when it is first asked for: those that nothing uses cost nothing.
 */
final class CudaPlatform {

	private final CudaDriver driver;

	private final PlatformHints hints;

	private final Map<Integer, InspectedDevice> devices = new ConcurrentHashMap<>();

	private final AtomicInteger opened = new AtomicInteger();

	private @Nullable DriverStart start;

	CudaPlatform(CudaDriver driver) {
		this(driver, PlatformHints.system());
	}

	CudaPlatform(CudaDriver driver, PlatformHints hints) {
		this.driver = driver;
		this.hints = hints;
	}

	static CudaPlatform system() {
		return SystemPlatform.INSTANCE;
	}

	private synchronized DriverStart start() {
		DriverStart known = this.start;
		if (known == null) {
			known = DriverStart.of(this.driver, this.hints);
			this.start = known;
		}
		return known;
	}

	/**
	 * What is found on a device, by its number.
	 * @throws InvalidConfigurationException if there are devices, and none of this number
	 */
	Findings findings(int ordinal) {
		long begin = System.nanoTime();
		DriverStart started = start();
		Findings.Unusable refusal = started.refusal();
		return (refusal != null) ? refusal : inspected(started, ordinal).findings(begin);
	}

	/** What was found on a device, if it has been looked at already. */
	@Nullable Findings known(int ordinal) {
		InspectedDevice device = this.devices.get(ordinal);
		return (device != null) ? device.known() : null;
	}

	/**
	 * A device, opened once.
	 * @throws RingKernelException if it cannot be used
	 * @throws InvalidConfigurationException if there are devices, and none of this number
	 */
	CudaDevice device(int ordinal) {
		DriverStart started = start();
		Findings.Unusable refusal = started.refusal();
		if (refusal != null) {
			throw new CudaUnavailableException(refusal.refusal().reason(), refusal.refusal().remedy(), null);
		}
		return inspected(started, ordinal).device();
	}

	CudaDevice device() {
		return device(0);
	}

	int devices() {
		return start().devices();
	}

	private InspectedDevice inspected(DriverStart started, int ordinal) {
		started.requireDevice(ordinal);
		return this.devices.computeIfAbsent(ordinal,
				(number) -> new InspectedDevice(this.driver, started.version(), this.hints, number, this.opened));
	}

	/** Made when it is first asked for. */
	private static final class SystemPlatform {

		private static final CudaPlatform INSTANCE = new CudaPlatform(CudaDriver.system());

	}

}
