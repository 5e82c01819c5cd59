package io.ringkernel.cuda;

import io.ringkernel.backend.Backend;
import io.ringkernel.backend.BackendProvider;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.backend.PlanFailedException;
import io.ringkernel.cuda.driver.CudaDriver;
import io.ringkernel.cuda.driver.DriverLibrary;
import io.ringkernel.cuda.driver.Versions;
import io.ringkernel.cuda.host.HostOptions;
import io.ringkernel.cuda.host.KernelHostChoice;
import io.ringkernel.cuda.host.KernelHostProvider;
import io.ringkernel.cuda.image.ImageCheck;
import io.ringkernel.cuda.image.KernelImage;
import io.ringkernel.cuda.image.PtxHeader;
import io.ringkernel.cuda.load.LaunchValidation;
import io.ringkernel.cuda.probe.Findings;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionPlan;
import io.ringkernel.platform.PlanOffer;
import io.ringkernel.platform.PlanRequest;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the CUDA backend known. It looks at each device once per process, when a kernel
 * first needs it. A refusal says which of driver, device and their abilities is missing.
 *
 * @since 0.1.0
 */
public final class CudaBackendProvider implements BackendProvider {

	private static final Logger logger = LoggerFactory.getLogger(CudaBackendProvider.class);

	private final CudaPlatform platform;

	/** Creates the provider for the devices of this machine. */
	public CudaBackendProvider() {
		this(CudaPlatform.system());
	}

	/**
	 * Creates the provider for the devices of a driver.
	 * @param driver a {@linkplain CudaDriver#bounded(CudaDriver) bounded} driver
	 * @since 0.2.0
	 */
	public CudaBackendProvider(CudaDriver driver) {
		this(new CudaPlatform(driver));
	}

	CudaBackendProvider(CudaPlatform platform) {
		this.platform = platform;
	}

	/**
	 * Creates a provider that uses the devices of this machine from a process of its own.
	 * This process does not load the driver.
	 * @param options how that process is run
	 * @return the provider
	 * @since 0.2.0
	 */
	public static KernelHostProvider isolated(HostOptions options) {
		return new KernelHostProvider(new CudaBackendProvider(), CudaHostMain.class, options);
	}

	/**
	 * Creates a provider that uses the devices of this machine from a process of its own
	 * if there can be one, and from this process otherwise. There can be none where there
	 * is no driver, or where rings find no room in shared memory. The plan says which.
	 * @param options how that process is run
	 * @return the provider
	 * @since 0.2.0
	 */
	public static BackendProvider isolatedIfPossible(HostOptions options) {
		return new KernelHostChoice(isolated(options), new CudaBackendProvider(), CudaBackendProvider::obstacle);
	}

	private static @Nullable String obstacle() {
		return DriverLibrary.isInstalled() ? null : "no CUDA driver is seen on the paths of the linker";
	}

	@Override
	public BackendKind kind() {
		return BackendKind.CUDA;
	}

	@Override
	public PlanOffer plan(PlanRequest request) {
		Findings findings = this.platform.findings(request.device());
		if (findings instanceof Findings.Unusable unusable) {
			return unusable.refusal();
		}
		return new CudaPlans((Findings.Usable) findings).choose(request);
	}

	@Override
	public PlanOffer planAfter(ExecutionPlan failed, PlanFailedException why, PlanRequest request) {
		Findings findings = this.platform.findings(failed.device());
		if (findings instanceof Findings.Unusable unusable) {
			return unusable.refusal();
		}
		if (this.platform.device(failed.device()).lost() != null) {
			return new PlanOffer.Refused(why.reason() + ", and this process has lost the device",
					"Restart the application.");
		}
		return new CudaPlans((Findings.Usable) findings).after(failed, why.reason(), request);
	}

	@Override
	public boolean compilesHandlers() {
		return true;
	}

	@Override
	public void checkImage(KernelSpec<?, ?> kernel) {
		KernelImage image = KernelImage.of(kernel);
		if (this.platform.known(Math.max(0, kernel.options().device())) instanceof Findings.Usable found) {
			new LaunchValidation(kernel, found.device(), image).checkImage(found.driverVersion());
			return;
		}
		new ImageCheck(kernel, image).check();
		PtxHeader ptx = image.ptx();
		if (ptx != null && ptx.requiredDriver() > Versions.MINIMUM) {
			logger.info("The image '{}' of ring kernel '{}' is PTX {}: only drivers from CUDA {} on load it",
					image.location(), kernel.id(), ptx.version(), Versions.text(ptx.requiredDriver()));
		}
	}

	@Override
	public Backend open(ExecutionPlan plan) {
		return new CudaBackend(this.platform.device(plan.device()), plan);
	}

}
