package io.ringkernel.cuda.driver;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Makes the calls of a context on its thread and waits for them no longer than a
 * deadline. What makes machine code has a thread of its own, which holds up no launch.
 */
final class BoundedContext implements CudaContext {

	private final CudaContext context;

	private final DriverThread thread;

	private final DriverThread compiler;

	private final AtomicReference<Duration> patience;

	private final Duration loadPatience;

	private final AtomicReference<Consumer<Runnable>> releases = new AtomicReference<>((release) -> {
	});

	BoundedContext(CudaContext context, DriverThread thread, DriverThread compiler, Duration patience,
			Duration loadPatience) {
		this.context = context;
		this.thread = thread;
		this.compiler = compiler;
		this.patience = new AtomicReference<>(patience);
		this.loadPatience = loadPatience;
	}

	@Override
	public void requirePatience(Duration patience) {
		this.patience.accumulateAndGet(patience, (one, other) -> (one.compareTo(other) > 0) ? one : other);
	}

	@Override
	public CudaModule load(byte[] image) {
		return this.thread.call("cuModuleLoadData", this.loadPatience, () -> this.context.load(image),
				giveBack(this.context::unload));
	}

	@Override
	public void unload(CudaModule module) {
		run("cuModuleUnload", () -> this.context.unload(module));
	}

	@Override
	public MachineCode link(List<byte[]> parts) {
		return this.compiler.call("cuLinkComplete", this.loadPatience, () -> {
			this.context.attach();
			return this.context.link(parts);
		}, giveBack(this.context::discard));
	}

	@Override
	public void discard(MachineCode code) {
		run("cuLinkDestroy", () -> this.context.discard(code));
	}

	@Override
	public CudaModule load(MachineCode code) {
		try {
			return this.thread.call("cuModuleLoadData", this.loadPatience, () -> this.context.load(code),
					giveBack(this.context::unload));
		}
		catch (CudaDeadlineException ex) {
			if (!ex.isMade()) {
				this.<MachineCode>giveBack(this.context::discard).accept(code);
			}
			throw ex;
		}
	}

	@Override
	public void attach() {
		run("cuCtxSetCurrent", this.context::attach);
	}

	@Override
	public CudaFunction function(CudaModule module, String name) {
		return call("cuModuleGetFunction", () -> this.context.function(module, name));
	}

	@Override
	public byte[] global(CudaModule module, String name) {
		return call("cuModuleGetGlobal", () -> this.context.global(module, name));
	}

	@Override
	public FunctionAttributes attributes(CudaFunction function) {
		return this.thread.call("cuFuncGetAttribute", this.loadPatience, () -> this.context.attributes(function));
	}

	@Override
	public void allowSharedMemory(CudaFunction function, int bytes) {
		run("cuFuncSetAttribute", () -> this.context.allowSharedMemory(function, bytes));
	}

	@Override
	public int blocksPerMultiprocessor(CudaFunction function, int threads, int sharedBytes) {
		return call("cuOccupancyMaxActiveBlocksPerMultiprocessor",
				() -> this.context.blocksPerMultiprocessor(function, threads, sharedBytes));
	}

	@Override
	public <T> T perform(String what, Supplier<T> calls) {
		return call(what, () -> this.context.perform(what, calls));
	}

	@Override
	public boolean post(String what, Runnable calls) {
		return this.thread.post(what, () -> this.context.post(what, calls));
	}

	@Override
	public boolean isAwaited() {
		return this.thread.isAwaited();
	}

	@Override
	public void pin(ByteBuffer memory) {
		run("cuMemHostRegister", () -> this.context.pin(memory));
	}

	@Override
	public DevicePointer register(ByteBuffer memory) {
		return call("cuMemHostRegister", () -> this.context.register(memory));
	}

	@Override
	public void unregister(ByteBuffer memory) {
		run("cuMemHostUnregister", () -> this.context.unregister(memory));
	}

	@Override
	public DevicePointer allocate(long bytes) {
		return call("cuMemAlloc", () -> this.context.allocate(bytes), this.context::free);
	}

	@Override
	public DevicePointer allocate(long bytes, CudaStream stream) {
		return call("cuMemAllocAsync", () -> this.context.allocate(bytes, stream),
				(memory) -> this.context.free(memory, stream));
	}

	@Override
	public void free(DevicePointer memory, CudaStream stream) {
		run("cuMemFreeAsync", () -> this.context.free(memory, stream));
	}

	@Override
	public void free(DevicePointer memory) {
		run("cuMemFree", () -> this.context.free(memory));
	}

	@Override
	public void zero(DevicePointer memory, long bytes, CudaStream stream) {
		run("cuMemsetD8Async", () -> this.context.zero(memory, bytes, stream));
	}

	@Override
	public void upload(DevicePointer target, ByteBuffer source, CudaStream stream) {
		run("cuMemcpyHtoDAsync", () -> this.context.upload(target, source, stream));
	}

	@Override
	public void download(ByteBuffer target, DevicePointer source, CudaStream stream) {
		run("cuMemcpyDtoHAsync", () -> this.context.download(target, source, stream));
	}

	@Override
	public CudaStream createStream() {
		return call("cuStreamCreate", this.context::createStream, this.context::destroy);
	}

	@Override
	public void destroy(CudaStream stream) {
		run("cuStreamDestroy", () -> this.context.destroy(stream));
	}

	@Override
	public void launch(CudaFunction function, LaunchShape shape, ByteBuffer parameter, CudaStream stream) {
		run("cuLaunchKernel", () -> this.context.launch(function, shape, parameter, stream));
	}

	@Override
	public CudaGraph prepare(CudaFunction function, LaunchShape shape, ByteBuffer parameter) {
		return call("cuGraphInstantiate", () -> this.context.prepare(function, shape, parameter),
				this.context::destroy);
	}

	@Override
	public void launch(CudaGraph graph, CudaStream stream) {
		run("cuGraphLaunch", () -> this.context.launch(graph, stream));
	}

	@Override
	public void destroy(CudaGraph graph) {
		run("cuGraphExecDestroy", () -> this.context.destroy(graph));
	}

	@Override
	public boolean isDone(CudaStream stream) {
		return call("cuStreamQuery", () -> this.context.isDone(stream));
	}

	@Override
	public void releaseLateResults(Consumer<Runnable> later) {
		this.releases.set(later);
	}

	/** What becomes of a result whose caller has given up. */
	private <T> Consumer<T> giveBack(Consumer<T> release) {
		return (result) -> this.releases.get()
			.accept(() -> run("the release of a late result", () -> release.accept(result)));
	}

	private <T> T call(String name, Callable<T> body, Consumer<T> release) {
		return this.thread.call(name, this.patience.get(), body, giveBack(release));
	}

	private <T> T call(String name, Callable<T> body) {
		return this.thread.call(name, this.patience.get(), body);
	}

	private void run(String name, Runnable body) {
		this.thread.call(name, this.patience.get(), () -> {
			body.run();
			return Boolean.TRUE;
		});
	}

}
