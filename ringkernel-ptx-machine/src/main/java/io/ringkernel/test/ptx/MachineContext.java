package io.ringkernel.test.ptx;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.ringkernel.cuda.driver.CudaContext;
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
import io.ringkernel.test.ptx.code.ProgramDecoder;
import io.ringkernel.test.ptx.machine.Clock;
import io.ringkernel.test.ptx.machine.Grid;
import io.ringkernel.test.ptx.machine.Launch;
import io.ringkernel.test.ptx.machine.Memory;
import io.ringkernel.test.ptx.machine.Program;
import io.ringkernel.test.ptx.machine.PtxFault;
import io.ringkernel.test.ptx.text.PtxSyntaxException;
import io.ringkernel.test.ptx.text.PtxText;
import org.jspecify.annotations.Nullable;

/** The device: its memory, modules and streams. No call waits for a kernel. */
final class MachineContext implements CudaContext, AutoCloseable {

	static final int MULTIPROCESSORS = 8;

	private static final int BLOCKS_PER_MULTIPROCESSOR = 2;

	private static final int MAX_THREADS = 1024;

	private static final int REGISTERS = 32;

	private static final CudaStatus INVALID_IMAGE = new CudaStatus(200, "CUDA_ERROR_INVALID_IMAGE");

	private static final CudaStatus INVALID_PTX = new CudaStatus(218, "CUDA_ERROR_INVALID_PTX");

	private static final CudaStatus NOT_FOUND = new CudaStatus(500, "CUDA_ERROR_NOT_FOUND");

	private static final CudaStatus ALREADY_REGISTERED = new CudaStatus(712,
			"CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED");

	private static final CudaStatus NOT_REGISTERED = new CudaStatus(713, "CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED");

	private final Memory memory = new Memory();

	private final IdentityHashMap<ByteBuffer, Long> registered = new IdentityHashMap<>();

	private final Consumer<PtxFault> faults;

	private final Clock clock;

	private final boolean amongWarps;

	private volatile @Nullable CudaStatus lost;

	private volatile boolean closed;

	/**
	 * @param amongWarps whether the threads of a block all work together
	 */
	MachineContext(Consumer<PtxFault> faults, Clock clock, boolean amongWarps) {
		this.faults = faults;
		this.clock = clock;
		this.amongWarps = amongWarps;
	}

	private void check(String call) {
		CudaStatus status = this.lost;
		if (status != null) {
			throw new CudaException(call, status);
		}
	}

	@Override
	public CudaModule load(byte[] image) {
		check("cuModuleLoadData");
		String text = new String(image, StandardCharsets.ISO_8859_1);
		if (!text.contains(".version")) {
			throw new CudaException("cuModuleLoadData", INVALID_IMAGE);
		}
		try {
			return new Module(ProgramDecoder.load(PtxText.parse(text), this.memory));
		}
		catch (PtxSyntaxException ex) {
			throw new CudaException("cuModuleLoadData", INVALID_PTX, String.valueOf(ex.getMessage()));
		}
	}

	@Override
	public MachineCode link(List<byte[]> texts) {
		check("cuLinkComplete");
		if (texts.size() != 1) {
			throw new CudaException("cuLinkAddData of %d texts".formatted(texts.size()), INVALID_PTX);
		}
		return new Code(texts.get(0));
	}

	@Override
	public void discard(MachineCode code) {
		check("cuLinkDestroy");
	}

	@Override
	public CudaModule load(MachineCode code) {
		return load(((Code) code).text());
	}

	@Override
	public void attach() {
		check("cuCtxSetCurrent");
	}

	@Override
	public void unload(CudaModule module) {
		check("cuModuleUnload");
		((Module) module).program().globals().values().forEach((global) -> this.memory.remove(global.address()));
	}

	@Override
	public CudaFunction function(CudaModule module, String name) {
		check("cuModuleGetFunction");
		Program program = ((Module) module).program();
		if (!program.entries().containsKey(name)) {
			throw new CudaException("cuModuleGetFunction of " + name, NOT_FOUND);
		}
		return new Function(program, name);
	}

	@Override
	public byte[] global(CudaModule module, String name) {
		check("cuModuleGetGlobal");
		Program.Global global = ((Module) module).program().globals().get(name);
		if (global == null) {
			throw new CudaException("cuModuleGetGlobal of " + name, NOT_FOUND);
		}
		byte[] bytes = new byte[Math.toIntExact(global.bytes())];
		this.memory.slice(global.address(), bytes.length).get(bytes);
		return bytes;
	}

	@Override
	public FunctionAttributes attributes(CudaFunction function) {
		check("cuFuncGetAttribute");
		Program program = ((Function) function).program();
		return new FunctionAttributes(MAX_THREADS, REGISTERS, program.staticSharedBytes(), program.localBytes());
	}

	@Override
	public void allowSharedMemory(CudaFunction function, int bytes) {
		check("cuFuncSetAttribute");
	}

	@Override
	public int blocksPerMultiprocessor(CudaFunction function, int threads, int sharedBytes) {
		check("cuOccupancyMaxActiveBlocksPerMultiprocessor");
		return BLOCKS_PER_MULTIPROCESSOR;
	}

	@Override
	public <T> T perform(String what, Supplier<T> calls) {
		return calls.get();
	}

	@Override
	public boolean post(String what, Runnable calls) {
		calls.run();
		return true;
	}

	@Override
	public void requirePatience(Duration patience) {
		// Nothing here takes its time.
	}

	@Override
	public void releaseLateResults(Consumer<Runnable> later) {
		// Nothing here is late.
	}

	@Override
	public boolean isAwaited() {
		return false;
	}

	@Override
	public void pin(ByteBuffer memory) {
		register(memory);
	}

	@Override
	public synchronized DevicePointer register(ByteBuffer memory) {
		check("cuMemHostRegister");
		if (this.registered.containsKey(memory)) {
			throw new CudaException("cuMemHostRegister", ALREADY_REGISTERED);
		}
		long address = this.memory.add("host memory", memory);
		this.registered.put(memory, address);
		return new DevicePointer(address);
	}

	@Override
	public synchronized void unregister(ByteBuffer memory) {
		check("cuMemHostUnregister");
		Long address = this.registered.remove(memory);
		if (address == null) {
			throw new CudaException("cuMemHostUnregister", NOT_REGISTERED);
		}
		this.memory.remove(address);
	}

	@Override
	public DevicePointer allocate(long bytes) {
		check("cuMemAlloc");
		return new DevicePointer(this.memory.allocate("device memory", Math.toIntExact(bytes)));
	}

	@Override
	public DevicePointer allocate(long bytes, CudaStream stream) {
		return allocate(bytes);
	}

	@Override
	public void free(DevicePointer memory, CudaStream stream) {
		check("cuMemFreeAsync");
		((MachineStream) stream).copy(() -> this.memory.remove(memory.address()));
	}

	@Override
	public void free(DevicePointer memory) {
		check("cuMemFree");
		this.memory.remove(memory.address());
	}

	@Override
	public void zero(DevicePointer memory, long bytes, CudaStream stream) {
		check("cuMemsetD8Async");
		((MachineStream) stream).copy(() -> Copies.zero(this.memory.slice(memory.address(), bytes)));
	}

	@Override
	public void upload(DevicePointer target, ByteBuffer source, CudaStream stream) {
		check("cuMemcpyHtoDAsync");
		ByteBuffer bytes = source.slice();
		((MachineStream) stream).copy(() -> Copies.copy(bytes, this.memory.slice(target.address(), bytes.capacity())));
	}

	@Override
	public void download(ByteBuffer target, DevicePointer source, CudaStream stream) {
		check("cuMemcpyDtoHAsync");
		ByteBuffer bytes = target.slice();
		((MachineStream) stream).copy(() -> Copies.copy(this.memory.slice(source.address(), bytes.capacity()), bytes));
	}

	@Override
	public CudaStream createStream() {
		check("cuStreamCreate");
		return new MachineStream();
	}

	@Override
	public void destroy(CudaStream stream) {
		check("cuStreamDestroy");
	}

	@Override
	public void launch(CudaFunction function, LaunchShape shape, ByteBuffer parameter, CudaStream stream) {
		check("cuLaunchKernel");
		ByteBuffer copy = ByteBuffer.allocateDirect(parameter.remaining()).put(parameter.duplicate());
		((MachineStream) stream).launch(() -> run((Function) function, shape, copy));
	}

	private void run(Function function, LaunchShape shape, ByteBuffer parameter) {
		if (isStopped()) {
			return;
		}
		long parameters = this.memory.add("the parameter of " + function.name(), parameter);
		try {
			Launch launch = new Launch(shape.blocks(), shape.threads(), shape.sharedBytes(), parameters);
			new Grid(function.program(), function.name(), launch, this.memory, this.clock)
				.watch(this.faults, this.amongWarps)
				.run(Long.MAX_VALUE, this::isStopped);
		}
		catch (PtxFault ex) {
			this.faults.accept(ex);
			this.lost = status(ex.kind());
		}
		finally {
			this.memory.remove(parameters);
		}
	}

	private boolean isStopped() {
		return this.closed || this.lost != null;
	}

	private static CudaStatus status(PtxFault.Kind kind) {
		return switch (kind) {
			case OUT_OF_BOUNDS -> new CudaStatus(700, "CUDA_ERROR_ILLEGAL_ADDRESS");
			case MISALIGNED -> new CudaStatus(716, "CUDA_ERROR_MISALIGNED_ADDRESS");
			case TRAP -> new CudaStatus(715, "CUDA_ERROR_ILLEGAL_INSTRUCTION");
			case DEADLOCK, STEP_BUDGET, UNSPECIFIED, RACE -> new CudaStatus(719, "CUDA_ERROR_LAUNCH_FAILED");
		};
	}

	@Override
	public CudaGraph prepare(CudaFunction function, LaunchShape shape, ByteBuffer parameter) {
		check("cuGraphInstantiate");
		return new Graph(function, shape,
				ByteBuffer.allocateDirect(parameter.remaining()).put(parameter.duplicate()).flip());
	}

	@Override
	public void launch(CudaGraph graph, CudaStream stream) {
		Graph prepared = (Graph) graph;
		launch(prepared.function(), prepared.shape(), prepared.parameter(), stream);
	}

	@Override
	public void destroy(CudaGraph graph) {
		check("cuGraphExecDestroy");
	}

	@Override
	public boolean isDone(CudaStream stream) {
		boolean isDone = ((MachineStream) stream).isDone();
		// Last: a fault is known before the stream that it ends is done.
		check("cuStreamQuery");
		return isDone;
	}

	@Override
	public void close() {
		this.closed = true;
	}

	private record Module(Program program) implements CudaModule {
	}

	private record Code(byte[] text) implements MachineCode {
	}

	private record Function(Program program, String name) implements CudaFunction {
	}

	private record Graph(CudaFunction function, LaunchShape shape, ByteBuffer parameter) implements CudaGraph {
	}

}
