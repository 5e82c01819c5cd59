package io.ringkernel.cuda;

import java.time.Duration;

import io.ringkernel.KernelState;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.conformance.TestKernels;
import io.ringkernel.conformance.TestKernels.Blob;
import io.ringkernel.conformance.TestKernels.BlobReply;
import io.ringkernel.exception.RingKernelException;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.PlanOffer;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.platform.Transport;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;

/**
 * Uses a kernel for a while on whatever platform the process is on, and prints what its
 * user sees.
 */
final class PlatformProcess {

	private static final Duration TIMEOUT = Duration.ofSeconds(2);

	private static final int NEIGHBOURS = 4;

	private PlatformProcess() {
	}

	/**
	 * Uses a kernel.
	 * @param arguments for how many milliseconds; then the mode and the transport, if
	 * they are demanded
	 */
	public static void main(String... arguments) {
		PlanRequest request = (arguments.length > 1) ? new PlanRequest(BackendKind.CUDA,
				ExecutionMode.valueOf(arguments[1]), Transport.valueOf(arguments[2]))
				: new PlanRequest(BackendKind.CUDA, null, null);
		if (new CudaBackendProvider().plan(request) instanceof PlanOffer.Refused refused) {
			System.out.println("refused: " + refused.reason() + " | " + refused.remedy());
			System.out.println("alive");
			return;
		}
		RingKernelRuntime runtime = RingKernelRuntime.open(request);
		System.out.println("plan: " + runtime.plan());
		Kernel<Blob, BlobReply> kernel = runtime.define(kernel());
		if (done("launch", kernel::launch) && done("activate", kernel::activate)) {
			use(kernel, Duration.ofMillis(Long.parseLong(arguments[0])));
			System.out.println("state: " + kernel.state() + ", " + kernel.status().lastFailure());
			done("relaunch", kernel::relaunch);
			done("neighbours", () -> welcomeNeighbours(runtime));
			use(kernel, Duration.ofMillis(1));
		}
		done("close", runtime::close);
		System.out.println("alive");
		// What the driver has not returned from does not keep the process.
		Runtime.getRuntime().halt(0);
	}

	private static KernelSpec<Blob, BlobReply> kernel() {
		TestKernels kernels = new CudaTestKernels();
		return kernels.blob(KernelOptions.builder()
			.workers(2)
			.requestTimeout(TIMEOUT)
			.stopTimeout(Duration.ofSeconds(1))
			.drainTimeout(Duration.ofMillis(100))
			.build());
	}

	/** The kernel makes way for each of them, and goes on. */
	private static void welcomeNeighbours(RingKernelRuntime runtime) {
		for (int i = 0; i < NEIGHBOURS; i++) {
			Kernel<?, ?> neighbour = runtime.define(CudaTestKernels.renamed("neighbour-" + i, kernel()));
			neighbour.launch();
			neighbour.activate();
			neighbour.terminate();
		}
	}

	private static void use(Kernel<Blob, BlobReply> kernel, Duration time) {
		long end = System.nanoTime() + time.toNanos();
		long answered = 0;
		try {
			while (System.nanoTime() < end) {
				byte[] bytes = new byte[(int) (answered * 997 % 60_000)];
				BlobReply reply = kernel.client().call(new Blob(1, answered, bytes));
				if (reply.sequence() != answered || reply.bytes().length != bytes.length) {
					throw new AssertionError("Another response than to request " + answered);
				}
				answered++;
			}
		}
		catch (RingKernelException ex) {
			System.out.println("call: " + ex.getClass().getSimpleName() + ": " + ex.getMessage());
			awaitFailure(kernel);
		}
		System.out.println((answered > 0) ? "answered: some" : "answered: none");
	}

	/** Whoever waits for an answer may be told first that the device is lost. */
	private static void awaitFailure(Kernel<?, ?> kernel) {
		long end = System.nanoTime() + TIMEOUT.toNanos();
		while (kernel.state() == KernelState.ACTIVE && System.nanoTime() < end) {
			Thread.onSpinWait();
		}
	}

	private static boolean done(String what, Runnable body) {
		try {
			body.run();
			System.out.println(what + ": done");
			return true;
		}
		catch (RingKernelException ex) {
			System.out.println(what + ": " + ex.getClass().getSimpleName() + ": " + ex.getMessage());
			return false;
		}
	}

}
