package io.ringkernel.cuda.simulated;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import io.ringkernel.cuda.driver.CudaStatus;
import io.ringkernel.cuda.driver.DevicePointer;
import io.ringkernel.cuda.driver.LaunchShape;
import io.ringkernel.ring.order.ServingOrder;
import org.jspecify.annotations.Nullable;

/**
 * What the kernels of a simulated device do, and what the launches of each session leave
 * behind: handlers, and its place in the ring.
 */
public final class SimulatedLaunches {

	private final Map<Long, SimulatedSession> sessions = new ConcurrentHashMap<>();

	private final SimulatedMultiprocessors multiprocessors = new SimulatedMultiprocessors(
			SimulatedDriver.DEVICE.multiprocessors());

	private final SimulatedContext context;

	private final SimulatedMemory memory;

	private final List<LaunchShape> shapes = new CopyOnWriteArrayList<>();

	private final AtomicInteger behindOthers = new AtomicInteger();

	private final Map<String, Integer> occupancies = new ConcurrentHashMap<>();

	private final Map<String, Duration> delays = new ConcurrentHashMap<>();

	private final AtomicInteger probesHeldUp = new AtomicInteger();

	private final AtomicBoolean muteNext = new AtomicBoolean();

	private volatile Duration holdUp = Duration.ZERO;

	private volatile int blocksPerMultiprocessor = 2;

	private volatile boolean instant;

	private volatile boolean secretive;

	private volatile @Nullable Runnable body;

	private volatile @Nullable ByteBuffer lastParameter;

	SimulatedLaunches(SimulatedContext context, SimulatedMemory memory) {
		this.context = context;
		this.memory = memory;
	}

	public void blocksPerMultiprocessor(int blocks) {
		this.blocksPerMultiprocessor = blocks;
	}

	/** How many blocks of one entry fit on a multiprocessor. */
	public void blocksPerMultiprocessor(String entry, int blocks) {
		this.occupancies.put(entry, blocks);
	}

	int occupancy(String entry) {
		return this.occupancies.getOrDefault(entry, this.blocksPerMultiprocessor);
	}

	/**
	 * Has the blocks of one entry look for their places only some time after a launch.
	 */
	public void delay(String entry, Duration delay) {
		this.delays.put(entry, delay);
	}

	/**
	 * Holds up the thread that launches a probe, behind the launch, as a machine does
	 * that has other things to do.
	 * @param launches how many of them
	 */
	public void holdUpProbes(int launches, Duration time) {
		this.holdUp = time;
		this.probesHeldUp.set(launches);
	}

	/** Has the next kernel do nothing but obey the command to stop. */
	public void muteNext() {
		this.muteNext.set(true);
	}

	/** Has workers not tell that they have ended. */
	public void keepEndsSecret() {
		this.secretive = true;
	}

	/**
	 * Has launches return when their kernel has ended: for kernels that end by
	 * themselves.
	 */
	public void endWithin() {
		this.instant = true;
	}

	/**
	 * Has every launch of a kernel that is not told to stop run this, and end before the
	 * launch returns.
	 */
	public void runWithin(Runnable body) {
		this.body = body;
	}

	public List<LaunchShape> shapes() {
		return List.copyOf(this.shapes);
	}

	/**
	 * How many kernels were launched on a stream before all in front of them had ended.
	 */
	public int behindOthers() {
		return this.behindOthers.get();
	}

	/** What the last kernel was launched with. */
	public @Nullable ByteBuffer lastParameter() {
		return this.lastParameter;
	}

	/** Ends all kernels after the requests at hand. */
	void end() {
		this.sessions.values().forEach(SimulatedSession::end);
	}

	/** A session ends with the memory that it is known by. */
	void release(DevicePointer freed) {
		SimulatedSession session = this.sessions.remove(freed.address());
		if (session != null) {
			session.close();
		}
		this.memory.free(freed);
	}

	void launch(String entry, SimulatedKernel kernel, LaunchShape shape, ByteBuffer launch, SimulatedStream stream) {
		ByteBuffer mapped = this.memory.registered(launch.getLong(0));
		Runnable within = this.body;
		if (within != null) {
			within.run();
			if (mapped != null) {
				SimulatedSession.tellOfEnd(mapped, launch.getInt(48));
			}
			return;
		}
		this.shapes.add(shape);
		this.lastParameter = launch;
		ByteBuffer region = (mapped != null) ? mapped : this.memory.at(launch.getLong(0));
		if (region == null) {
			this.context.fault(new CudaStatus(700, "CUDA_ERROR_ILLEGAL_ADDRESS"));
			return;
		}
		SimulatedSession session = session(kernel, launch, region);
		if (this.muteNext.compareAndSet(true, false)) {
			stream.launch(session.muteKernel());
			return;
		}
		Runnable running = session.kernel(this.context::isFaulted, () -> !this.secretive, launch.getLong(64),
				launch.getLong(40));
		if (this.instant) {
			stream.copy(running);
			return;
		}
		int workersPerBlock = launch.getInt(52);
		int occupancy = occupancy(entry);
		if (!stream.isDone()) {
			this.behindOthers.incrementAndGet();
		}
		launchAfterItsDelay(entry, stream,
				() -> this.multiprocessors.run(shape.blocks(), occupancy, running,
						(resident) -> session.runPart(resident * workersPerBlock, this.context::isFaulted),
						this.context::isFaulted));
	}

	private SimulatedSession session(SimulatedKernel kernel, ByteBuffer launch, ByteBuffer region) {
		return this.sessions.compute(launch.getLong(8), (address, before) -> {
			if (before != null && before.isOver(region)) {
				return before;
			}
			SimulatedSession next = new SimulatedSession(kernel.spec(), region, launch.getInt(48), launch.getLong(40),
					order(launch), before);
			if (before != null) {
				before.close();
			}
			return next;
		});
	}

	private @Nullable ServingOrder order(ByteBuffer launch) {
		if (launch.getLong(80) == 0) {
			return null;
		}
		ByteBuffer words = ByteBuffer.allocate((launch.getInt(76) + 1) * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
		this.memory.download(words, new DevicePointer(launch.getLong(80)));
		long[] unanswered = new long[launch.getInt(76)];
		words.asLongBuffer().get(unanswered);
		return ServingOrder.of(words.getLong(unanswered.length * Long.BYTES), unanswered);
	}

	void launchProbe(ByteBuffer launch, SimulatedStream stream) {
		ByteBuffer mapped = this.memory.registered(launch.getLong(0));
		SimulatedPlatform platform = this.context.platform();
		launchAfterItsDelay(SimulatedProbe.ENTRY, stream,
				SimulatedProbe.kernel((mapped != null) ? mapped : this.memory.at(launch.getLong(0)), launch.getLong(8),
						(mapped != null) ? platform.hears() : platform.worksBeside()));
		if (this.probesHeldUp.getAndUpdate((left) -> Math.max(0, left - 1)) > 0) {
			pause(this.holdUp);
		}
	}

	private void launchAfterItsDelay(String entry, SimulatedStream stream, Runnable kernel) {
		Duration delay = this.delays.getOrDefault(entry, Duration.ZERO);
		stream.launch(() -> {
			pause(delay);
			kernel.run();
		});
	}

	private static void pause(Duration delay) {
		long begin = System.nanoTime();
		while (System.nanoTime() - begin < delay.toNanos()) {
			LockSupport.parkNanos(delay.toNanos());
		}
	}

}
