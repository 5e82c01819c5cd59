package io.ringkernel.cuda;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;

import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.cuda.driver.CudaContext;
import io.ringkernel.cuda.driver.CudaDriver;
import io.ringkernel.cuda.driver.CudaUnavailableException;
import io.ringkernel.cuda.driver.DeviceProperties;
import io.ringkernel.cuda.probe.Behaviour;
import io.ringkernel.cuda.probe.DriverStart;
import io.ringkernel.cuda.probe.Findings;
import io.ringkernel.cuda.probe.PlatformHints;
import io.ringkernel.cuda.probe.PlatformProbe;
import io.ringkernel.exception.RingKernelException;
import io.ringkernel.platform.PlanOffer;
import io.ringkernel.runtime.JvmWarmup;
import org.jspecify.annotations.Nullable;

/**
 * One device of the platform: looked at once, and opened once.
 */
final class InspectedDevice {

	/** Before it, there are neither independent threads nor 16-byte accesses. */
	private static final int MIN_CAPABILITY = 70;

	private final CudaDriver driver;

	private final PlatformHints hints;

	private final int ordinal;

	private final int driverVersion;

	/** How many devices of the platform were opened. */
	private final AtomicInteger opened;

	private @Nullable Findings findings;

	private @Nullable CudaContext context;

	/** Kept, as what it has registered may stay so. */
	private @Nullable PlatformProbe probe;

	private @Nullable CudaDevice device;

	/**
	 * Names a device, without looking at it.
	 * @param ordinal its number, as the driver counts
	 * @param opened counts the devices of the platform that are opened
	 */
	InspectedDevice(CudaDriver driver, int driverVersion, PlatformHints hints, int ordinal, AtomicInteger opened) {
		this.driver = driver;
		this.hints = hints;
		this.ordinal = ordinal;
		this.driverVersion = driverVersion;
		this.opened = opened;
	}

	/**
	 * What is found on the device; looks at it if that was not done yet.
	 * @param begin when the look began, in nanoseconds
	 */
	synchronized Findings findings(long begin) {
		Findings known = this.findings;
		if (known == null) {
			known = look(begin);
			this.findings = known;
		}
		return known;
	}

	/**
	 * What was found, if the device has been looked at already.
	 */
	synchronized @Nullable Findings known() {
		return this.findings;
	}

	/**
	 * The device, opened once.
	 * @throws RingKernelException if it cannot be used
	 */
	synchronized CudaDevice device() {
		CudaDevice known = this.device;
		if (known == null) {
			Findings found = findings(System.nanoTime());
			if (found instanceof Findings.Unusable unusable) {
				throw new CudaUnavailableException(unusable.refusal().reason(), unusable.refusal().remedy(), null);
			}
			Findings.Usable usable = (Findings.Usable) found;
			known = new CudaDevice(usable.device(), usable.driverVersion(), Objects.requireNonNull(this.context),
					usable.behaviour(), this.opened::get);
			this.opened.incrementAndGet();
			this.device = known;
		}
		return known;
	}

	private Findings look(long begin) {
		try {
			DeviceProperties found = this.driver.properties(this.ordinal);
			PlanOffer.Refused refusal = refusal(found);
			if (refusal != null) {
				return new Findings.Unusable(refusal);
			}
			Behaviour behaviour = probe();
			return new Findings.Usable(found, this.ordinal, this.driverVersion, this.hints, behaviour,
					Duration.ofNanos(System.nanoTime() - begin));
		}
		catch (RuntimeException ex) {
			return DriverStart.refusal(ex, this.hints);
		}
	}

	/**
	 * Opening a context takes the driver a tenth of a second; meanwhile this thread
	 * prepares the probe and warms up the JVM, and another one the compiler of handlers.
	 */
	private Behaviour probe() {
		FutureTask<CudaContext> opening = new FutureTask<>(() -> this.driver.open(this.ordinal));
		Thread thread = new Thread(opening, "ringkernel-cuda-opening-" + this.ordinal);
		thread.setDaemon(true);
		thread.start();
		CompilerWarmup.begin();
		PlatformProbe probing = new PlatformProbe();
		JvmWarmup.on(new CpuBackendProvider());
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

	private static PlanOffer.@Nullable Refused refusal(DeviceProperties device) {
		if (device.capability() < MIN_CAPABILITY) {
			return new PlanOffer.Refused(
					"device '%s' has compute capability %s and 7.0 is needed".formatted(device.name(),
							device.capabilityText()),
					"Use a newer device, or name another one with ringkernel.device.");
		}
		if (device.prohibited()) {
			return new PlanOffer.Refused("the compute mode of device '%s' lets nobody use it".formatted(device.name()),
					"Set it with nvidia-smi -c DEFAULT.");
		}
		return null;
	}

}
