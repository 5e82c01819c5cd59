package io.ringkernel.cuda.load;

import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;

import io.ringkernel.backend.KernelSpec;
import io.ringkernel.control.ControlBlock;
import io.ringkernel.cuda.driver.CudaContext;
import io.ringkernel.cuda.driver.CudaFunction;
import io.ringkernel.cuda.driver.CudaGraph;
import io.ringkernel.cuda.driver.CudaStream;
import io.ringkernel.cuda.driver.Deadline;
import io.ringkernel.cuda.driver.LaunchShape;
import io.ringkernel.cuda.image.CompiledState;
import io.ringkernel.cuda.memory.DeviceResources;
import io.ringkernel.cuda.transport.RingTransport;
import io.ringkernel.ring.order.ServingOrder;
import io.ringkernel.state.KernelMemory;
import org.jspecify.annotations.Nullable;

/**
 * A kernel that can be launched: validated, loaded, with its memory and its stream.
 *
 * @param blocksPerMultiprocessor how many of its blocks fit on a multiprocessor
 * @param parameter what it is launched with
 * @param graph its launch, prepared; {@code null} to launch it directly
 * @param stream the stream that it alone is launched on
 * @param stays whether it is launched once, and stays on the device
 * @param order the order in which its workers serve the ring
 * @since 0.2.0
 */
public record LoadedKernel(String id, CudaContext context, CudaFunction function, WorkerGrid grid,
		int blocksPerMultiprocessor, SessionMemory memory, ByteBuffer parameter, @Nullable CudaGraph graph,
		RingTransport transport, CudaStream stream, ControlBlock control, boolean stays, LaunchFacts facts,
		ServingOrder order) {

	/** How many multiprocessors its blocks take, as densely as these hold them. */
	public int multiprocessors() {
		return (this.grid.blocks() + this.blocksPerMultiprocessor - 1) / this.blocksPerMultiprocessor;
	}

	double share() {
		return LaunchFacts.share(this.facts.function(), this.grid.shape().threads(), this.blocksPerMultiprocessor);
	}

	public void launch() {
		if (this.graph != null) {
			this.context.launch(this.graph, this.stream);
			return;
		}
		this.context.launch(this.function, this.grid.shape(), this.parameter, this.stream);
	}

	/**
	 * Launches it to find nothing for some time before it ends. A graph has a copy of the
	 * parameter, so a launch for another time than that of its policy is none of it.
	 * Called on the driver's thread, which copies the parameter.
	 */
	public void launch(long idleNanos) {
		long budget = LaunchParameter.idleBudget(this.parameter);
		if (idleNanos == budget) {
			launch();
			return;
		}
		LaunchParameter.idleBudget(this.parameter, idleNanos);
		try {
			this.context.launch(this.function, this.grid.shape(), this.parameter, this.stream);
		}
		finally {
			LaunchParameter.idleBudget(this.parameter, budget);
		}
	}

	/**
	 * The same kernel, with its memory and its place in the ring, under another policy
	 * and over another transport, or its own. It is launched without a graph: other
	 * kernels run, and {@code cuGraphInstantiate} may wait for them (seen at the 64th
	 * graph of a process on an H200).
	 */
	public LoadedKernel under(LaunchPolicy policy, RingTransport transport) {
		ByteBuffer launch = LaunchParameter.with(this.parameter, transport.memory(), policy);
		return new LoadedKernel(this.id, this.context, this.function, this.grid, this.blocksPerMultiprocessor,
				this.memory, launch, null, transport, this.stream, this.control, policy.isPersistent(), this.facts,
				this.order);
	}

	/** What it is launched with, as names and values for display. */
	public Map<String, Object> describe() {
		Map<String, Object> values = new LinkedHashMap<>();
		values.put("image", this.facts.image());
		if (this.facts.ptx() != null) {
			values.put("ptxVersion", this.facts.ptx());
		}
		LaunchShape shape = this.grid.shape();
		values.put("workers", this.grid.workers());
		values.put("blocks", shape.blocks());
		values.put("threadsPerBlock", shape.threads());
		values.put("workersPerBlock", this.grid.workersPerBlock());
		values.put("threadsPerWorker",
				"%d, %s".formatted(this.grid.threads().perWorker(), this.grid.threads().reason()));
		values.put("sharedBytesPerBlock", shape.sharedBytes() + this.facts.function().staticSharedBytes());
		values.put("registersPerThread", this.facts.function().registersPerThread());
		values.put("localBytesPerThread", this.facts.function().localBytes());
		values.put("blocksPerMultiprocessor", this.blocksPerMultiprocessor);
		values.put("cooperative", shape.cooperative());
		values.put("launchedBy", (this.graph != null) ? "graph" : "kernel");
		if (!this.facts.driverLog().isEmpty()) {
			values.put("driverLog", this.facts.driverLog());
		}
		return values;
	}

	/** Launches it with the command to stop; whether it has ended in time. */
	public boolean tryOut(Deadline deadline) throws InterruptedException {
		this.context.perform("cuLaunchKernel", () -> this.transport.launch(this::launch));
		boolean ended = deadline.await(this::isDone);
		if (ended) {
			this.transport.afterEnd();
		}
		return ended;
	}

	/** What its handler keeps. Used while it is not on the device. */
	public KernelMemory state(KernelSpec<?, ?> kernel) {
		return CompiledState.of(kernel, this.facts.places(), new DeviceState(this));
	}

	public boolean isDone() {
		return this.context.isDone(this.stream);
	}

	/**
	 * Gives back what it holds besides its ring, as soon as the driver takes it. Called
	 * once, when it has ended for good.
	 */
	public void release(DeviceResources resources) {
		if (this.graph != null) {
			resources.destroyLater(this.graph);
		}
		resources.freeLater(this.memory.base());
		this.transport.release();
		resources.destroyLater(this.stream);
	}

}
