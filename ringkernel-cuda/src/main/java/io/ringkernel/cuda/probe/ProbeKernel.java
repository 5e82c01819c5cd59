package io.ringkernel.cuda.probe;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.function.BooleanSupplier;

import io.ringkernel.cuda.driver.CudaContext;
import io.ringkernel.cuda.driver.CudaException;
import io.ringkernel.cuda.driver.CudaFunction;
import io.ringkernel.cuda.driver.CudaStream;
import io.ringkernel.cuda.driver.Deadline;
import io.ringkernel.cuda.driver.DevicePointer;
import io.ringkernel.cuda.driver.LaunchShape;
import io.ringkernel.cuda.image.ModuleImage;

/**
 * A kernel of one warp that tells that it has started, answers what it is asked within
 * some time, and ends; with memory on the device for a {@link ProbeConversation}, and
 * another stream for copies beside it.
 */
record ProbeKernel(CudaContext context, CudaFunction function, CudaStream stream, CudaStream beside,
		DevicePointer memory) implements AutoCloseable {

	static final LaunchShape ONE_WARP = new LaunchShape(1, 32, 0);

	/** How long a kernel waits for a host that is not held up. */
	static final Duration WAIT = Duration.ofMillis(30);

	/** For a kernel to end once it has waited: a platform may have other things to do. */
	private static final Duration LONGEST = Duration.ofSeconds(2);

	static ProbeKernel load(CudaContext context, ModuleImage image) {
		CudaFunction function = context.function(image.load(context), "probe");
		context.attributes(function);
		return new ProbeKernel(context, function, context.createStream(), context.createStream(),
				context.allocate(ProbeConversation.BYTES));
	}

	/** Launches it to converse over some memory; it waits for the host so long. */
	void launch(DevicePointer conversation, Duration wait) {
		this.context.launch(this.function, ONE_WARP, parameter(conversation, wait), this.stream);
	}

	ByteBuffer atOnce() {
		return parameter(this.memory, Duration.ZERO);
	}

	private static ByteBuffer parameter(DevicePointer conversation, Duration wait) {
		ByteBuffer parameter = ByteBuffer.allocateDirect(2 * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
		parameter.putLong(0, conversation.address());
		parameter.putLong(Long.BYTES, wait.toNanos());
		return parameter;
	}

	boolean isDone() {
		return this.context.isDone(this.stream);
	}

	void awaitEnd() {
		await(this.stream);
	}

	private void await(CudaStream awaited) {
		Deadline.await("a probe kernel", this.context, awaited, LONGEST);
	}

	/** Launches it to converse over its own memory, where nothing is said yet. */
	void launchInDeviceMemory(Duration wait) {
		this.context.zero(this.memory, ProbeConversation.BYTES, this.stream);
		awaitEnd();
		launch(this.memory, wait);
	}

	/** Copies what the host has said to the device, while the kernel runs. */
	void uploadBeside(ProbeConversation source) {
		this.context.upload(this.memory, source.lines().limit(Long.BYTES), this.beside);
		await(this.beside);
	}

	/**
	 * Copies what was said from the device: beside the kernel, or on its stream once it
	 * has ended.
	 */
	ProbeConversation download(ProbeConversation target, CudaStream by) {
		this.context.download(target.lines(), this.memory, by);
		await(by);
		return target;
	}

	/** Looks for longer than a kernel waits, so that its last word is heard. */
	@SuppressWarnings("ThreadPriorityCheck") // A courtesy to others.
	static boolean spin(Duration wait, BooleanSupplier condition) {
		long end = System.nanoTime() + wait.plus(wait).toNanos();
		while (!condition.getAsBoolean()) {
			if (System.nanoTime() - end >= 0) {
				return false;
			}
			Thread.yield();
		}
		return true;
	}

	/** An error after which nothing works is nothing that a probe has found. */
	static void requireSound(CudaException failure) {
		if (failure.status().isFatal()) {
			throw failure;
		}
	}

	@Override
	public void close() {
		this.context.free(this.memory);
		this.context.destroy(this.beside);
		this.context.destroy(this.stream);
	}

}
