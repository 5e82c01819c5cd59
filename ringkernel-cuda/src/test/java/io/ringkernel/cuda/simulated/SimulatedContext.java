package io.ringkernel.cuda.simulated;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import io.ringkernel.backend.KernelSpec;
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
import org.jspecify.annotations.Nullable;

/**
 * A device whose kernels are Java handlers. What the real driver would hold up while a
 * kernel runs is refused here, and noted as {@linkplain #heldUp held up}.
 */
public final class SimulatedContext extends SimulatedCalls {

	private final Map<String, SimulatedKernel> kernels = new ConcurrentHashMap<>();

	private final SimulatedMemory memory = new SimulatedMemory();

	private final SimulatedLaunches launches = new SimulatedLaunches(this, this.memory);

	private final List<SimulatedStream> streams = new CopyOnWriteArrayList<>();

	private final AtomicInteger graphs = new AtomicInteger();

	private FunctionAttributes attributes = new FunctionAttributes(1024, 32, 0, 0);

	private long memoryBytes = 1L << 34;

	private volatile boolean streamsHeld;

	private boolean takesCompiled;

	private final List<byte[]> loaded = new ArrayList<>();

	private final Set<MachineCode> codes = ConcurrentHashMap.newKeySet();

	private int loads;

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

	public void memoryBytes(long bytes) {
		this.memoryBytes = bytes;
	}

	/** How much machine code was made and neither loaded nor given back. */
	public int codes() {
		return this.codes.size();
	}

	/** Has the driver take any image, and not PTX alone. */
	public void takeCompiled() {
		this.takesCompiled = true;
	}

	/** The images that were loaded, in their order. */
	public List<byte[]> loaded() {
		return this.loaded;
	}

	/**
	 * Has registrations fail.
	 * @param inSpite whether the memory is registered all the same
	 */
	public void failRegistrations(@Nullable RuntimeException failure, boolean inSpite) {
		this.memory.failRegistrations(failure, inSpite);
	}

	/** Has streams report that they are not done. */
	public void holdStreams(boolean held) {
		this.streamsHeld = held;
	}

	/** Breaks the device once all kernels have ended. */
	public void faultAfterTheEnd(CudaStatus status) {
		holdStreams(true);
		this.launches.end();
		awaitStreams();
		fault(status);
		holdStreams(false);
	}

	public int loads() {
		return this.loads;
	}

	public int registrations() {
		return this.memory.registrations();
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

	/** What its kernels do. */
	public SimulatedLaunches launches() {
		return this.launches;
	}

	@Override
	public boolean isBusy() {
		return this.streams.stream().anyMatch((stream) -> !stream.isDone());
	}

	@Override
	void awaitStreams() {
		this.streams.forEach(SimulatedStream::await);
	}

	@Override
	public CudaModule load(byte[] image) {
		checkIdle("cuModuleLoadData");
		if (!this.takesCompiled && PtxHeader.of(image).isEmpty()) {
			throw failed("cuModuleLoadData", 200, "CUDA_ERROR_INVALID_IMAGE");
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
		if (!this.takesCompiled && texts.size() > 1) {
			throw failed("cuLinkAddData", 200, "CUDA_ERROR_INVALID_IMAGE");
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
			throw failed("cuModuleGetFunction", 500, "CUDA_ERROR_NOT_FOUND");
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
			throw failed("cuModuleGetGlobal", 500, "CUDA_ERROR_NOT_FOUND");
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
		return this.launches.occupancy(((Function) function).name());
	}

	@Override
	public void pin(ByteBuffer memory) {
		register(memory);
	}

	@Override
	public DevicePointer register(ByteBuffer memory) {
		checkIdle("cuMemHostRegister");
		if (!platform().registers()) {
			throw failed("cuMemHostRegister of %d B".formatted(memory.capacity()), 1, "CUDA_ERROR_INVALID_VALUE");
		}
		return this.memory.register(memory);
	}

	@Override
	public void unregister(ByteBuffer memory) {
		checkIdle("cuMemHostUnregister");
		this.memory.unregister(memory);
	}

	@Override
	public DevicePointer allocate(long bytes) {
		check("cuMemAlloc");
		if (allocatedBytes() + bytes > this.memoryBytes) {
			throw failed("cuMemAlloc of %d B".formatted(bytes), 2, "CUDA_ERROR_OUT_OF_MEMORY");
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
		((SimulatedStream) stream).copy(() -> this.launches.release(memory));
	}

	@Override
	public void free(DevicePointer memory) {
		checkIdle("cuMemFree");
		this.launches.release(memory);
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
		if (platform().graphs() && ((Function) function).name().equals(SimulatedProbe.ENTRY)) {
			LockSupport.parkNanos(1_000_000);
		}
		enqueue(function, shape, parameter, stream);
	}

	private void enqueue(CudaFunction function, LaunchShape shape, ByteBuffer parameter, CudaStream stream) {
		check("cuLaunchKernel");
		String entry = ((Function) function).name();
		ByteBuffer launch = parameter.order(ByteOrder.LITTLE_ENDIAN);
		if (entry.equals(SimulatedProbe.ENTRY)) {
			this.launches.launchProbe(launch, (SimulatedStream) stream);
		}
		else {
			this.launches.launch(entry, this.kernels.get(entry), shape, launch, (SimulatedStream) stream);
		}
	}

	@Override
	public CudaGraph prepare(CudaFunction function, LaunchShape shape, ByteBuffer parameter) {
		check("cuGraphInstantiate");
		if (!platform().graphs()) {
			throw failed("cuGraphInstantiate", 801, "CUDA_ERROR_NOT_SUPPORTED");
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
