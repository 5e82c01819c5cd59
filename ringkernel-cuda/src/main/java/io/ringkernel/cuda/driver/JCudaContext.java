package io.ringkernel.cuda.driver;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

import jcuda.Pointer;
import jcuda.driver.CUDA_KERNEL_NODE_PARAMS;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUfunction;
import jcuda.driver.CUfunction_attribute;
import jcuda.driver.CUgraph;
import jcuda.driver.CUgraphExec;
import jcuda.driver.CUgraphNode;
import jcuda.driver.CUresult;
import jcuda.driver.CUstream;
import jcuda.driver.CUstream_flags;
import jcuda.driver.JCudaDriver;

import static io.ringkernel.cuda.driver.JCudaCall.check;

/**
 * A context through JCuda; current on the one thread that calls it.
 */
record JCudaContext(CUcontext context) implements CudaContext {

	/**
	 * The part of a multiprocessor's memory that is shared memory, in percent of the
	 * most: the same for all kernels. It changes only while the multiprocessor is idle,
	 * so blocks of kernels that differ in it are never on one multiprocessor together.
	 * With a quarter, a search of vectors by 64 callers is as fast as with what the
	 * driver chooses for it alone; with all of it, the cache is so small that it loses a
	 * quarter (H200). A block that needs more gets more.
	 */
	private static final int CARVEOUT = 25;

	/** What a block may use without asking. */
	private static final int DEFAULT_SHARED_BYTES = 48 * 1024;

	@Override
	public void attach() {
		check("cuCtxSetCurrent", () -> JCudaDriver.cuCtxSetCurrent(this.context));
	}

	@Override
	public CudaModule load(byte[] image) {
		return JCudaModules.load(image);
	}

	@Override
	public MachineCode link(List<byte[]> parts) {
		return JCudaModules.link(parts);
	}

	@Override
	public void discard(MachineCode code) {
		JCudaModules.discard(code);
	}

	@Override
	public CudaModule load(MachineCode code) {
		return JCudaModules.load(code);
	}

	@Override
	public void unload(CudaModule module) {
		check("cuModuleUnload", () -> JCudaDriver.cuModuleUnload(((JCudaModules.Module) module).handle()));
	}

	@Override
	public CudaFunction function(CudaModule module, String name) {
		CUfunction function = new CUfunction();
		check(() -> "cuModuleGetFunction of '%s'".formatted(name),
				() -> JCudaDriver.cuModuleGetFunction(function, ((JCudaModules.Module) module).handle(), name));
		return new Function(function);
	}

	@Override
	public byte[] global(CudaModule module, String name) {
		CUdeviceptr address = new CUdeviceptr();
		long[] size = new long[1];
		check(() -> "cuModuleGetGlobal of '%s'".formatted(name),
				() -> JCudaDriver.cuModuleGetGlobal(address, size, ((JCudaModules.Module) module).handle(), name));
		byte[] bytes = new byte[(int) size[0]];
		check(() -> "cuMemcpyDtoH of '%s'".formatted(name),
				() -> JCudaDriver.cuMemcpyDtoH(Pointer.to(bytes), address, bytes.length));
		return bytes;
	}

	@Override
	public FunctionAttributes attributes(CudaFunction function) {
		return new FunctionAttributes(attribute(function, CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK),
				attribute(function, CUfunction_attribute.CU_FUNC_ATTRIBUTE_NUM_REGS),
				attribute(function, CUfunction_attribute.CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES),
				attribute(function, CUfunction_attribute.CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES));
	}

	private static int attribute(CudaFunction function, int attribute) {
		int[] value = new int[1];
		check(() -> "cuFuncGetAttribute of attribute " + attribute,
				() -> JCudaDriver.cuFuncGetAttribute(value, attribute, ((Function) function).handle()));
		return value[0];
	}

	@Override
	public void allowSharedMemory(CudaFunction function, int bytes) {
		if (bytes > DEFAULT_SHARED_BYTES) {
			check(() -> "cuFuncSetAttribute of %d B of shared memory".formatted(bytes),
					() -> JCudaDriver.cuFuncSetAttribute(((Function) function).handle(),
							CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, bytes));
		}
		check("cuFuncSetAttribute of the carve-out of shared memory",
				() -> JCudaDriver.cuFuncSetAttribute(((Function) function).handle(),
						CUfunction_attribute.CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, CARVEOUT));
	}

	@Override
	public int blocksPerMultiprocessor(CudaFunction function, int threads, int sharedBytes) {
		int[] blocks = new int[1];
		check("cuOccupancyMaxActiveBlocksPerMultiprocessor", () -> JCudaDriver
			.cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, ((Function) function).handle(), threads, sharedBytes));
		return blocks[0];
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
	public boolean isAwaited() {
		return false;
	}

	/** The calling thread makes the calls and waits for them without a deadline. */
	@Override
	public void requirePatience(Duration patience) {
	}

	/** The calling thread waits for every call. */
	@Override
	public void releaseLateResults(Consumer<Runnable> later) {
	}

	@Override
	public void pin(ByteBuffer memory) {
		check(() -> "cuMemHostRegister of %d B".formatted(memory.capacity()), () -> JCudaDriver
			.cuMemHostRegister(Pointer.to(memory), memory.capacity(), JCudaDriver.CU_MEMHOSTREGISTER_PORTABLE));
	}

	@Override
	public DevicePointer register(ByteBuffer memory) {
		Pointer host = Pointer.to(memory);
		check(() -> "cuMemHostRegister of %d B".formatted(memory.capacity()), () -> JCudaDriver.cuMemHostRegister(host,
				memory.capacity(), JCudaDriver.CU_MEMHOSTREGISTER_DEVICEMAP | JCudaDriver.CU_MEMHOSTREGISTER_PORTABLE));
		Address address = new Address();
		check("cuMemHostGetDevicePointer", () -> JCudaDriver.cuMemHostGetDevicePointer(address, host, 0));
		return address.pointer();
	}

	@Override
	public void unregister(ByteBuffer memory) {
		check(() -> "cuMemHostUnregister of %d B".formatted(memory.capacity()),
				() -> JCudaDriver.cuMemHostUnregister(Pointer.to(memory)));
	}

	@Override
	public DevicePointer allocate(long bytes) {
		Address address = new Address();
		check(() -> "cuMemAlloc of %d B".formatted(bytes), () -> JCudaDriver.cuMemAlloc(address, bytes));
		return address.pointer();
	}

	@Override
	public void free(DevicePointer memory) {
		check(() -> "cuMemFree of " + memory, () -> JCudaDriver.cuMemFree(pointer(memory)));
	}

	@Override
	public DevicePointer allocate(long bytes, CudaStream stream) {
		Address address = new Address();
		check(() -> "cuMemAllocAsync of %d B".formatted(bytes),
				() -> JCudaDriver.cuMemAllocAsync(address, bytes, handle(stream)));
		return address.pointer();
	}

	@Override
	public void free(DevicePointer memory, CudaStream stream) {
		check(() -> "cuMemFreeAsync of " + memory, () -> JCudaDriver.cuMemFreeAsync(pointer(memory), handle(stream)));
	}

	@Override
	public void zero(DevicePointer memory, long bytes, CudaStream stream) {
		check(() -> "cuMemsetD8Async of %d B at %s".formatted(bytes, memory),
				() -> JCudaDriver.cuMemsetD8Async(pointer(memory), (byte) 0, bytes, handle(stream)));
	}

	@Override
	public void upload(DevicePointer target, ByteBuffer source, CudaStream stream) {
		check(() -> "cuMemcpyHtoDAsync of %d B to %s".formatted(source.remaining(), target), () -> JCudaDriver
			.cuMemcpyHtoDAsync(pointer(target), Pointer.toBuffer(source), source.remaining(), handle(stream)));
	}

	@Override
	public void download(ByteBuffer target, DevicePointer source, CudaStream stream) {
		check(() -> "cuMemcpyDtoHAsync of %d B from %s".formatted(target.remaining(), source), () -> JCudaDriver
			.cuMemcpyDtoHAsync(Pointer.toBuffer(target), pointer(source), target.remaining(), handle(stream)));
	}

	@Override
	public CudaStream createStream() {
		CUstream stream = new CUstream();
		check("cuStreamCreate", () -> JCudaDriver.cuStreamCreate(stream, CUstream_flags.CU_STREAM_NON_BLOCKING));
		return new Stream(stream);
	}

	@Override
	public void destroy(CudaStream stream) {
		check("cuStreamDestroy", () -> JCudaDriver.cuStreamDestroy(handle(stream)));
	}

	@Override
	public void launch(CudaFunction function, LaunchShape shape, ByteBuffer parameter, CudaStream stream) {
		Pointer parameters = Pointer.to(Pointer.to(parameter));
		CUfunction entry = ((Function) function).handle();
		check(() -> "%s of %d blocks of %d threads with %d B of shared memory".formatted(
				shape.cooperative() ? "cuLaunchCooperativeKernel" : "cuLaunchKernel", shape.blocks(), shape.threads(),
				shape.sharedBytes()),
				() -> shape.cooperative()
						? JCudaDriver.cuLaunchCooperativeKernel(entry, shape.blocks(), 1, 1, shape.threads(), 1, 1,
								shape.sharedBytes(), handle(stream), parameters)
						: JCudaDriver.cuLaunchKernel(entry, shape.blocks(), 1, 1, shape.threads(), 1, 1,
								shape.sharedBytes(), handle(stream), parameters, null));
	}

	/**
	 * JCuda binds the second version of the node's parameters, and zeroes the fields that
	 * it has no names for: they are looked at only where there is no function.
	 */
	@Override
	public CudaGraph prepare(CudaFunction function, LaunchShape shape, ByteBuffer parameter) {
		CUgraph graph = new CUgraph();
		check("cuGraphCreate", () -> JCudaDriver.cuGraphCreate(graph, 0));
		try {
			CUDA_KERNEL_NODE_PARAMS node = node(function, shape, parameter);
			check("cuGraphAddKernelNode",
					() -> JCudaDriver.cuGraphAddKernelNode(new CUgraphNode(), graph, new CUgraphNode[0], 0, node));
			CUgraphExec executable = new CUgraphExec();
			check("cuGraphInstantiateWithFlags", () -> JCudaDriver.cuGraphInstantiate(executable, graph, 0L));
			return new Graph(executable);
		}
		finally {
			check("cuGraphDestroy", () -> JCudaDriver.cuGraphDestroy(graph));
		}
	}

	private static CUDA_KERNEL_NODE_PARAMS node(CudaFunction function, LaunchShape shape, ByteBuffer parameter) {
		CUDA_KERNEL_NODE_PARAMS node = new CUDA_KERNEL_NODE_PARAMS();
		node.func = ((Function) function).handle();
		node.gridDimX = shape.blocks();
		node.gridDimY = 1;
		node.gridDimZ = 1;
		node.blockDimX = shape.threads();
		node.blockDimY = 1;
		node.blockDimZ = 1;
		node.sharedMemBytes = shape.sharedBytes();
		node.kernelParams = Pointer.to(Pointer.to(parameter));
		return node;
	}

	@Override
	public void launch(CudaGraph graph, CudaStream stream) {
		check("cuGraphLaunch", () -> JCudaDriver.cuGraphLaunch(((Graph) graph).handle(), handle(stream)));
	}

	@Override
	public void destroy(CudaGraph graph) {
		check("cuGraphExecDestroy", () -> JCudaDriver.cuGraphExecDestroy(((Graph) graph).handle()));
	}

	@Override
	public boolean isDone(CudaStream stream) {
		int code = JCudaCall.result(() -> JCudaDriver.cuStreamQuery(handle(stream)));
		if (code == CudaStatus.NOT_READY) {
			return false;
		}
		if (code != CUresult.CUDA_SUCCESS) {
			throw new CudaException("A kernel or a copy on the device", JCudaCall.status(code));
		}
		return true;
	}

	private static CUstream handle(CudaStream stream) {
		return ((Stream) stream).handle();
	}

	private static CUdeviceptr pointer(DevicePointer memory) {
		return new CUdeviceptr().withByteOffset(memory.address());
	}

	private record Function(CUfunction handle) implements CudaFunction {
	}

	private record Graph(CUgraphExec handle) implements CudaGraph {
	}

	private record Stream(CUstream handle) implements CudaStream {
	}

	/** A device pointer that tells its address. */
	private static final class Address extends CUdeviceptr {

		DevicePointer pointer() {
			return new DevicePointer(getNativePointer() + getByteOffset());
		}

	}

}
