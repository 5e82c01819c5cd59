package io.ringkernel.test.fault;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;

import io.ringkernel.KernelState;
import io.ringkernel.RingKernelClient;
import io.ringkernel.backend.BackendProvider;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionPlan;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import org.awaitility.Awaitility;

/**
 * Faults that a test injects into ring kernels, to see what the application makes of
 * them. They last until the {@link #reset()}, which also brings back what they broke.
 *
 * <pre>{@code
 * faults.delay("vector-add", Duration.ofMillis(300));      // slow, or too slow
 * faults.script("vector-add", Fault.failure(IllegalStateException::new), Fault.none());
 * faults.loseDevice("vector-add");                         // until the reset
 * }</pre>
 *
 * The id of a kernel that has replicas stands for all that it has at the time, and that
 * of a replica, such as {@code vector-add.0}, for this one alone.
 * <p>
 * With Spring, {@code @AutoConfigureRingKernelFaults} makes it a bean and resets it after
 * each test. Without, its {@link #providers()} are what a runtime is opened with.
 * <p>
 * Safe for use by several threads, except that a reset expects that nobody injects or
 * sends meanwhile.
 *
 * @since 0.1.0
 */
public final class RingKernelFaults implements AutoCloseable {

	private static final Duration RESET_TIMEOUT = Duration.ofSeconds(30);

	private final Supplier<RingKernelRuntime> runtime;

	private final Map<String, KernelFaults> faults = new ConcurrentHashMap<>();

	/** The kernels, or replicas, that have had a fault since the last reset. */
	private final Set<String> touched = ConcurrentHashMap.newKeySet();

	/**
	 * Creates a set of faults, of which there are none at first.
	 * @param runtime the runtime that was opened with the {@link #providers()}, once it
	 * is there
	 */
	public RingKernelFaults(Supplier<RingKernelRuntime> runtime) {
		this.runtime = runtime;
	}

	/**
	 * The backends that these faults are injected into: Java threads in any case, for a
	 * configuration that leaves the backend open or names the CPU as well as for one that
	 * demands a device.
	 * @return the backends to open a runtime with, instead of those of the platform
	 */
	public List<BackendProvider> providers() {
		return List.of(new FaultInjectingProvider(BackendKind.CUDA, this::of),
				new FaultInjectingProvider(BackendKind.CPU, this::of));
	}

	/**
	 * Whether a plan is one of a backend that faults are injected into.
	 * @param plan the plan
	 * @return whether Java threads run it for a test's sake, whatever backend it names
	 */
	public static boolean areInjectedInto(ExecutionPlan plan) {
		return plan.platform().containsKey(FaultInjectingProvider.MARK);
	}

	private KernelFaults of(String kernelId) {
		return this.faults.computeIfAbsent(kernelId, (id) -> new KernelFaults());
	}

	/**
	 * The faults of each replica of a kernel: a backend loads them under the id of the
	 * replica, which is that of the kernel if it has no others.
	 */
	private List<FaultSet> touch(String kernelId) {
		return kernel(kernelId).replicas().stream().map(Kernel::id).map((id) -> {
			this.touched.add(id);
			return of(id).current();
		}).toList();
	}

	private void always(String kernelId, Fault fault) {
		touch(kernelId).forEach((faultSet) -> faultSet.always(fault));
	}

	private Kernel<?, ?> kernel(String kernelId) {
		return this.runtime.get()
			.kernel(kernelId)
			.orElseThrow(() -> new IllegalArgumentException("There is no ring kernel '%s'. There are: %s."
				.formatted(kernelId, this.runtime.get().kernels().stream().map(Kernel::id).toList())));
	}

	/**
	 * Holds up every request before it is handled.
	 * @param kernelId the kernel
	 * @param delay for how long; up to 10 minutes
	 * @throws IllegalArgumentException if there is no such kernel, or the delay is out of
	 * range
	 */
	public void delay(String kernelId, Duration delay) {
		always(kernelId, Fault.delay(delay));
	}

	/**
	 * Leaves every request unanswered, so that callers run into their timeout. Each takes
	 * a worker, as long as there are any, and its slot, so that the ring fills up.
	 * @param kernelId the kernel
	 * @throws IllegalArgumentException if there is no such kernel
	 */
	public void drop(String kernelId) {
		always(kernelId, Fault.drop());
	}

	/**
	 * Has the handler fail on every request.
	 * @param kernelId the kernel
	 * @param cause makes what it throws; the cause of what the caller is thrown
	 * @throws IllegalArgumentException if there is no such kernel
	 */
	public void fail(String kernelId, Supplier<? extends Exception> cause) {
		always(kernelId, Fault.failure(cause));
	}

	/**
	 * Has the next requests meet a fault each, in the order in which they are taken,
	 * whichever replica takes them. Those after them meet what holds for every request.
	 * @param kernelId the kernel
	 * @param script the faults; they follow those that are left of an earlier script
	 * @throws IllegalArgumentException if there is no such kernel
	 */
	public void script(String kernelId, Fault... script) {
		Queue<Fault> shared = new ConcurrentLinkedQueue<>(List.of(script));
		touch(kernelId).forEach((faultSet) -> faultSet.then(shared));
	}

	/**
	 * Loses the device under one kernel: its waiting callers fail, the kernel is FAILED
	 * and cannot be launched again.
	 * @param kernelId the kernel
	 * @throws IllegalArgumentException if there is no such kernel
	 */
	public void loseDevice(String kernelId) {
		touch(kernelId)
			.forEach((faultSet) -> faultSet.lose(new InjectedFaultException("The device was lost, as a test asked.")));
		// Looks at each loop, as health does from time to time.
		kernel(kernelId).status();
	}

	/** Loses the device under all kernels. */
	public void loseDevice() {
		this.runtime.get().kernels().forEach((kernel) -> loseDevice(kernel.id()));
	}

	/**
	 * Has the kernel hang: it answers nothing and obeys nobody, neither a command to stop
	 * nor an interrupt.
	 * @param kernelId the kernel
	 * @throws IllegalArgumentException if there is no such kernel
	 */
	public void stick(String kernelId) {
		touch(kernelId).forEach(FaultSet::stick);
	}

	/**
	 * Fills the ring, or that of each replica, with requests that are not answered, so
	 * that whatever is sent next finds no slot. The handler sees none of them.
	 * @param kernelId the kernel; ACTIVE
	 * @param filler what to send: any valid request
	 * @throws IllegalArgumentException if there is no such kernel, or it takes other
	 * requests
	 * @throws io.ringkernel.exception.RingKernelException if the kernel does not take
	 * requests
	 */
	public void fillRing(String kernelId, Record filler) {
		Kernel<?, ?> kernel = kernel(kernelId);
		Class<? extends Record> type = kernel.spec().requests().type();
		if (!type.isInstance(filler)) {
			throw new IllegalArgumentException("Ring kernel '%s' takes no %s. Fill it with a %s.".formatted(kernelId,
					filler.getClass().getName(), type.getName()));
		}
		drop(kernelId);
		kernel.replicas().forEach((replica) -> fillRing(replica, filler));
	}

	private void fillRing(Kernel<?, ?> replica, Record filler) {
		@SuppressWarnings("unchecked")
		RingKernelClient<Record, Record> client = (RingKernelClient<Record, Record>) replica.client();
		Optional<CompletableFuture<Record>> sent = client.trySubmit(filler, FaultSet.LONGEST);
		while (sent.isPresent()) {
			of(replica.id()).filledWith(sent.get());
			sent = client.trySubmit(filler, FaultSet.LONGEST);
		}
	}

	/**
	 * Ends all faults. What they held is let go and fails; kernels that failed for them
	 * are launched anew.
	 * @throws org.awaitility.core.ConditionTimeoutException if a kernel is still busy
	 * with what was sent to it before
	 * @throws io.ringkernel.exception.RingKernelException if a kernel cannot be launched
	 */
	public void reset() {
		for (String id : Set.copyOf(this.touched)) {
			// What is left in the ring was sent to be dropped, not to be handled now.
			of(id).replaceBy(Fault.failure(() -> new InjectedFaultException("The faults were reset meanwhile.")));
			// A replica may be gone by now.
			this.runtime.get().kernel(id).ifPresent(RingKernelFaults::bringBack);
			of(id).replaceBy(Fault.none());
			this.touched.remove(id);
		}
	}

	private static void bringBack(Kernel<?, ?> kernel) {
		if (kernel.state() == KernelState.FAILED) {
			kernel.relaunch();
		}
		else if (kernel.state() == KernelState.ACTIVE) {
			awaitIdle(kernel);
		}
	}

	private static void awaitIdle(Kernel<?, ?> kernel) {
		Awaitility.await("ring kernel '%s' has let go of all requests".formatted(kernel.id()))
			.atMost(RESET_TIMEOUT)
			.pollInSameThread()
			.until(() -> kernel.status().inFlight() == 0 || kernel.state() != KernelState.ACTIVE);
	}

	/** Ends all faults, but brings nothing back: for when the kernels end, too. */
	@Override
	public void close() {
		this.faults.values().forEach((kernelFaults) -> kernelFaults.replaceBy(Fault.none()));
	}

}
