package io.ringkernel.cuda.probe;

import io.ringkernel.cuda.driver.CudaDeadlineException;
import io.ringkernel.cuda.driver.CudaDriver;
import io.ringkernel.cuda.driver.CudaException;
import io.ringkernel.cuda.driver.CudaStatus;
import io.ringkernel.cuda.driver.CudaUnavailableException;
import io.ringkernel.cuda.driver.Versions;
import io.ringkernel.exception.InvalidConfigurationException;
import org.jspecify.annotations.Nullable;

/**
 * What has come of starting the driver: how many devices it shows, or why it shows none.
 *
 * @param version the version of the driver, as it counts
 * @param devices how many devices the process sees
 * @param refusal why none can be used; {@code null} if there are some
 * @since 0.2.0
 */
public record DriverStart(int version, int devices, Findings.@Nullable Unusable refusal) {

	private static final String WSL_DRIVER = "Install the NVIDIA driver on Windows, 550 or later, and none inside WSL; in a container, start it with --gpus all.";

	private static final CudaStatus NO_DEVICE = new CudaStatus(100, "CUDA_ERROR_NO_DEVICE");

	public static DriverStart of(CudaDriver driver, PlatformHints hints) {
		try {
			int version = driver.initialize();
			if (version < Versions.MINIMUM) {
				return refused(
						Findings.unusable(
								"the driver is for CUDA %s and %s is needed".formatted(Versions.text(version),
										Versions.text(Versions.MINIMUM)),
								"Install a newer NVIDIA driver: 550 or later."));
			}
			int devices = driver.deviceCount();
			return new DriverStart(version, devices, (devices == 0) ? noDevice() : null);
		}
		catch (RuntimeException ex) {
			return refused(refusal(ex, hints));
		}
	}

	private static DriverStart refused(Findings.Unusable refusal) {
		return new DriverStart(0, 0, refusal);
	}

	/** Says why a look at driver or device has failed. */
	public static Findings.Unusable refusal(RuntimeException failure, PlatformHints hints) {
		if (failure instanceof CudaUnavailableException unavailable) {
			return Findings.unusable(unavailable.reason(), hints.wsl() ? WSL_DRIVER : unavailable.remedy());
		}
		if (failure instanceof CudaException reported) {
			return refusal(reported);
		}
		if (failure instanceof CudaDeadlineException late) {
			return Findings.unusable("the driver did not return from %s in time".formatted(late.call()),
					"Look at the device with nvidia-smi, and restart the process.");
		}
		return Findings.unusable("looking for a device failed: " + failure, "Set ringkernel.backend to cpu.");
	}

	private static Findings.Unusable refusal(CudaException failure) {
		CudaStatus status = failure.status();
		if (status.isNoDevice()) {
			return noDevice();
		}
		if (status.isStub()) {
			return Findings.unusable("only the toolkit's stub of the driver was found (%s)".formatted(status.name()),
					status.remedy());
		}
		return Findings.unusable("%s failed with %s".formatted(failure.attempted(), status.name()), status.remedy());
	}

	private static Findings.Unusable noDevice() {
		return Findings.unusable("there is no CUDA device", NO_DEVICE.remedy());
	}

	/** Fails if there is no device of a number. */
	public void requireDevice(int ordinal) {
		if (ordinal < 0 || ordinal >= this.devices) {
			throw new InvalidConfigurationException("device", ordinal,
					"is no device of this process, which sees %d".formatted(this.devices),
					((this.devices == 1) ? "Set it to 0" : "Set it to a value from 0 to %d".formatted(this.devices - 1))
							+ ", or have the process see more devices: CUDA_VISIBLE_DEVICES and --gpus of a container say which.");
		}
	}

}
