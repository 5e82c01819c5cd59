package io.ringkernel.cuda;

import java.time.Duration;

import io.ringkernel.KernelState;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.cuda.FaultMessages.Fault;
import io.ringkernel.exception.RingKernelException;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import org.awaitility.Awaitility;

/**
 * Breaks a kernel in a process of its own, since the device is lost to that process, and
 * prints what its user sees.
 */
final class FaultedProcess {

	private FaultedProcess() {
	}

	/**
	 * Breaks a kernel.
	 * @param arguments how, as {@link FaultMessages} numbers it
	 */
	public static void main(String... arguments) {
		int how = Integer.parseInt(arguments[0]);
		long begin = System.nanoTime();
		RingKernelRuntime runtime = RingKernelRuntime.open(new PlanRequest(BackendKind.CUDA, null, null));
		Kernel<Fault, Fault> kernel = runtime.define(FaultMessages.kernel(KernelOptions.builder()
			.workers(2)
			.requestTimeout(Duration.ofSeconds(3))
			.stopTimeout(Duration.ofSeconds(2))
			.drainTimeout(Duration.ofMillis(100))
			.build()));
		kernel.launch();
		kernel.activate();
		System.out.println("answer: " + kernel.client().call(new Fault(1, FaultMessages.NOT_AT_ALL)));
		show("call", () -> kernel.client().call(new Fault(2, how)));
		// A bad address is stored to behind the answer, so the call may come back before
		// the fault is known.
		if (how != FaultMessages.EXIT) {
			Awaitility.await().until(() -> kernel.status().state() == KernelState.FAILED);
		}
		System.out.println("state: " + kernel.state() + ", " + kernel.status().lastFailure());
		show("call again", () -> kernel.client().call(new Fault(3, FaultMessages.NOT_AT_ALL)));
		show("relaunch", kernel::relaunch);
		show("close", runtime::close);
		System.out.println("seconds: " + Duration.ofNanos(System.nanoTime() - begin).toSeconds());
		System.out.println("alive");
	}

	private static void show(String what, Runnable body) {
		try {
			body.run();
			System.out.println(what + ": done");
		}
		catch (RingKernelException ex) {
			System.out.println(what + ": " + ex.getClass().getSimpleName() + ": " + ex.getMessage());
		}
	}

}
