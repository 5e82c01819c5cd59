package io.ringkernel.runtime;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

import io.ringkernel.backend.Backend;
import io.ringkernel.backend.BackendProvider;
import io.ringkernel.backend.DeviceLoop;
import io.ringkernel.backend.DeviceLostException;
import io.ringkernel.backend.ForwardingBackend;
import io.ringkernel.backend.ForwardingLoop;
import io.ringkernel.backend.KernelRegion;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.backend.PlanFailedException;
import io.ringkernel.backend.RingMemory;
import io.ringkernel.cpu.CpuBackend;
import io.ringkernel.message.buffer.MessageBuffer;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.ExecutionPlan;
import io.ringkernel.platform.PlanOffer;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.platform.Transport;
import org.jspecify.annotations.Nullable;

/**
 * Java threads that pass for a platform, which throws where a test wants it to. It
 * watches that a loop starts only where no other one serves the same ring.
 */
final class WatchedThreads implements BackendProvider {

	private final BackendKind kind;

	private final Faults faults;

	private final List<WatchedLoop> loops;

	private final List<String> problems;

	private final AtomicInteger openMemories;

	private volatile boolean lost;

	private WatchedThreads(BackendKind kind, Faults faults, List<WatchedLoop> loops, List<String> problems,
			AtomicInteger openMemories) {
		this.kind = kind;
		this.faults = faults;
		this.loops = loops;
		this.problems = problems;
		this.openMemories = openMemories;
	}

	static WatchedThreads device(Faults faults) {
		return new WatchedThreads(BackendKind.CUDA, faults, new CopyOnWriteArrayList<>(), new CopyOnWriteArrayList<>(),
				new AtomicInteger());
	}

	/**
	 * What stands in for this device.
	 */
	WatchedThreads cpu() {
		return new WatchedThreads(BackendKind.CPU, this.faults, this.loops, this.problems, this.openMemories);
	}

	List<String> problems() {
		return this.problems;
	}

	/** How many memories of rings were not given back. */
	int openMemories() {
		return this.openMemories.get();
	}

	/**
	 * Ends the loops of this device after the requests that they have begun: its plan has
	 * failed.
	 */
	void failPlan() throws InterruptedException {
		end((kernelId) -> new PlanFailedException(kernelId, "a test has ended it", null));
	}

	/**
	 * The same, and no loop can be had until the device is given back.
	 */
	void lose() throws InterruptedException {
		this.lost = true;
		end(WatchedThreads::loss);
	}

	void giveBack() {
		this.lost = false;
	}

	private static DeviceLostException loss(String kernelId) {
		return new DeviceLostException(kernelId, "it is gone", "It returns.");
	}

	private void end(Function<String, PlanFailedException> why) throws InterruptedException {
		for (WatchedLoop loop : this.loops) {
			if (loop.kind == this.kind && loop.failure == null) {
				loop.end(why.apply(loop.kernelId));
			}
		}
	}

	@Override
	public BackendKind kind() {
		return this.kind;
	}

	@Override
	public PlanOffer plan(PlanRequest request) {
		return offer(ExecutionMode.PERSISTENT);
	}

	@Override
	public PlanOffer planAfter(ExecutionPlan failed, PlanFailedException why, PlanRequest request) {
		return (why instanceof DeviceLostException || failed.mode() == ExecutionMode.EVENT_DRIVEN)
				? new PlanOffer.Refused(why.reason(), "Go on without.") : offer(ExecutionMode.EVENT_DRIVEN);
	}

	private PlanOffer offer(ExecutionMode mode) {
		return new PlanOffer.Accepted(
				new ExecutionPlan(this.kind, mode, (this.kind == BackendKind.CPU) ? Transport.DIRECT : Transport.MAPPED,
						List.of("it is played"), Map.of()));
	}

	@Override
	public boolean compilesHandlers() {
		return this.kind == BackendKind.CUDA;
	}

	@Override
	public Backend open(ExecutionPlan plan) {
		return this.faults.on(Backend.class, new WatchedBackend(this, new CpuBackend(plan.mode())));
	}

	private static final class WatchedBackend extends ForwardingBackend {

		private final WatchedThreads owner;

		WatchedBackend(WatchedThreads owner, Backend threads) {
			super(threads);
			this.owner = owner;
		}

		@Override
		public RingMemory allocate(KernelSpec<?, ?> kernel, int bytes) {
			RingMemory memory = super.allocate(kernel, bytes);
			this.owner.openMemories.incrementAndGet();
			return this.owner.faults.on(RingMemory.class, new WatchedMemory(this.owner, memory));
		}

		@Override
		public <I extends Record, O extends Record> DeviceLoop load(KernelSpec<I, O> kernel, KernelRegion region) {
			if (this.owner.lost) {
				throw loss(kernel.id());
			}
			WatchedLoop loop = new WatchedLoop(this.owner, kernel.id(), super.load(kernel, region), region.memory());
			this.owner.loops.add(loop);
			return this.owner.faults.on(DeviceLoop.class, loop);
		}

		@Override
		public void prepare(KernelSpec<?, ?> kernel, RingMemory memory) {
			if (this.owner.lost) {
				throw loss(kernel.id());
			}
		}

		@Override
		public boolean isRecoverable() {
			return this.owner.kind == BackendKind.CUDA;
		}

		@Override
		public boolean recover(String kernelId) {
			return !this.owner.lost;
		}

	}

	private record WatchedMemory(WatchedThreads owner, RingMemory memory) implements RingMemory {

		@Override
		public MessageBuffer buffer() {
			return this.memory.buffer();
		}

		@Override
		public void close() {
			this.owner.openMemories.decrementAndGet();
			this.memory.close();
		}

	}

	private static final class WatchedLoop extends ForwardingLoop {

		private final WatchedThreads owner;

		private final BackendKind kind;

		private final String kernelId;

		private final RingMemory memory;

		private volatile boolean serving;

		private volatile boolean closed;

		private volatile @Nullable PlanFailedException failure;

		WatchedLoop(WatchedThreads owner, String kernelId, DeviceLoop threads, RingMemory memory) {
			super(threads);
			this.owner = owner;
			this.kind = owner.kind;
			this.kernelId = kernelId;
			this.memory = memory;
		}

		private void end(PlanFailedException why) throws InterruptedException {
			if (!stop(Duration.ofSeconds(10))) {
				this.owner.problems.add("a loop does not end");
			}
			this.failure = why;
		}

		@Override
		public void start() {
			if (this.failure != null) {
				throw this.failure;
			}
			for (WatchedLoop other : this.owner.loops) {
				if (other != this && other.isServing() && other.memory.equals(this.memory)) {
					this.owner.problems.add("two loops serve one ring");
				}
			}
			this.serving = true;
			super.start();
		}

		@Override
		public void doorbell() {
			if (this.serving) {
				super.doorbell();
			}
		}

		@Override
		public void nudge() {
			if (this.serving) {
				super.nudge();
			}
		}

		@Override
		public boolean stop(Duration timeout) throws InterruptedException {
			boolean stopped = super.stop(timeout);
			this.serving &= !stopped;
			return stopped;
		}

		@Override
		public @Nullable Throwable failure() {
			PlanFailedException ended = this.failure;
			return (ended != null) ? ended : super.failure();
		}

		/** A loop that is closed serves until the last of its threads has ended. */
		private boolean isServing() {
			return this.serving && !(this.closed && activeWorkers() == 0);
		}

		@Override
		public void close() {
			super.close();
			this.closed = true;
		}

	}

}
