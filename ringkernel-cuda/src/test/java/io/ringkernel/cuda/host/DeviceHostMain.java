package io.ringkernel.cuda.host;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

import io.ringkernel.RingKernelHandler;
import io.ringkernel.backend.Backend;
import io.ringkernel.backend.BackendProvider;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.cpu.CpuBackend;
import io.ringkernel.cuda.host.server.HostServer;
import io.ringkernel.cuda.host.wire.Plans;
import io.ringkernel.message.MessageLayout;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.ExecutionPlan;
import io.ringkernel.platform.PlanOffer;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.platform.Transport;

/**
 * A kernel host that passes for one of a device, whose kernels are Java threads: what
 * ends it is a message.
 */
public final class DeviceHostMain {

	/** Ends the host as a driver does that calls {@code abort}. */
	static final long HALT = -1;

	/** Ends the host as a JVM does that has met a segmentation fault. */
	static final long CRASH = -3;

	/** Takes all memory of the host's heap. */
	static final long EXHAUST = -4;

	/** Keeps a worker for ever. */
	static final long HANG = -2;

	/** Keeps a worker for longer than it takes to ask its kernel to stop. */
	static final long SLOW = -5;

	/** What stands for all kernels in the host. */
	static final Function<String, RingKernelHandler<Record, Record>> HANDLERS = (
			id) -> (request) -> handle((Number) request);

	private static final long SLOW_NANOS = TimeUnit.SECONDS.toNanos(1);

	/** Any: it reaches the host, and nobody runs it. */
	private static final String IMAGE = "classpath:io/ringkernel/cuda/kernels/worker.ptx";

	private DeviceHostMain() {
	}

	public record Number(long value) {
	}

	/**
	 * The kernel, with the handler that the CPU of the application goes on with.
	 */
	static KernelSpec<Number, Number> kernel(String id, KernelOptions options) {
		return new KernelSpec<>(id, MessageLayout.of(Number.class), MessageLayout.of(Number.class),
				DeviceHostMain::twice, IMAGE, options);
	}

	static Number twice(Number request) {
		return new Number(2 * request.value());
	}

	private static Number handle(Number request) {
		if (request.value() == HALT) {
			Runtime.getRuntime().halt(134);
		}
		if (request.value() == CRASH) {
			Runtime.getRuntime().halt(1);
		}
		List<long[]> taken = new ArrayList<>();
		while (request.value() == EXHAUST) {
			taken.add(new long[1 << 20]);
		}
		while (request.value() == HANG) {
			Thread.onSpinWait();
		}
		long begin = System.nanoTime();
		while (request.value() == SLOW && System.nanoTime() - begin < SLOW_NANOS) {
			LockSupport.parkNanos(SLOW_NANOS);
		}
		return twice(request);
	}

	public static void main(String[] arguments) {
		HostServer.run(arguments, new Device(), HANDLERS);
	}

	/**
	 * Plans for a device, and runs Java threads.
	 */
	public static final class Device implements BackendProvider {

		@Override
		public BackendKind kind() {
			return BackendKind.CUDA;
		}

		@Override
		public PlanOffer plan(PlanRequest request) {
			return new PlanOffer.Accepted(new ExecutionPlan(BackendKind.CUDA, ExecutionMode.EVENT_DRIVEN,
					Transport.MAPPED, request.device(), false, List.of("a test plays a device"), Map.of()));
		}

		@Override
		public Backend open(ExecutionPlan plan) {
			return new CpuBackend(plan.mode());
		}

	}

}
