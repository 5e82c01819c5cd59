package io.ringkernel.cuda.simulated;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.ringkernel.backend.KernelSpec;
import io.ringkernel.cuda.driver.CudaContext;
import io.ringkernel.cuda.driver.CudaDeadlineException;
import io.ringkernel.cuda.driver.CudaException;
import io.ringkernel.cuda.driver.CudaFunction;
import io.ringkernel.cuda.driver.CudaGraph;
import io.ringkernel.cuda.driver.CudaModule;
import io.ringkernel.cuda.driver.CudaStatus;
import io.ringkernel.cuda.driver.CudaStream;
import io.ringkernel.cuda.driver.DevicePointer;
import io.ringkernel.cuda.driver.FunctionAttributes;
import io.ringkernel.cuda.driver.LaunchShape;
import io.ringkernel.cuda.driver.MachineCode;
import io.ringkernel.cuda.image.PtxHeader;
import io.ringkernel.ring.order.ServingOrder;
import org.jspecify.annotations.Nullable;

/**
 * A device whose kernels are Java handlers. What the real driver would hold up while a
 * kernel runs is refused here, and noted as {@linkplain #heldUp held up}.
 */
public final class SimulatedContext implements CudaContext {

	private static final CudaStatus NOT_FOUND = new CudaStatus(500, "CUDA_ERROR_NOT_FOUND");

	private static final CudaStatus ALREADY_REGISTERED = new CudaStatus(712,
			"CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED");

	private static final CudaStatus NOT_REGISTERED = new CudaStatus(713, "CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED");

	private static final CudaStatus INVALID_VALUE = new CudaStatus(1, "CUDA_ERROR_INVALID_VALUE");

	private static final CudaStatus INVALID_IMAGE = new CudaStatus(200, "CUDA_ERROR_INVALID_IMAGE");

	private static final CudaStatus INVALID_PTX = new CudaStatus(218, "CUDA_ERROR_INVALID_PTX");

	private static final CudaStatus NOT_SUPPORTED = new CudaStatus(801, "CUDA_ERROR_NOT_SUPPORTED");

	private static final CudaStatus OUT_OF_MEMORY = new CudaStatus(2, "CUDA_ERROR_OUT_OF_MEMORY");

	/**
	 * What the launch of one session left behind: handlers, and its place in the ring.
	 */
	private final Map<Long, SimulatedSession> sessions = new ConcurrentHashMap<>();

	private final Map<String, SimulatedKernel> kernels = new ConcurrentHashMap<>();

	private final Map<Long, ByteBuffer> registered = new ConcurrentHashMap<>();

	private final SimulatedMemory memory = new SimulatedMemory();

	private final ReentrantLock visit = new ReentrantLock();

	private final List<SimulatedStream> streams = new CopyOnWriteArrayList<>();

	private final List<String> heldUp = new CopyOnWriteArrayList<>();

	private final List<LaunchShape> launches = new CopyOnWriteArrayList<>();

	private final AtomicInteger graphs = new AtomicInteger();

	private FunctionAttributes attributes = new FunctionAttributes(1024, 32, 0, 0);

	private int blocksPerMultiprocessor = 2;

	private final Map<String, Integer> occupancies = new ConcurrentHashMap<>();

	private final Map<String, Duration> delays = new ConcurrentHashMap<>();

	private final AtomicInteger launchesBehindOthers = new AtomicInteger();

	private final AtomicInteger probesHeldUp = new AtomicInteger();

	private volatile Duration holdUp = Duration.ZERO;

	private final SimulatedMultiprocessors multiprocessors = new SimulatedMultiprocessors(
			SimulatedDriver.DEVICE.multiprocessors());

	private long memoryBytes = 1L << 34;

	private volatile @Nullable CudaStatus fault;

	private @Nullable RuntimeException registrationFailure;

	private boolean registersInSpite;

	private volatile boolean streamsHeld;

	private volatile @Nullable CudaStatus outOfTouch;

	private volatile @Nullable CountDownLatch hang;

	private @Nullable Runnable body;

	private volatile @Nullable CudaStatus launchFailure;

	private final AtomicBoolean muteNext = new AtomicBoolean();

	private volatile boolean mappedUnseen;

	private volatile boolean instant;

	private volatile boolean secretive;

	private final List<String> calls = new CopyOnWriteArrayList<>();

	private volatile boolean listsCalls;

	private volatile SimulatedPlatform platform = SimulatedPlatform.LINUX;

	private boolean takesCompiled;

	private boolean loadsHang;

	private final List<byte[]> loaded = new ArrayList<>();

	private volatile Runnable linking = () -> {
	};

	private final Set<MachineCode> codes = ConcurrentHashMap.newKeySet();

	private volatile @Nullable ByteBuffer lastParameter;

	private int loads;

	private boolean linksFail;

	private int linkedBeside;

	/**
	 * Makes a kernel known under its entry's name; the handler and options are those of
	 * the specification that came last.
	 */
	public <I extends Record, O extends Record> KernelSpec<I, O> install(KernelSpec<I, O> spec) {
		String entry = spec.id().replace('-', '_');
		SimulatedKernel kernel = new SimulatedKernel(spec);
		this.kernels.put(entry, kernel);
		return new KernelSpec<>(spec.id(), spec.requests(), spec.responses(), spec.handler(), kernel.image(entry),
				spec.options());
	}

	public SimulatedKernel kernel(String entry) {
		return this.kernels.get(entry);
	}

	public void attributes(FunctionAttributes attributes) {
		this.attributes = attributes;
	}

	public void blocksPerMultiprocessor(int blocks) {
		this.blocksPerMultiprocessor = blocks;
	}

	/**
	 * How many blocks of one entry fit on a multiprocessor.
	 */
	public void blocksPerMultiprocessor(String entry, int blocks) {
		this.occupancies.put(entry, blocks);
	}

	/**
	 * Has the blocks of one entry look for their places only some time after a launch.
	 */
	public void delayBlocks(String entry, Duration delay) {
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

	public void memoryBytes(long bytes) {
		this.memoryBytes = bytes;
	}

	/**
	 * Has the driver not load a module in time.
	 */
	public void hangLoads() {
		this.loadsHang = true;
	}

	/**
	 * Has the driver not compile what it loads all the same.
	 */
	public void failLinks() {
		this.linksFail = true;
	}

	/**
	 * Has this run while an image is compiled.
	 */
	public void whileLinking(Runnable linking) {
		this.linking = linking;
	}

	/**
	 * How much machine code was made and neither loaded nor given back.
	 */
	public int codes() {
		return this.codes.size();
	}

	/**
	 * How many images were compiled while a kernel ran.
	 */
	public int linkedBeside() {
		return this.linkedBeside;
	}

	/**
	 * Has launches fail, or no longer if {@code null}.
	 */
	public void failLaunches(@Nullable CudaStatus failure) {
		this.launchFailure = failure;
	}

	/**
	 * Has the next kernel that is launched do nothing but obey the command to stop.
	 */
	public void muteNextLaunch() {
		this.muteNext.set(true);
	}

	/**
	 * Has workers not tell that they have ended.
	 */
	public void keepEndsSecret() {
		this.secretive = true;
	}

	/**
	 * Has kernels over mapped memory end without having seen any of it.
	 */
	public void hideMappedMemory() {
		this.mappedUnseen = true;
	}

	/**
	 * Has the driver take any image, and not PTX alone.
	 */
	public void takeCompiled() {
		this.takesCompiled = true;
	}

	/**
	 * The images that were loaded, in their order.
	 */
	public List<byte[]> loaded() {
		return this.loaded;
	}

	/**
	 * Has launches return when their kernel has ended: for kernels that end by
	 * themselves.
	 */
	public void endKernelsWithinTheirLaunch() {
		this.instant = true;
	}

	/**
	 * Begins a list of the calls that are made, in their order; a visit to the thread of
	 * the context that makes several calls comes before these.
	 */
	public void listCalls() {
		this.calls.clear();
		this.listsCalls = true;
	}

	public List<String> calls() {
		return List.copyOf(this.calls);
	}

	public void platform(SimulatedPlatform platform) {
		this.platform = platform;
	}

	/**
	 * Has registrations fail.
	 * @param inSpite whether the memory is registered all the same
	 */
	public void failRegistrations(@Nullable RuntimeException failure, boolean inSpite) {
		this.registrationFailure = failure;
		this.registersInSpite = inSpite;
	}

	/**
	 * Has every launch of a kernel that is not told to stop run this, and end before the
	 * launch returns.
	 */
	public void runWithinLaunches(Runnable body) {
		this.body = body;
	}

	/**
	 * Has streams report that they are not done.
	 */
	public void holdStreams(boolean held) {
		this.streamsHeld = held;
	}

	/**
	 * Breaks the device: kernels end, and every call reports it.
	 */
	public void fault(CudaStatus status) {
		this.fault = status;
	}

	/**
	 * Has every call report an error, while kernels run on.
	 */
	public void loseTouch(CudaStatus status) {
		this.outOfTouch = status;
	}

	/**
	 * Has no call return before the latch is released.
	 */
	public void hang(CountDownLatch release) {
		this.hang = release;
	}

	/**
	 * Breaks the device once all kernels have ended.
	 */
	public void faultAfterTheEnd(CudaStatus status) {
		holdStreams(true);
		this.sessions.values().forEach(SimulatedSession::end);
		this.streams.forEach(SimulatedStream::await);
		fault(status);
		holdStreams(false);
	}

	public List<String> heldUp() {
		return new ArrayList<>(this.heldUp);
	}

	/**
	 * How many kernels were launched on a stream before all in front of them had ended.
	 */
	public int launchesBehindOthers() {
		return this.launchesBehindOthers.get();
	}

	public List<LaunchShape> launches() {
		return new ArrayList<>(this.launches);
	}

	/**
	 * What the last kernel was launched with.
	 */
	public @Nullable ByteBuffer lastParameter() {
		return this.lastParameter;
	}

	public int loads() {
		return this.loads;
	}

	public int registrations() {
		return this.registered.size();
	}

	public long allocatedBytes() {
		return this.memory.allocatedBytes();
	}

	public int graphs() {
		return this.graphs.get();
	}

	public int streams() {
		return this.streams.size();
	}

	private void check(String call) {
		if (this.listsCalls) {
			this.calls.add(call);
		}
		awaitRelease();
		CudaStatus broken = (this.fault != null) ? this.fault : this.outOfTouch;
		if (broken != null) {
			throw new CudaException(call, broken);
		}
		if (!this.platform.worksBeside()) {
			this.streams.forEach(SimulatedStream::await);
		}
	}

	private boolean isBusy() {
		return this.streams.stream().anyMatch((stream) -> !stream.isDone());
	}

	private void awaitRelease() {
		CountDownLatch release = this.hang;
		if (release != null) {
			try {
				if (!release.await(60, TimeUnit.SECONDS)) {
					throw new IllegalStateException("a simulated hang was not ended");
				}
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException("nobody interrupts a simulated driver", ex);
			}
		}
	}

	private void checkIdle(String call) {
		check(call);
		if (isBusy()) {
			this.heldUp.add(call);
			throw new IllegalStateException(call + " would be held up by a running kernel");
		}
	}

	@Override
	public CudaModule load(byte[] image) {
		checkIdle("cuModuleLoadData");
		if (this.loadsHang) {
			throw new CudaDeadlineException("cuModuleLoadData", Duration.ofSeconds(60));
		}
		if (!this.takesCompiled && PtxHeader.of(image).isEmpty()) {
			throw new CudaException("cuModuleLoadData", INVALID_IMAGE);
		}
		this.loaded.add(image);
		if (!SimulatedProbe.isImage(image)) {
			this.loads++;
		}
		return new Module();
	}

	@Override
	public MachineCode link(List<byte[]> texts) {
		check("cuLinkComplete");
		this.linking.run();
		if (!this.takesCompiled && texts.size() > 1) {
			throw new CudaException("cuLinkAddData", INVALID_IMAGE);
		}
		if (this.linksFail) {
			throw new CudaException("cuLinkAddData", INVALID_PTX);
		}
		if (isBusy()) {
			this.linkedBeside++;
		}
		Code code = new Code(texts);
		this.codes.add(code);
		return code;
	}

	@Override
	public void discard(MachineCode code) {
		check("cuLinkDestroy");
		this.codes.remove(code);
	}

	@Override
	public CudaModule load(MachineCode code) {
		try {
			return load(((Code) code).texts().get(0));
		}
		finally {
			this.codes.remove(code);
		}
	}

	@Override
	public void attach() {
		check("cuCtxSetCurrent");
	}

	@Override
	public void unload(CudaModule module) {
		checkIdle("cuModuleUnload");
		this.loads--;
	}

	@Override
	public CudaFunction function(CudaModule module, String name) {
		check("cuModuleGetFunction");
		if (!this.kernels.containsKey(name) && !name.equals(SimulatedProbe.ENTRY)) {
			throw new CudaException("cuModuleGetFunction", NOT_FOUND);
		}
		return new Function(name);
	}

	@Override
	public byte[] global(CudaModule module, String name) {
		check("cuModuleGetGlobal");
		int suffix = name.lastIndexOf('_');
		SimulatedKernel kernel = this.kernels.get(name.substring(0, suffix));
		byte[] value = (kernel != null) ? (name.endsWith("_info") ? kernel.info() : kernel.layouts()) : null;
		if (value == null) {
			throw new CudaException("cuModuleGetGlobal", NOT_FOUND);
		}
		return value;
	}

	@Override
	public FunctionAttributes attributes(CudaFunction function) {
		check("cuFuncGetAttribute");
		return this.attributes;
	}

	@Override
	public void allowSharedMemory(CudaFunction function, int bytes) {
		check("cuFuncSetAttribute");
	}

	@Override
	public int blocksPerMultiprocessor(CudaFunction function, int threads, int sharedBytes) {
		check("cuOccupancyMaxActiveBlocksPerMultiprocessor");
		return this.occupancies.getOrDefault(((Function) function).name(), this.blocksPerMultiprocessor);
	}

	/** Whoever makes the calls takes the place of the context's thread meanwhile. */
	@Override
	public <T> T perform(String what, Supplier<T> calls) {
		if (this.listsCalls) {
			this.calls.add(what);
		}
		this.visit.lock();
		try {
			return calls.get();
		}
		finally {
			this.visit.unlock();
		}
	}

	@Override
	public boolean post(String what, Runnable calls) {
		this.visit.lock();
		try {
			calls.run();
		}
		finally {
			this.visit.unlock();
		}
		return true;
	}

	@Override
	public boolean isAwaited() {
		return false;
	}

	/** Whoever makes the calls waits for them. */
	@Override
	public void requirePatience(Duration patience) {
	}

	/** Whoever makes the calls waits for them. */
	@Override
	public void releaseLateResults(Consumer<Runnable> later) {
	}

	@Override
	public void pin(ByteBuffer memory) {
		register(memory);
	}

	@Override
	public DevicePointer register(ByteBuffer memory) {
		checkIdle("cuMemHostRegister");
		if (!this.platform.registers()) {
			throw new CudaException("cuMemHostRegister of %d B".formatted(memory.capacity()), INVALID_VALUE);
		}
		if (this.registered.values().stream().anyMatch((known) -> known == memory)) {
			throw new CudaException("cuMemHostRegister", ALREADY_REGISTERED);
		}
		long address = this.memory.nextAddress();
		RuntimeException failure = this.registrationFailure;
		if (failure == null || this.registersInSpite) {
			this.registered.put(address, memory);
		}
		if (failure != null) {
			throw failure;
		}
		return new DevicePointer(address);
	}

	@Override
	public void unregister(ByteBuffer memory) {
		checkIdle("cuMemHostUnregister");
		if (!this.registered.values().removeIf((registered) -> registered == memory)) {
			throw new CudaException("cuMemHostUnregister", NOT_REGISTERED);
		}
	}

	@Override
	public DevicePointer allocate(long bytes) {
		check("cuMemAlloc");
		if (allocatedBytes() + bytes > this.memoryBytes) {
			throw new CudaException("cuMemAlloc of %d B".formatted(bytes), OUT_OF_MEMORY);
		}
		return this.memory.allocate(bytes);
	}

	@Override
	public DevicePointer allocate(long bytes, CudaStream stream) {
		return allocate(bytes);
	}

	@Override
	public void free(DevicePointer memory, CudaStream stream) {
		check("cuMemFreeAsync");
		((SimulatedStream) stream).copy(() -> release(memory));
	}

	@Override
	public void free(DevicePointer memory) {
		checkIdle("cuMemFree");
		release(memory);
	}

	/** A session ends with the memory that it is known by. */
	private void release(DevicePointer freed) {
		SimulatedSession session = this.sessions.remove(freed.address());
		if (session != null) {
			session.close();
		}
		this.memory.free(freed);
	}

	@Override
	public void zero(DevicePointer memory, long bytes, CudaStream stream) {
		check("cuMemsetD8Async");
		((SimulatedStream) stream).copy(() -> this.memory.zero(memory));
	}

	@Override
	public void upload(DevicePointer target, ByteBuffer source, CudaStream stream) {
		check("cuMemcpyHtoDAsync");
		((SimulatedStream) stream).copy(() -> this.memory.upload(target, source));
	}

	@Override
	public void download(ByteBuffer target, DevicePointer source, CudaStream stream) {
		check("cuMemcpyDtoHAsync");
		((SimulatedStream) stream).copy(() -> this.memory.download(target, source));
	}

	@Override
	public CudaStream createStream() {
		check("cuStreamCreate");
		SimulatedStream stream = new SimulatedStream();
		this.streams.add(stream);
		return stream;
	}

	@Override
	public void destroy(CudaStream stream) {
		this.streams.remove(stream);
		check("cuStreamDestroy");
	}

	/** Where there are graphs, they are faster. */
	@Override
	public void launch(CudaFunction function, LaunchShape shape, ByteBuffer parameter, CudaStream stream) {
		if (this.platform.graphs() && ((Function) function).name().equals(SimulatedProbe.ENTRY)) {
			LockSupport.parkNanos(1_000_000);
		}
		enqueue(function, shape, parameter, stream);
	}

	private void enqueue(CudaFunction function, LaunchShape shape, ByteBuffer parameter, CudaStream stream) {
		check("cuLaunchKernel");
		if (((Function) function).name().equals(SimulatedProbe.ENTRY)) {
			launchProbe(parameter.order(ByteOrder.LITTLE_ENDIAN), (SimulatedStream) stream);
			return;
		}
		Runnable within = this.body;
		if (within != null) {
			within.run();
			tellOfEnd(parameter.order(ByteOrder.LITTLE_ENDIAN));
			return;
		}
		CudaStatus refused = this.launchFailure;
		if (refused != null) {
			throw new CudaException("cuLaunchKernel", refused);
		}
		this.launches.add(shape);
		ByteBuffer launch = parameter.order(ByteOrder.LITTLE_ENDIAN);
		this.lastParameter = launch;
		ByteBuffer region = this.registered.getOrDefault(launch.getLong(0), this.memory.at(launch.getLong(0)));
		if (region == null) {
			this.fault = new CudaStatus(700, "CUDA_ERROR_ILLEGAL_ADDRESS");
			return;
		}
		if (this.mappedUnseen && this.registered.containsKey(launch.getLong(0))) {
			return;
		}
		SimulatedKernel kernel = this.kernels.get(((Function) function).name());
		SimulatedSession session = this.sessions.compute(launch.getLong(8), (address, before) -> {
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
		if (this.muteNext.compareAndSet(true, false)) {
			((SimulatedStream) stream).launch(session.muteKernel());
			return;
		}
		Runnable running = session.kernel(() -> this.fault != null, () -> !this.secretive, launch.getLong(64),
				launch.getLong(40));
		if (this.instant) {
			((SimulatedStream) stream).copy(running);
			return;
		}
		int occupancy = this.occupancies.getOrDefault(((Function) function).name(), this.blocksPerMultiprocessor);
		int workersPerBlock = launch.getInt(52);
		Duration delay = this.delays.getOrDefault(((Function) function).name(), Duration.ZERO);
		if (!((SimulatedStream) stream).isDone()) {
			this.launchesBehindOthers.incrementAndGet();
		}
		((SimulatedStream) stream).launch(() -> {
			pause(delay);
			this.multiprocessors.run(shape.blocks(), occupancy, running,
					(resident) -> session.runPart(resident * workersPerBlock, () -> this.fault != null),
					() -> this.fault != null);
		});
	}

	private static void pause(Duration delay) {
		long begin = System.nanoTime();
		while (System.nanoTime() - begin < delay.toNanos()) {
			LockSupport.parkNanos(delay.toNanos());
		}
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

	/**
	 * Has the workers tell that they have ended, over memory that they reach themselves.
	 */
	private void tellOfEnd(ByteBuffer launch) {
		ByteBuffer mapped = this.registered.get(launch.getLong(0));
		if (mapped != null) {
			SimulatedSession.tellOfEnd(mapped, launch.getInt(48));
		}
	}

	private void launchProbe(ByteBuffer launch, SimulatedStream stream) {
		ByteBuffer mapped = this.registered.get(launch.getLong(0));
		ByteBuffer conversation = (mapped != null) ? mapped : this.memory.at(launch.getLong(0));
		Runnable kernel = SimulatedProbe.kernel(conversation, launch.getLong(8),
				(mapped != null) ? this.platform.hears() : this.platform.worksBeside());
		Duration delay = this.delays.getOrDefault(SimulatedProbe.ENTRY, Duration.ZERO);
		stream.launch(() -> {
			pause(delay);
			kernel.run();
		});
		if (this.probesHeldUp.getAndUpdate((left) -> Math.max(0, left - 1)) > 0) {
			pause(this.holdUp);
		}
	}

	@Override
	public CudaGraph prepare(CudaFunction function, LaunchShape shape, ByteBuffer parameter) {
		check("cuGraphInstantiate");
		if (!this.platform.graphs()) {
			throw new CudaException("cuGraphInstantiate", NOT_SUPPORTED);
		}
		this.graphs.incrementAndGet();
		return new Graph(function, shape, parameter);
	}

	@Override
	public void launch(CudaGraph graph, CudaStream stream) {
		Graph prepared = (Graph) graph;
		enqueue(prepared.function(), prepared.shape(), prepared.parameter(), stream);
	}

	@Override
	public void destroy(CudaGraph graph) {
		checkIdle("cuGraphExecDestroy");
		this.graphs.decrementAndGet();
	}

	@Override
	public boolean isDone(CudaStream stream) {
		boolean isDone = ((SimulatedStream) stream).isDone();
		boolean isHeld = this.streamsHeld;
		// Last: a fault is there before streams that it has ended are held no more.
		check("cuStreamQuery");
		return isDone && !isHeld;
	}

	private record Module() implements CudaModule {
	}

	private record Code(List<byte[]> texts) implements MachineCode {
	}

	private record Function(String name) implements CudaFunction {
	}

	private record Graph(CudaFunction function, LaunchShape shape, ByteBuffer parameter) implements CudaGraph {
	}

}
