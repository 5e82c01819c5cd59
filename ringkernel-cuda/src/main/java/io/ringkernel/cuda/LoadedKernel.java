package io.ringkernel.cuda;

import java.nio.ByteBuffer;

import io.ringkernel.cuda.driver.CudaContext;
import io.ringkernel.cuda.driver.CudaFunction;
import io.ringkernel.cuda.driver.CudaGraph;
import io.ringkernel.cuda.driver.CudaStream;
import io.ringkernel.cuda.driver.StreamObserver;
import org.jspecify.annotations.Nullable;

/**
 * A kernel that can be launched: validated, loaded, with its memory and its stream.
 *
 * @param id the kernel's id
 * @param context the context that it is loaded in
 * @param function its entry
 * @param grid its workers
 * @param blocksPerMultiprocessor how many of its blocks fit on a multiprocessor
 * @param memory the session's device memory
 * @param parameter what it is launched with
 * @param graph its launch, prepared; {@code null} to launch it directly
 * @param transport how its ring gets to the device
 * @param stream the stream that it alone is launched on
 */
record LoadedKernel(String id, CudaContext context, CudaFunction function, WorkerGrid grid, int blocksPerMultiprocessor,
		SessionMemory memory, ByteBuffer parameter, @Nullable CudaGraph graph, RingTransport transport,
		CudaStream stream) {

	void launch() {
		if (this.graph != null) {
			this.context.launch(this.graph, this.stream);
			return;
		}
		this.context.launch(this.function, this.grid.shape(), this.parameter, this.stream);
	}

	/**
	 * The same kernel, with its memory and its place in the ring, under another policy
	 * and over another transport, or its own.
	 */
	LoadedKernel under(LaunchPolicy policy, RingTransport transport) {
		ByteBuffer launch = LaunchParameter.with(this.parameter, transport.memory(), policy);
		CudaGraph prepared = policy.prepares(this.grid) ? this.context.prepare(this.function, this.grid.shape(), launch)
				: null;
		return new LoadedKernel(this.id, this.context, this.function, this.grid, this.blocksPerMultiprocessor,
				this.memory, launch, prepared, transport, this.stream);
	}

	boolean isDone() {
		return this.context.isDone(this.stream);
	}

	void observe(StreamObserver observer) {
		this.context.observe(this.stream, observer);
	}

}
