package io.ringkernel.test.ptx;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;

import io.ringkernel.compiler.CompiledHandler;
import io.ringkernel.cuda.driver.CudaContext;
import io.ringkernel.cuda.driver.CudaFunction;
import io.ringkernel.cuda.driver.CudaModule;
import io.ringkernel.cuda.driver.CudaStream;
import io.ringkernel.cuda.driver.Deadline;
import io.ringkernel.cuda.driver.DevicePointer;
import io.ringkernel.cuda.driver.LaunchShape;
import io.ringkernel.message.MessageLayout;

/**
 * Calls a compiled handler on a CUDA device, which compiles the same text that the
 * machine runs.
 *
 * @param <I> the request
 * @param <O> the response
 */
public final class DeviceCalls<I extends Record, O extends Record> extends HandlerCalls<I, O> {

	private static final Duration LIMIT = Duration.ofSeconds(20);

	private final CudaContext context;

	private final CudaStream stream;

	private final CudaModule module;

	private final CudaFunction function;

	private final DevicePointer callMemory;

	private final DevicePointer requestMemory;

	private final DevicePointer nearbyMemory;

	private final DevicePointer distantMemory;

	private final DevicePointer stateMemory;

	public DeviceCalls(CudaContext context, CudaStream stream, CompiledHandler handler, MessageLayout<I> requests,
			MessageLayout<O> responses) throws InterruptedException {
		super(handler, requests, responses);
		this.context = context;
		this.stream = stream;
		byte[] text = text().getBytes(StandardCharsets.US_ASCII);
		this.module = context.load(Arrays.copyOf(text, text.length + 1));
		this.function = context.function(this.module, ENTRY);
		ByteBuffer state = newState();
		this.callMemory = context.allocate(call().capacity());
		this.requestMemory = context.allocate(requests.maxSize());
		this.nearbyMemory = context.allocate(nearby().capacity());
		this.distantMemory = context.allocate(distant().capacity());
		this.stateMemory = context.allocate(Math.max(1, state.capacity()));
		upload(this.stateMemory, state);
		place(this.callMemory.address(), this.nearbyMemory.address(), this.distantMemory.address(),
				this.stateMemory.address());
		parameter().putLong(8, this.requestMemory.address());
		copyToShared();
	}

	private void upload(DevicePointer target, ByteBuffer content) throws InterruptedException {
		if (content.capacity() > 0) {
			this.context.upload(target, content, this.stream);
			await();
		}
	}

	@Override
	protected void run(ByteBuffer request, int threads) throws InterruptedException {
		this.context.upload(this.requestMemory, request, this.stream);
		this.context.upload(this.callMemory, call(), this.stream);
		this.context.upload(this.nearbyMemory, nearby(), this.stream);
		this.context.upload(this.distantMemory, distant(), this.stream);
		this.context.launch(this.function, new LaunchShape(1, threads, 0), parameter(), this.stream);
		this.context.download(call(), this.callMemory, this.stream);
		this.context.download(nearby(), this.nearbyMemory, this.stream);
		this.context.download(distant(), this.distantMemory, this.stream);
		await();
	}

	private void await() throws InterruptedException {
		if (!Deadline.in(LIMIT).await(() -> this.context.isDone(this.stream))) {
			throw new IllegalStateException("The handler has not ended within " + LIMIT);
		}
	}

	@Override
	public void close() {
		this.context.free(this.callMemory);
		this.context.free(this.requestMemory);
		this.context.free(this.nearbyMemory);
		this.context.free(this.distantMemory);
		this.context.free(this.stateMemory);
		this.context.unload(this.module);
	}

}
