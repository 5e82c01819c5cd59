package io.ringkernel.cuda.host.server;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

import io.ringkernel.RingKernelHandler;
import io.ringkernel.backend.Backend;
import io.ringkernel.backend.BackendProvider;
import io.ringkernel.backend.DeviceLoop;
import io.ringkernel.backend.DeviceLostException;
import io.ringkernel.backend.DeviceMemory;
import io.ringkernel.backend.KernelRegion;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.backend.PlanFailedException;
import io.ringkernel.backend.RingMemory;
import io.ringkernel.backend.SlotNotes;
import io.ringkernel.control.ControlBlock;
import io.ringkernel.cuda.host.wire.FrameReader;
import io.ringkernel.cuda.host.wire.FrameWriter;
import io.ringkernel.cuda.host.wire.HostOperation;
import io.ringkernel.cuda.host.wire.HostedKernel;
import io.ringkernel.cuda.host.wire.LoopStatus;
import io.ringkernel.cuda.host.wire.MalformedFrameException;
import io.ringkernel.cuda.host.wire.Plans;
import io.ringkernel.cuda.host.wire.RingFile;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionMode;
import io.ringkernel.platform.ExecutionPlan;
import io.ringkernel.platform.Transport;
import io.ringkernel.ring.HostRing;
import io.ringkernel.ring.RingLayout;
import io.ringkernel.ring.RingMirror;
import io.ringkernel.ring.order.ServingOrder;
import org.jspecify.annotations.Nullable;

/**
 * What the host has opened for the application, by number, and the operations on it. Any
 * number of threads; operations on the same loop come one after another.
 */
final class HostedBackends {

	/**
	 * More than an application has, so that one gone wrong ends before the machine does.
	 */
	private static final int MAX_OPEN = 10_000;

	private final BackendProvider provider;

	private final Function<String, RingKernelHandler<Record, Record>> handlers;

	private final int mostOpen;

	private final AtomicInteger numbers = new AtomicInteger();

	private final Map<Integer, Opened> backends = new ConcurrentHashMap<>();

	private final Map<Integer, RingMemory> memories = new ConcurrentHashMap<>();

	private final Map<Integer, DeviceMemory> allocated = new ConcurrentHashMap<>();

	private final Map<Integer, HostedLoop> loops = new ConcurrentHashMap<>();

	private final HostedLoops looking = new HostedLoops();

	HostedBackends(BackendProvider provider, Function<String, RingKernelHandler<Record, Record>> handlers) {
		this(provider, handlers, MAX_OPEN);
	}

	/** Creates it with another limit on what may be open at once. */
	HostedBackends(BackendProvider provider, Function<String, RingKernelHandler<Record, Record>> handlers,
			int mostOpen) {
		this.provider = provider;
		this.handlers = handlers;
		this.mostOpen = mostOpen;
	}

	/** Does what a call asks for, and returns the body of the answer. */
	FrameWriter perform(HostOperation operation, FrameReader in) throws Exception {
		FrameWriter out = new FrameWriter();
		switch (operation) {
			case PLAN -> Plans.write(out, this.provider.plan(Plans.readRequest(in)));
			case PLAN_AFTER ->
				Plans.write(out, this.provider.planAfter(Plans.readPlan(in), failure(in), Plans.readRequest(in)));
			case OPEN -> out.writeInt(open(Plans.readPlan(in)));
			case CLOSE_BACKEND -> close(this.backends, in.readInt());
			case MAP -> out.writeInt(map(opened(in), Path.of(in.readString()), in.readInt()));
			case UNMAP -> close(this.memories, in.readInt());
			case PREPARE -> prepare(opened(in), required(this.memories, in.readInt()), HostedKernel.read(in));
			case LOAD -> load(opened(in), required(this.memories, in.readInt()), HostedKernel.read(in),
					this.loops.get(in.readInt()), order(in), out);
			case START -> loop(in).start();
			case STOP -> out.writeBoolean(stop(loop(in), in.readDuration()));
			case CLOSE -> out.writeInt(closeLoop(in.readInt(), in.readBoolean()));
			case ALLOCATE -> allocate(opened(in), in.readString(), in.readLong(), out);
			case FREE -> close(this.allocated, in.readInt());
			case DOWNLOAD -> download(required(this.allocated, in.readInt()), in, out);
			case UPLOAD -> upload(required(this.allocated, in.readInt()), in);
			case STATE -> loop(in).state(HostedState::describe, out);
			case READ_STATE -> loop(in).state((state, to) -> state.read(in, to), out);
			case WRITE_STATE -> loop(in).state((state, to) -> state.write(in), out);
		}
		in.end();
		return out;
	}

	/**
	 * Stops a loop. One that ends with its device has stopped as well, and has not
	 * answered what it had begun; throws a {@code DeviceLostException} then, as it is not
	 * known what that was.
	 */
	private boolean stop(HostedLoop loop, Duration timeout) throws InterruptedException {
		boolean stopped = loop.stop(timeout);
		if (loop.loop().failure() instanceof DeviceLostException ex) {
			throw ex;
		}
		String lost = lost();
		if (lost != null) {
			throw new DeviceLostException(loop.kernelId(), lost, (Throwable) null);
		}
		return stopped;
	}

	private static PlanFailedException failure(FrameReader in) throws MalformedFrameException {
		return new PlanFailedException("?", in.readString(), null);
	}

	void writeStatus(FrameWriter out) {
		out.writeOptional(lost());
		Map<Integer, HostedLoop> all = Map.copyOf(this.loops);
		out.writeInt(all.size());
		all.forEach((number, hosted) -> LoopStatus.write(out, number, hosted.loop()));
	}

	/** Why nothing can run on a device of this process any more. */
	private @Nullable String lost() {
		return this.backends.values()
			.stream()
			.map((opened) -> opened.backend().failure())
			.filter(Objects::nonNull)
			.map((failure) -> String.valueOf(failure.getMessage()))
			.findAny()
			.orElse(null);
	}

	/** It comes before what it numbers: what is refused must not stay open. */
	private int nextNumber() {
		if (this.backends.size() + this.memories.size() + this.allocated.size() + this.loops.size() >= this.mostOpen) {
			throw new IllegalStateException(
					"%d backends, memories, loops and pieces of device memory are open".formatted(this.mostOpen));
		}
		return this.numbers.incrementAndGet();
	}

	int lastNumber() {
		return this.numbers.get();
	}

	private int open(ExecutionPlan plan) {
		int number = nextNumber();
		this.backends.put(number, new Opened(this.provider.open(plan), plan));
		return number;
	}

	private static void close(Map<Integer, ? extends AutoCloseable> open, int number) throws Exception {
		AutoCloseable closed = open.remove(number);
		if (closed != null) {
			closed.close();
		}
	}

	private int map(Opened opened, Path file, int bytes) throws IOException {
		int number = nextNumber();
		RingMemory shared = RingFile.map(file, bytes);
		this.memories.put(number, opened.backend().adopt(shared));
		return number;
	}

	private void allocate(Opened opened, String kernelId, long bytes, FrameWriter out) throws MalformedFrameException {
		if (bytes <= 0) {
			throw new MalformedFrameException("memory of %d B".formatted(bytes));
		}
		int number = nextNumber();
		DeviceMemory memory = opened.backend().allocateOnDevice(kernelId, bytes).orElse(null);
		if (memory != null) {
			this.allocated.put(number, memory);
		}
		out.writeInt((memory != null) ? number : 0).writeLong((memory != null) ? memory.address() : 0);
	}

	private static void download(DeviceMemory memory, FrameReader in, FrameWriter out) throws MalformedFrameException {
		Piece.read(in, out, memory.bytes(), memory::download);
	}

	private static void upload(DeviceMemory memory, FrameReader in) throws MalformedFrameException {
		Piece.write(in, memory.bytes(), memory::upload);
	}

	private void prepare(Opened opened, RingMemory memory, HostedKernel hosted) {
		opened.backend().prepare(hosted.spec(this.handlers.apply(hosted.id())), memory);
	}

	private static RingLayout ring(HostedKernel hosted, KernelSpec<?, ?> kernel, RingMemory memory)
			throws MalformedFrameException {
		RingLayout ring = hosted.ring(kernel);
		if (ring.endOffset() > memory.buffer().capacity()) {
			throw new MalformedFrameException(
					"a ring of %d B lies in %d B".formatted(ring.endOffset(), memory.buffer().capacity()));
		}
		return ring;
	}

	private void load(Opened opened, RingMemory memory, HostedKernel hosted, @Nullable HostedLoop before,
			ServingOrder order, FrameWriter out) throws MalformedFrameException {
		int number = nextNumber();
		RingKernelHandler<Record, Record> handler = this.handlers.apply(hosted.id());
		KernelSpec<Record, Record> kernel = hosted.spec(handler);
		RingMirror mirror;
		KernelRegion region;
		if (before != null) {
			mirror = before.mirror();
			region = before.region().after(before.loop());
		}
		else {
			RingLayout ring = ring(hosted, kernel, memory);
			ControlBlock control = new ControlBlock(memory.buffer(), kernel.options().workers());
			mirror = new RingMirror(memory.buffer(), ring, order.head(), order.unanswered());
			HostRing half = mirror.ring();
			region = new KernelRegion(memory, control, ring, half, SlotNotes.silent(ring.slots()), null);
		}
		DeviceLoop loop = opened.backend().load(kernel, region);
		HostedLoop running = new HostedLoop(kernel, loop, region, mirror, opened.polls());
		this.loops.put(number, running);
		this.looking.add(running);
		out.writeInt(number)
			.writeLong(loop.clockHertz())
			.writeInt(region.control().workers())
			.writeInt(Math.min(loop.workersPerGroup(), region.control().workers()))
			.writeValues(loop.launchParameters());
	}

	private static ServingOrder order(FrameReader in) throws MalformedFrameException {
		long head = in.readLong();
		long[] unanswered = in.readLongs();
		long next = 0;
		for (long position : unanswered) {
			if (position < next || position >= head) {
				throw new MalformedFrameException(
						"position %d does not lie between %d and %d".formatted(position, next, head));
			}
			next = position + 1;
		}
		return ServingOrder.of(head, unanswered);
	}

	private int closeLoop(int number, boolean handedOver) {
		HostedLoop hosted = this.loops.get(number);
		if (hosted == null) {
			return 0;
		}
		if (handedOver) {
			// Otherwise this process's view would stop the loop that has taken over.
			hosted.region().control().retire();
		}
		hosted.close();
		int active = hosted.loop().activeWorkers();
		if (active == 0) {
			this.loops.remove(number);
		}
		return active;
	}

	private Opened opened(FrameReader in) throws MalformedFrameException {
		return required(this.backends, in.readInt());
	}

	private HostedLoop loop(FrameReader in) throws MalformedFrameException {
		return required(this.loops, in.readInt());
	}

	private static <T> T required(Map<Integer, T> known, int number) throws MalformedFrameException {
		T found = known.get(number);
		if (found == null) {
			throw new MalformedFrameException("nothing has the number " + number);
		}
		return found;
	}

	private record Opened(Backend backend, ExecutionPlan plan) implements AutoCloseable {

		@Override
		public void close() {
			this.backend.close();
		}

		/** Whether its loops look for requests all the time. */
		boolean polls() {
			return this.plan.backend() == BackendKind.CUDA && this.plan.mode() == ExecutionMode.PERSISTENT
					&& this.plan.transport() != Transport.BRIDGED;
		}

	}

}
