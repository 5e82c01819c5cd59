package io.ringkernel.cuda;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

import io.ringkernel.KernelState;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.conformance.TestKernels.Slow;
import io.ringkernel.cuda.FaultMessages.Fault;
import io.ringkernel.exception.RingKernelException;
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

	/** Longer than a caller waits before it has the driver asked how the kernel is. */
	private static final long SLOW_MICROS = 1_500_000;

	/** How long a kernel may take to end what it has begun, on a machine under load. */
	private static final Duration ENDING = Duration.ofSeconds(20);

	/** The same of the one that faults, and ends nothing. */
	private static final Duration FAULTING = Duration.ofSeconds(2);

	private SeveralDevicesProcess() {
	}

	/**
	 * Breaks a kernel on the second device.
	 * @param arguments how, as {@link FaultMessages} numbers it
	 */
	public static void main(String... arguments) throws InterruptedException {
		RingKernelRuntime runtime = RingKernelRuntime.open(new PlanRequest(BackendKind.CUDA, null, null));
		Kernel<Fault, Fault> sound = active(runtime, faults("sound", 0));
		Kernel<Fault, Fault> faulting = active(runtime, faults("faulting", 1));
		System.out.println("before, sound: " + answered(sound) + ", faulting: " + answered(faulting));
		System.out.println("devices: " + sound.plan().device() + ", " + faulting.plan().device());
		long launches = launchesOf(sound);
		Kernel<Slow, Slow> slow = active(runtime, new CudaTestKernels().slow(options(0)));
		Slow lasting = new Slow(0, 1, SLOW_MICROS);
		CompletableFuture<Slow> answer = slow.client().submit(lasting);
		try {
			faulting.client().call(new Fault(0, Integer.parseInt(arguments[0])));
		}
		catch (RingKernelException ex) {
			System.out.println("fault: " + ex.getClass().getSimpleName());
		}
		Awaitility.await().until(() -> faulting.status().state() == KernelState.FAILED);
		System.out.println("after, sound: " + answered(sound) + ", launches: " + (launchesOf(sound) - launches) + ", "
				+ sound.state());
		System.out.println("begun before the fault: " + answer(answer, lasting));
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

	private static KernelSpec<Fault, Fault> faults(String id, int device) {
		return CudaTestKernels.renamed(id, FaultMessages.kernel(options(device)));
	}

	private static KernelOptions options(int device) {
		return KernelOptions.builder()
			.workers(2)
			.device(device)
			.requestTimeout(Duration.ofSeconds(3))
			.stopTimeout((device == 0) ? ENDING : FAULTING)
			.drainTimeout(Duration.ofMillis(100))
			.build();
	}

	private static <M extends Record> Kernel<M, M> active(RingKernelRuntime runtime, KernelSpec<M, M> spec) {
		Kernel<M, M> kernel = runtime.define(spec);
		kernel.launch();
		kernel.activate();
		return kernel;
	}

	private static String answer(CompletableFuture<Slow> answer, Slow expected) throws InterruptedException {
		try {
			return answer.get().equals(expected) ? "answered" : "answered otherwise";
		}
		catch (ExecutionException ex) {
			return String.valueOf(ex.getCause());
		}
	}

	private static int answered(Kernel<Fault, Fault> kernel) {
		int answered = 0;
		try {
			for (int i = 1; i <= CALLS; i++) {
				Fault request = new Fault(i, FaultMessages.NOT_AT_ALL);
				answered += kernel.client().call(request).equals(request) ? 1 : 0;
			}
		}
		catch (RingKernelException ex) {
			System.out.println("not answered: " + ex.getMessage());
		}
		return answered;
	}

	/** An event-driven kernel, as on a machine under load, is launched for requests. */
	private static long launchesOf(Kernel<Fault, Fault> kernel) {
		return (kernel.plan().mode() == ExecutionMode.PERSISTENT) ? kernel.status().loopLaunches() : 0;
	}

}
