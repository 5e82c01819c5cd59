package io.ringkernel.cuda;

import java.time.Duration;
import java.util.List;

import io.ringkernel.RingKernelClient;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.cuda.FaultMessages.Fault;
import io.ringkernel.cuda.host.HostOptions;
import io.ringkernel.cuda.host.KernelHostProvider;
import io.ringkernel.exception.RingKernelException;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.ExecutionPlan;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.Replication;
import io.ringkernel.runtime.RingKernelRuntime;
import org.awaitility.Awaitility;

/**
 * Runs a kernel with a replica on each of two devices, each in a kernel host of its own,
 * breaks the one on the first, and prints what its users see.
 */
final class ReplicasProcess {

	private static final int CALLS = 200;

	private static final Duration RETURN = Duration.ofSeconds(30);

	private ReplicasProcess() {
	}

	/**
	 * Breaks the replica on the first device.
	 * @param arguments how, as {@link FaultMessages} numbers it
	 */
	public static void main(String... arguments) {
		KernelHostProvider provider = CudaBackendProvider.isolated(HostOptions.DEFAULTS);
		try (RingKernelRuntime runtime = RingKernelRuntime.open(PlanRequest.AUTO,
				List.of(provider, new CpuBackendProvider()))) {
			Kernel<Fault, Fault> kernel = active(runtime);
			System.out.println("routed: " + answered(kernel.client()) + " " + served(kernel));
			System.out
				.println("broadcast: " + kernel.client().broadcast(new Fault(1, FaultMessages.NOT_AT_ALL)).size());
			kernel.resize(4);
			System.out.println("resized: " + answered(kernel.client()) + " " + served(kernel));
			kernel.resize(2);
			Kernel<Fault, Fault> faulting = kernel.replicas().get(0);
			Kernel<Fault, Fault> sound = kernel.replicas().get(1);
			long launches = launchesOf(sound);
			try {
				faulting.client().call(new Fault(0, Integer.parseInt(arguments[0])));
			}
			catch (RingKernelException ex) {
				System.out.println("fault: " + ex.getClass().getSimpleName());
			}
			// It may be answered before it breaks its kernel.
			Awaitility.await().atMost(RETURN).until(() -> provider.hosts().get(0).crashes() == 1);
			System.out.println("sound: " + answered(sound.client()) + ", routed: " + answered(kernel.client()));
			Awaitility.await().atMost(RETURN).until(() -> faulting.plan().backend() == BackendKind.CUDA);
			System.out.println("back: " + answered(faulting.client()) + " " + served(kernel));
			System.out.println("launches of the sound one: " + (launchesOf(sound) - launches));
		}
		System.out.println("alive");
	}

	private static Kernel<Fault, Fault> active(RingKernelRuntime runtime) {
		Kernel<Fault, Fault> kernel = runtime.define(
				FaultMessages.kernel(KernelOptions.builder().workers(2).requestTimeout(Duration.ofSeconds(20)).build()),
				new Replication(2, List.of(0, 1)), null);
		kernel.launch();
		kernel.activate();
		return kernel;
	}

	private static int answered(RingKernelClient<Fault, Fault> client) {
		int answered = 0;
		for (int i = 1; i <= CALLS; i++) {
			Fault request = new Fault(i, FaultMessages.NOT_AT_ALL);
			answered += client.call(request).equals(request) ? 1 : 0;
		}
		return answered;
	}

	private static List<String> served(Kernel<Fault, Fault> kernel) {
		return kernel.replicas().stream().map(ReplicasProcess::ofReplica).toList();
	}

	private static String ofReplica(Kernel<Fault, Fault> replica) {
		ExecutionPlan plan = replica.plan();
		return plan.backend() + " " + plan.device() + ": " + ((replica.status().processed() > 0) ? "some" : "none");
	}

	/** An event-driven kernel, as on a machine under load, is launched for requests. */
	private static long launchesOf(Kernel<Fault, Fault> kernel) {
		return (kernel.plan().mode() == ExecutionMode.PERSISTENT) ? kernel.status().loopLaunches() : 0;
	}

}
