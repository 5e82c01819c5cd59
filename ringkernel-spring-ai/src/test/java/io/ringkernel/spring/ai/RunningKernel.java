package io.ringkernel.spring.ai;

import java.util.List;

import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.backend.Replay;
import io.ringkernel.cpu.CpuBackendProvider;
import io.ringkernel.cuda.CudaBackendProvider;
import io.ringkernel.cuda.host.HostOptions;
import io.ringkernel.message.MessageLayout;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.HostStatus;
import io.ringkernel.platform.PlanOffer;
import io.ringkernel.platform.PlanRequest;
import io.ringkernel.runtime.Kernel;
import io.ringkernel.runtime.RingKernelRuntime;
import io.ringkernel.spring.ai.search.DeviceRows;
import io.ringkernel.spring.ai.search.ElementType;
import io.ringkernel.spring.ai.search.SimilarityMetric;
import io.ringkernel.spring.ai.search.VectorSearchHandler;
import io.ringkernel.spring.ai.search.VectorSearchRequest;
import io.ringkernel.spring.ai.search.VectorSearchResponse;
import org.awaitility.Awaitility;

/**
 * A kernel that searches, while it is open.
 */
public final class RunningKernel implements AutoCloseable {

	private final RingKernelRuntime runtime;

	private final ElementType elementType;

	private final Kernel<VectorSearchRequest, VectorSearchResponse> kernel;

	public RunningKernel() {
		this(BackendKind.CPU);
	}

	public RunningKernel(BackendKind backend) {
		this(backend, KernelOptions.builder().workers(4).threadsPerWorker(64).build());
	}

	public RunningKernel(BackendKind backend, KernelOptions options) {
		this(backend, options, ElementType.FLOAT32);
	}

	public RunningKernel(BackendKind backend, ElementType elementType) {
		this(backend, KernelOptions.builder().workers(4).threadsPerWorker(64).build(), elementType);
	}

	public RunningKernel(BackendKind backend, KernelOptions options, ElementType elementType) {
		this(RingKernelRuntime.open(new PlanRequest(backend, null, null)), options, elementType);
	}

	private RunningKernel(RingKernelRuntime runtime, KernelOptions options, ElementType elementType) {
		this.elementType = elementType;
		this.runtime = runtime;
		this.kernel = start("vector-search", options);
	}

	private Kernel<VectorSearchRequest, VectorSearchResponse> start(String id, KernelOptions options) {
		Kernel<VectorSearchRequest, VectorSearchResponse> started = this.runtime.define(new KernelSpec<>(id,
				MessageLayout.of(VectorSearchRequest.class), MessageLayout.of(VectorSearchResponse.class),
				new VectorSearchHandler(), VectorSearchHandler.IMAGE, options));
		started.launch();
		started.activate();
		return started;
	}

	/**
	 * Has another kernel of the same device store to where nothing is.
	 */
	public void fault() {
		Kernel<VectorSearchRequest, VectorSearchResponse> other = start("faulting-" + this.runtime.kernels().size(),
				KernelOptions.builder().workers(1).threadsPerWorker(64).build());
		other.client().call(VectorSearchRequest.reset(1, SimilarityMetric.COSINE, this.elementType, 16));
		other.client().submit(VectorSearchRequest.attachBlock(1, 0, 64, DeviceRows.blockBytes(16, this.elementType)));
	}

	/**
	 * A kernel on a device that a process of its own uses.
	 */
	public static RunningKernel isolated(ElementType elementType) {
		return isolated(KernelOptions.builder().workers(4).threadsPerWorker(64).build(), elementType);
	}

	public static RunningKernel isolated(KernelOptions options, ElementType elementType) {
		return new RunningKernel(
				RingKernelRuntime.open(PlanRequest.AUTO,
						List.of(CudaBackendProvider.isolated(HostOptions.DEFAULTS), new CpuBackendProvider())),
				options.toBuilder().replay(Replay.IDEMPOTENT).build(), elementType);
	}

	/**
	 * Ends the process that uses the device, as a fault does, and waits until that is
	 * noticed: until then, the kernel seems to be on the device.
	 */
	public void killHost() {
		for (HostStatus host : this.runtime.hosts()) {
			ProcessHandle.of(host.pid()).orElseThrow().destroyForcibly();
			Awaitility.await().until(() -> this.runtime.hosts().stream().noneMatch((one) -> one.pid() == host.pid()));
		}
	}

	/**
	 * Whether there is a CUDA device, or an emulated one.
	 */
	public static boolean hasDevice() {
		return new CudaBackendProvider().plan(PlanRequest.AUTO) instanceof PlanOffer.Accepted;
	}

	public Kernel<VectorSearchRequest, VectorSearchResponse> kernel() {
		return this.kernel;
	}

	/**
	 * What a device does that is lost: the kernel serves on, and knows of nothing.
	 */
	public void loseIndex() {
		this.kernel.client()
			.call(VectorSearchRequest.reset(Long.MAX_VALUE, SimilarityMetric.COSINE, this.elementType, 1));
	}

	@Override
	public void close() {
		this.runtime.close();
	}

}
