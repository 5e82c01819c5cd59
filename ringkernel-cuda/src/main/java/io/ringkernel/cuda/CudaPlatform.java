package io.ringkernel.cuda;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

import io.ringkernel.RingKernelException;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.cuda.driver.CudaContext;
import io.ringkernel.cuda.driver.CudaDeadlineException;
import io.ringkernel.cuda.driver.CudaDriver;
import io.ringkernel.cuda.driver.CudaException;
import io.ringkernel.cuda.driver.CudaStatus;
import io.ringkernel.cuda.driver.CudaUnavailableException;
import io.ringkernel.cuda.driver.DeviceProperties;
import io.ringkernel.platform.PlanOffer;
import io.ringkernel.runtime.Rehearsal;
import org.jspecify.annotations.Nullable;

/**
 * What CUDA is on this machine; looked at once.
 */
final class CudaPlatform {

	/** Before it, there are neither independent threads nor 16-byte accesses. */
	private static final int MIN_CAPABILITY = 70;

	private static final String WSL_DRIVER = "Install the NVIDIA driver on Windows, 550 or later, and none inside WSL; in a container, start it with --gpus all.";

	/** The first device; CUDA_VISIBLE_DEVICES says which one that is. */
	private static final int DEVICE = 0;

	private final CudaDriver driver;

	private final PlatformHints hints;

	private @Nullable Findings findings;

	private @Nullable CudaContext context;

	/** Kept, as what it has registered may stay so. */
	private @Nullable PlatformProbe probe;

	private @Nullable CudaDevice device;

	CudaPlatform(CudaDriver driver) {
		this(driver, PlatformHints.system());
	}

	CudaPlatform(CudaDriver driver, PlatformHints hints) {
		this.driver = driver;
		this.hints = hints;
	}

	/**
	 * The platform of this process.
	 */
	static CudaPlatform system() {
		return SystemPlatform.INSTANCE;
	}

	synchronized Findings findings() {
		Findings known = this.findings;
		if (known == null) {
			known = look();
			this.findings = known;
		}
		return known;
	}

	/**
	 * The device, opened once.
	 * @throws RingKernelException if there is none that can be used
	 */
	synchronized CudaDevice device() {
		CudaDevice known = this.device;
		if (known == null) {
			Findings found = findings();
			if (found instanceof Findings.Unusable unusable) {
				throw new CudaUnavailableException(unusable.refusal().reason(), unusable.refusal().remedy(), null);
			}
			Findings.Usable usable = (Findings.Usable) found;
			known = new CudaDevice(usable.device(), usable.driverVersion(), Objects.requireNonNull(this.context),
					usable.behaviour());
			this.device = known;
		}
		return known;
	}

	private Findings look() {
		long begin = System.nanoTime();
		try {
			int version = this.driver.initialize();
			if (version < Versions.MINIMUM) {
				return Findings.unusable("the driver is for CUDA %s and %s is needed".formatted(Versions.text(version),
						Versions.text(Versions.MINIMUM)), "Install a newer NVIDIA driver: 550 or later.");
			}
			if (this.driver.deviceCount() == 0) {
				return Findings.unusable("there is no CUDA device", noDevice());
			}
			DeviceProperties found = this.driver.properties(DEVICE);
			PlanOffer.Refused refusal = refusal(found);
			if (refusal != null) {
				return new Findings.Unusable(refusal);
			}
			Behaviour behaviour = probe();
			return new Findings.Usable(found, version, this.hints, behaviour,
					Duration.ofNanos(System.nanoTime() - begin));
		}
		catch (CudaUnavailableException ex) {
			return Findings.unusable(ex.reason(), this.hints.wsl() ? WSL_DRIVER : ex.remedy());
		}
		catch (CudaException ex) {
			return unusable(ex);
		}
		catch (CudaDeadlineException ex) {
			return Findings.unusable("the driver did not return from %s in time".formatted(ex.call()),
					"Look at the device with nvidia-smi, and restart the process.");
		}
		catch (RuntimeException ex) {
			return Findings.unusable("looking for a device failed: " + ex, "Set ringkernel.backend to cpu.");
		}
	}

	/**
	 * Opening a context takes the driver a tenth of a second; meanwhile this thread
	 * prepares what it is probed with, and rehearses the start of a kernel.
	 */
	private Behaviour probe() {
		FutureTask<CudaContext> opening = new FutureTask<>(() -> this.driver.open(DEVICE));
		Thread thread = new Thread(opening, "ringkernel-cuda-opening");
		thread.setDaemon(true);
		thread.start();
		PlatformProbe probing = new PlatformProbe();
		Rehearsal.on(new CpuBackendProvider());
		CudaContext opened = join(opening);
		this.context = opened;
		this.probe = probing;
		return probing.run(opened);
	}

	/** It ends: each of its calls has a deadline. */
	private static CudaContext join(FutureTask<CudaContext> opening) {
		boolean interrupted = false;
		try {
			while (true) {
				try {
					return opening.get();
				}
				catch (InterruptedException ex) {
					interrupted = true;
				}
			}
		}
		catch (ExecutionException ex) {
			throw (ex.getCause() instanceof RuntimeException cause) ? cause
					: new IllegalStateException("opening a context failed", ex.getCause());
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	private static Findings unusable(CudaException failure) {
		CudaStatus status = failure.status();
		if (status.isNoDevice()) {
			return Findings.unusable("there is no CUDA device", noDevice());
		}
		if (status.isStub()) {
			return Findings.unusable("only the toolkit's stub of the driver was found (%s)".formatted(status.name()),
					status.remedy());
		}
		return Findings.unusable("%s failed with %s".formatted(failure.attempted(), status.name()), status.remedy());
	}

	private static String noDevice() {
		return "Look for the device with nvidia-smi; in a container, start it with --gpus all; check CUDA_VISIBLE_DEVICES.";
	}

	private static PlanOffer.@Nullable Refused refusal(DeviceProperties device) {
		if (device.capability() < MIN_CAPABILITY) {
			return new PlanOffer.Refused(
					"device '%s' has compute capability %s and 7.0 is needed".formatted(device.name(),
							device.capabilityText()),
					"Use a newer device, or put another one first with CUDA_VISIBLE_DEVICES.");
		}
		if (device.prohibited()) {
			return new PlanOffer.Refused("the compute mode of device '%s' lets nobody use it".formatted(device.name()),
					"Set it with nvidia-smi -c DEFAULT.");
		}
		return null;
	}

	/**
	 * Made when it is first asked for.
	 */
	private static final class SystemPlatform {

		private static final CudaPlatform INSTANCE = new CudaPlatform(CudaDriver.system());

	}

}
