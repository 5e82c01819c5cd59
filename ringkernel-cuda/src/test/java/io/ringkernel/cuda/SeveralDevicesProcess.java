package io.ringkernel.cuda;

import java.time.Duration;

import io.ringkernel.KernelState;
import io.ringkernel.RingKernelException;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.cuda.FaultMessages.Fault;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import org.awaitility.Awaitility;

/**
 * Runs a kernel on each of two devices, breaks the one on the second in a process of its
 * own, and prints what users of both see.
 */
final class SeveralDevicesProcess {

	private static final int CALLS = 200;

	private SeveralDevicesProcess() {
	}

	/**
	 * Breaks a kernel on the second device.
	 * @param arguments how, as {@link FaultMessages} numbers it
	 */
	public static void main(String... arguments) {
		RingKernelRuntime runtime = RingKernelRuntime.open(new PlanRequest(BackendKind.CUDA, null, null));
		Kernel<Fault, Fault> sound = active(runtime, "sound", 0);
		Kernel<Fault, Fault> faulting = active(runtime, "faulting", 1);
		System.out.println("before, sound: " + answered(sound) + ", faulting: " + answered(faulting));
		System.out.println("devices: " + sound.plan().device() + ", " + faulting.plan().device());
		long launches = launchesOf(sound);
		try {
			faulting.client().call(new Fault(0, Integer.parseInt(arguments[0])));
		}
		catch (RingKernelException ex) {
			System.out.println("fault: " + ex.getClass().getSimpleName());
		}
		Awaitility.await().until(() -> faulting.status().state() == KernelState.FAILED);
		System.out.println("after, sound: " + answered(sound) + ", launches: " + (launchesOf(sound) - launches) + ", "
				+ sound.state());
		runtime.devices()
			.forEach((device) -> System.out
				.println("device " + device.plan().device() + ": " + ((device.failure() != null) ? "lost" : "sound")));
		try {
			sound.relaunch();
			System.out.println("relaunched, sound: " + answered(sound));
		}
		catch (RingKernelException ex) {
			System.out.println("relaunch failed: " + ex.getMessage());
		}
		runtime.close();
		System.out.println("alive");
		// What the driver has not returned from does not keep the process.
		Runtime.getRuntime().halt(0);
	}

	private static Kernel<Fault, Fault> active(RingKernelRuntime runtime, String id, int device) {
		Kernel<Fault, Fault> kernel = runtime.define(CudaTestKernels.renamed(id,
				FaultMessages.kernel(KernelOptions.builder()
					.workers(2)
					.device(device)
					.requestTimeout(Duration.ofSeconds(3))
					.stopTimeout(Duration.ofSeconds(2))
					.drainTimeout(Duration.ofMillis(100))
					.build())));
		kernel.launch();
		kernel.activate();
		return kernel;
	}

	private static int answered(Kernel<Fault, Fault> kernel) {
		int answered = 0;
		for (int i = 1; i <= CALLS; i++) {
			Fault request = new Fault(i, FaultMessages.NOT_AT_ALL);
			answered += kernel.client().call(request).equals(request) ? 1 : 0;
		}
		return answered;
	}

	/** An event-driven kernel, as on a machine under load, is launched for requests. */
	private static long launchesOf(Kernel<Fault, Fault> kernel) {
		return (kernel.plan().mode() == ExecutionMode.PERSISTENT) ? kernel.status().loopLaunches() : 0;
	}

}
