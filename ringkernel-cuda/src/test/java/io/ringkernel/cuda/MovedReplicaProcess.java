package io.ringkernel.cuda;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import io.ringkernel.KernelState;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.Snapshots;
import io.ringkernel.conformance.TestKernels.Counted;
import io.ringkernel.conformance.TestKernels.Counter;
import io.ringkernel.cuda.host.HostOptions;
import io.ringkernel.cuda.host.KernelHostProvider;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.KernelPlanChange;
import io.ringkernel.runtime.OnLoss;
import io.ringkernel.runtime.Replication;
import io.ringkernel.runtime.RingKernelRuntime;
import org.awaitility.Awaitility;

/**
 * Runs a kernel with state and a replica on each of two devices, each in a kernel host of
 * its own, ends the first of these, and prints how the replica goes on.
 */
final class MovedReplicaProcess {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private MovedReplicaProcess() {
	}

	/**
	 * Ends the host of the first device.
	 * @param arguments a directory for the state
	 */
	public static void main(String... arguments) {
		KernelHostProvider provider = CudaBackendProvider.isolated(HostOptions.DEFAULTS);
		try (RingKernelRuntime runtime = RingKernelRuntime.open(new PlanRequest(BackendKind.CUDA, null, null),
				List.of(provider))) {
			runtime.addListener((event) -> {
				if (event instanceof KernelPlanChange change) {
					System.out.println(change.kernel().id() + " to device " + change.to().device());
				}
			});
			Path directory = Path.of(arguments[0]);
			Kernel<Counter, Counted> kernel = active(runtime, directory);
			Kernel<Counter, Counted> moving = kernel.replicas().get(0);
			Kernel<Counter, Counted> other = kernel.replicas().get(1);
			System.out.println("before: " + count(moving, 5) + ", " + count(other, 3));
			moving.snapshot(directory.resolve(moving.id() + ".snapshot"));
			count(moving, 2);
			ProcessHandle.of(provider.hosts().get(0).pid()).orElseThrow().destroyForcibly();
			awaitDevice(moving, 1);
			System.out.println("moved: " + count(moving, 2));
			awaitDevice(moving, 0);
			System.out.println("returned: " + count(moving, 1) + ", " + count(other, 1));
		}
		System.out.println("alive");
	}

	private static Kernel<Counter, Counted> active(RingKernelRuntime runtime, Path directory) {
		KernelOptions options = KernelOptions.builder()
			.workers(2)
			.requestTimeout(LIMIT)
			.snapshots(new Snapshots(directory, Duration.ZERO, false))
			.build();
		Kernel<Counter, Counted> kernel = runtime.define(new CudaTestKernels().counter(options),
				new Replication(2, List.of(0, 1), OnLoss.MOVE), null);
		kernel.launch();
		kernel.activate();
		return kernel;
	}

	/** That the host has ended shows when the kernel is looked at. */
	private static void awaitDevice(Kernel<Counter, Counted> replica, int device) {
		Awaitility.await()
			.atMost(LIMIT)
			.pollInterval(Duration.ofMillis(1))
			.until(() -> replica.status().state() == KernelState.ACTIVE && replica.plan().device() == device);
	}

	/** How many requests the state has seen before the last one of these. */
	private static long count(Kernel<Counter, Counted> replica, int requests) {
		long order = -1;
		for (int i = 0; i < requests; i++) {
			order = replica.client().call(new Counter(0, i)).order();
		}
		return order;
	}

}
