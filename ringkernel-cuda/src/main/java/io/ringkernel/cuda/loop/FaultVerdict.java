package io.ringkernel.cuda.loop;

import io.ringkernel.backend.DeviceLostException;
import io.ringkernel.backend.PlanFailedException;
import io.ringkernel.cuda.driver.CudaDeadlineException;
import io.ringkernel.cuda.driver.CudaException;

/**
 * What a failure means for the kernel that met it.
 *
 * @param kind what cannot go on
 * @param ended whether it proves that nothing of the kernel runs any more
 * @param failure what the loop of the kernel reports
 */
record FaultVerdict(Kind kind, boolean ended, Throwable failure) {

	/** What cannot go on. */
	enum Kind {

		/** No kernel of this process, on this device. */
		DEVICE_LOST,

		/** This kernel, as it is run now; another plan may do. */
		PLAN_FAILED,

		/** This kernel, on any plan. */
		KERNEL_FAILED

	}

	/**
	 * Judges what the driver, or the code around it, has thrown.
	 * @param hintAtDelay what is to be said of a driver that has not returned in time:
	 * nothing, or a clause
	 */
	static FaultVerdict of(String kernelId, Throwable cause, String hintAtDelay) {
		if (cause instanceof CudaException fault) {
			return ofStatus(kernelId, fault);
		}
		if (cause instanceof CudaDeadlineException late) {
			return planFailed(kernelId,
					"the driver did not return from %s in time%s".formatted(late.call(), hintAtDelay), late);
		}
		return new FaultVerdict(Kind.KERNEL_FAILED, false, cause);
	}

	private static FaultVerdict ofStatus(String kernelId, CudaException fault) {
		if (!fault.status().isFatal()) {
			return planFailed(kernelId, reason(fault), fault);
		}
		boolean ended = fault.status().endsKernels();
		return new FaultVerdict(Kind.DEVICE_LOST, ended, ended ? lost(kernelId, fault) : fault);
	}

	private static DeviceLostException lost(String kernelId, CudaException fault) {
		String reason = reason(fault);
		return new DeviceLostException(kernelId,
				fault.status().isTimeLimit() ? "the driver ended the kernel for the time it took: " + reason : reason,
				fault);
	}

	private static String reason(CudaException fault) {
		return "%s failed with %s".formatted(fault.attempted(), fault.status().name());
	}

	private static FaultVerdict planFailed(String kernelId, String reason, Throwable cause) {
		return new FaultVerdict(Kind.PLAN_FAILED, false, new PlanFailedException(kernelId, reason, cause));
	}

	boolean isDeviceLost() {
		return this.kind == Kind.DEVICE_LOST;
	}

}
