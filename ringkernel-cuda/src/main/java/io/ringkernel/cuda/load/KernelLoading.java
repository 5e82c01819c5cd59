package io.ringkernel.cuda.load;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.ringkernel.backend.KernelRegion;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.backend.PlanFailedException;
import io.ringkernel.cuda.driver.CudaContext;
import io.ringkernel.cuda.driver.CudaException;
import io.ringkernel.cuda.driver.CudaFunction;
import io.ringkernel.cuda.driver.CudaGraph;
import io.ringkernel.cuda.driver.CudaModule;
import io.ringkernel.cuda.driver.CudaStream;
import io.ringkernel.cuda.driver.Deadline;
import io.ringkernel.cuda.driver.DevicePointer;
import io.ringkernel.cuda.driver.FunctionAttributes;
import io.ringkernel.cuda.image.ImageLayouts;
import io.ringkernel.cuda.image.KernelImage;
import io.ringkernel.cuda.image.KernelInfo;
import io.ringkernel.cuda.image.MessageShape;
import io.ringkernel.cuda.image.PtxHeader;
import io.ringkernel.cuda.memory.CudaRingMemory;
import io.ringkernel.cuda.transport.RingTransport;
import io.ringkernel.cuda.transport.TransportProvider;
import io.ringkernel.exception.KernelLaunchException;
import io.ringkernel.exception.RingKernelException;
import io.ringkernel.ring.order.ServingOrder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads one kernel while no other runs, once its image is checked and compiled: validates
 * it step by step, gives it memory, and launches it once with the command to stop. That
 * launch returns at once; it makes the driver load the function in whole, which it would
 * otherwise do at the first real one, behind every kernel that runs by then.
 *
 * @since 0.2.0
 */
public final class KernelLoading {

	private static final Logger logger = LoggerFactory.getLogger(KernelLoading.class);

	private static final Duration TRIAL = Duration.ofSeconds(10);

	private final OpenDevice device;

	private final CudaContext context;

	private final KernelSpec<?, ?> kernel;

	private final KernelImage image;

	private final LaunchPolicy policy;

	private final LaunchValidation validation;

	public KernelLoading(OpenDevice device, KernelSpec<?, ?> kernel, KernelImage image, LaunchPolicy policy) {
		this.device = device;
		this.context = device.context();
		this.kernel = kernel;
		this.image = image;
		this.policy = policy;
		this.validation = new LaunchValidation(kernel, device.properties(), image);
	}

	/**
	 * Checks the image, and has the driver make machine code of it as far as that is done
	 * beside other kernels, if there are any.
	 */
	public void prepare(boolean othersRun) {
		this.validation.checkImage(this.device.driverVersion());
		explained(() -> {
			this.device.modules().compile(this.image.module(), othersRun);
			return Boolean.TRUE;
		});
	}

	/** Loads the code of the kernel, unless it is loaded already. */
	public CudaModule loadCode() {
		return explained(() -> this.device.modules().load(this.image.module()));
	}

	/** Loads the kernel, within what the kernels beside it leave. */
	public LoadedKernel load(KernelRegion region, CudaRingMemory ring, Room room) {
		region.notes().failures().codes(this.image.failures());
		CudaModule module = loadCode();
		return explained(() -> {
			CudaFunction function = function(module);
			KernelInfo stated = this.image.complete(this.validation.checkInfo(global(module, "_info"),
					() -> ImageLayouts.read(global(module, "_layouts"))));
			MessageShape shape = stated.isErased() ? MessageShape.of(this.kernel, stated) : null;
			KernelInfo info = (shape != null) ? stated.with(shape) : stated;
			FunctionAttributes attributes = this.context.attributes(function);
			WorkerGrid grid = this.validation.checkWorkers(info, attributes, room.taken());
			this.context.allowSharedMemory(function, grid.shape().sharedBytes());
			int blocks = this.context.blocksPerMultiprocessor(function, grid.shape().threads(),
					grid.shape().sharedBytes());
			this.validation.checkBlocks(grid, blocks);
			grid = within(room, grid, blocks, attributes);
			PtxHeader ptx = this.image.ptx();
			LaunchFacts facts = new LaunchFacts(this.image.location(), (ptx != null) ? ptx.version() : null, attributes,
					module.log(), this.image.places());
			LoadedKernel loaded = allocate(region, ring, function, info, shape, grid, blocks, facts);
			logger.debug("Ring kernel '{}' is loaded: {}", this.kernel.id(), loaded.describe());
			return loaded;
		});
	}

	/**
	 * Gives the kernel fewer workers if some of those that it is to have would certainly
	 * find no place. If none would, all are tried.
	 */
	private WorkerGrid within(Room room, WorkerGrid grid, int perMultiprocessor, FunctionAttributes function) {
		double share = LaunchFacts.share(function, grid.shape().threads(), perMultiprocessor);
		int places = room.lasting(share, perMultiprocessor, this.policy.isPersistent());
		if (places == 0 || places >= grid.blocks()) {
			return grid;
		}
		WorkerGrid held = grid.within(places);
		logger.warn(
				"Ring kernel '{}' has {} workers instead of {}: a multiprocessor holds {} of its blocks, and no others beside that, and {} leave no more room on the device. Lower the workers of one of them, or run one on another device.",
				this.kernel.id(), held.workers(), grid.workers(), perMultiprocessor,
				room.others().stream().map((other) -> "'" + other.id() + "'").collect(Collectors.joining(", ")));
		return held;
	}

	private <T> T explained(Supplier<T> body) {
		try {
			return body.get();
		}
		catch (CudaException ex) {
			if (ex.status().isFatal()) {
				this.device.loss().note(ex);
			}
			throw new KernelLaunchException(this.kernel.id(), ex.problem(), ex.status().remedy(), ex);
		}
		catch (KernelLaunchException | PlanFailedException ex) {
			throw ex;
		}
		catch (RingKernelException ex) {
			throw new KernelLaunchException(this.kernel.id(), String.valueOf(ex.getMessage()), ex);
		}
	}

	private CudaFunction function(CudaModule module) {
		try {
			return this.context.function(module, this.image.entry());
		}
		catch (CudaException ex) {
			if (ex.status().isNotFound()) {
				throw this.validation.noEntry("it is no text that its entries could be read from");
			}
			throw ex;
		}
	}

	private byte[] global(CudaModule module, String suffix) {
		try {
			return this.context.global(module, this.image.described() + suffix);
		}
		catch (CudaException ex) {
			if (ex.status().isNotFound()) {
				return new byte[0];
			}
			throw ex;
		}
	}

	private LoadedKernel allocate(KernelRegion region, CudaRingMemory ring, CudaFunction function, KernelInfo info,
			@Nullable MessageShape shape, WorkerGrid grid, int blocksPerMultiprocessor, LaunchFacts facts) {
		ServingOrder order = ServingOrder.of(region.host());
		boolean served = order.head() != region.control().startPosition();
		SessionMemory session = SessionMemory.layout(info, grid, this.kernel.options().stateMemory(),
				served ? order : null);
		session = session.at(allocate(session));
		CudaStream stream = null;
		CudaGraph graph = null;
		RingTransport transport = null;
		try {
			stream = this.context.createStream();
			transport = transport(region, ring, stream);
			ByteBuffer parameter = LaunchParameter.of(transport.memory(), session, grid, this.policy, shape);
			graph = this.policy.prepares(grid) ? this.context.prepare(function, grid.shape(), parameter) : null;
			LoadedKernel loaded = new LoadedKernel(this.kernel.id(), this.context, function, grid,
					blocksPerMultiprocessor, session, parameter, graph, transport, stream, region.control(),
					this.policy.isPersistent(), facts, order);
			this.context.zero(session.base(), session.bytes(), stream);
			ByteBuffer words = served ? words(order) : ByteBuffer.allocateDirect(0);
			try {
				upload(session.order(), words, stream);
				upload(session.user(), this.image.initialState(), stream);
				tryOut(loaded);
			}
			finally {
				Reference.reachabilityFence(words);
			}
			return loaded;
		}
		catch (RuntimeException ex) {
			// Each later: the driver may not have returned from what has failed.
			if (graph != null) {
				this.device.resources().destroyLater(graph);
			}
			this.device.resources().freeLater(session.base());
			if (transport != null) {
				transport.release();
			}
			if (stream != null) {
				this.device.resources().destroyLater(stream);
			}
			throw ex;
		}
	}

	private static ByteBuffer words(ServingOrder order) {
		long[] unanswered = order.unanswered();
		ByteBuffer words = ByteBuffer.allocateDirect((unanswered.length + 1) * Long.BYTES)
			.order(ByteOrder.LITTLE_ENDIAN);
		words.asLongBuffer().put(unanswered).put(order.head());
		return words;
	}

	private void upload(DevicePointer target, ByteBuffer content, CudaStream stream) {
		if (content.hasRemaining()) {
			this.context.upload(target, content, stream);
		}
	}

	private DevicePointer allocate(SessionMemory session) {
		try {
			return this.context.allocate(session.bytes());
		}
		catch (CudaException ex) {
			if (!ex.status().isOutOfMemory()) {
				throw ex;
			}
			throw new KernelLaunchException(this.kernel.id(),
					"its %d B of device memory, of which %d B are for the state of its handler, are not to be had: %s failed with %s."
						.formatted(session.bytes(), session.userBytes(), ex.attempted(), ex.status().name()),
					(session.userBytes() > session.bytes() / 2) ? "Lower state-memory, or free memory of the device."
							: "Lower workers or the capacities of its messages, or free memory of the device.",
					ex);
		}
	}

	private RingTransport transport(KernelRegion region, CudaRingMemory ring, CudaStream stream) {
		return TransportProvider.of(this.policy.transport())
			.open(new TransportProvider.Session(this.kernel.id(), region, ring, stream, this.device.resources(),
					!this.policy.answersPerLaunch()));
	}

	/** Has a kernel that was loaded, and has ended, go on over another transport. */
	public LoadedKernel move(LoadedKernel before, KernelRegion region, CudaRingMemory ring) {
		RingTransport transport = transport(region, ring, before.stream());
		try {
			LoadedKernel moved = before.under(this.policy, transport);
			tryOut(moved);
			return moved;
		}
		catch (RuntimeException ex) {
			transport.release();
			throw ex;
		}
	}

	private void tryOut(LoadedKernel loaded) {
		try {
			if (!loaded.tryOut(Deadline.in(TRIAL))) {
				KernelLaunchException stuck = this.validation.fail(
						"'%s' was launched with the command to stop and did not end within %s. Build its image with this version's headers."
							.formatted(this.image.entry(), TRIAL));
				this.device.loss().note(stuck);
				throw stuck;
			}
		}
		catch (InterruptedException ex) {
			throw Deadline.interrupted(this.kernel.id(), ex);
		}
	}

}
