package io.ringkernel.cuda.host;

import java.time.Duration;
import java.util.Optional;

import io.ringkernel.backend.Backend;
import io.ringkernel.backend.DeviceLoop;
import io.ringkernel.backend.DeviceLostException;
import io.ringkernel.backend.DeviceMemory;
import io.ringkernel.backend.KernelRegion;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.backend.RingMemory;
import io.ringkernel.cuda.host.remote.Answer;
import io.ringkernel.cuda.host.remote.HostProcess;
import io.ringkernel.cuda.host.remote.RemoteCalls;
import io.ringkernel.cuda.host.remote.RemoteLoop;
import io.ringkernel.cuda.host.remote.RemoteMemory;
import io.ringkernel.cuda.host.wire.FrameWriter;
import io.ringkernel.cuda.host.wire.HostOperation;
import io.ringkernel.cuda.host.wire.HostedImage;
import io.ringkernel.cuda.host.wire.HostedKernel;
import io.ringkernel.cuda.host.wire.Plans;
import io.ringkernel.cuda.image.KernelImage;
import io.ringkernel.exception.KernelLaunchException;
import io.ringkernel.exception.RingKernelException;
import io.ringkernel.platform.BackendKind;
import io.ringkernel.platform.ExecutionPlan;
import io.ringkernel.platform.Transport;
import io.ringkernel.ring.order.ServingOrder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs kernels in a host, as a plan says. A kernel that is launched after the host was
 * lost is launched in a new one.
 */
final class HostBackend implements Backend {

	private static final Logger logger = LoggerFactory.getLogger(HostBackend.class);

	private static final int PAGE = 4096;

	private static final String QUARANTINED = "it has ended the kernel host twice in a row, so the kernel host runs the others without it.";

	private static final Duration PATIENCE = Duration.ofSeconds(10);

	private static final Duration OPENING = Duration.ofSeconds(60);

	private final KernelHost host;

	private final HostOptions options;

	private final RingDirectories directories;

	private final ExecutionPlan plan;

	/** The host that this backend is open in, and its number there. */
	private @Nullable Opened opened;

	private volatile boolean closed;

	HostBackend(KernelHost host, HostOptions options, ExecutionPlan plan) {
		this.host = host;
		this.options = options;
		this.directories = RingDirectories.of(options);
		this.plan = plan;
		host.use(plan.device());
	}

	@Override
	public RingMemory allocate(KernelSpec<?, ?> kernel, int bytes) {
		this.host.readmit(kernel.id());
		Opened in = opened(kernel.id());
		long whole = ((long) bytes + PAGE - 1) / PAGE * PAGE;
		SharedRingMemory memory = new SharedRingMemory(this.directories.create(kernel.id(), whole));
		boolean mapped = false;
		try {
			memory.mapIn(kernel.id(), in.process(), in.number());
			mapped = true;
			return memory;
		}
		finally {
			if (!mapped) {
				memory.close();
			}
		}
	}

	@Override
	public Optional<DeviceMemory> allocateOnDevice(String kernelId, long bytes) {
		Opened in = opened(kernelId);
		return in.process()
			.callUninterrupted(kernelId, HostOperation.ALLOCATE,
					(out) -> out.writeInt(in.number()).writeString(kernelId).writeLong(bytes), HostProcess.BEGINNING,
					(answer) -> {
						int number = answer.readInt();
						long address = answer.readLong();
						return (number == 0) ? Optional.empty() : Optional
							.of(new RemoteMemory(new RemoteCalls(kernelId, in.process(), number), address, bytes));
					});
	}

	/**
	 * Opens this backend in the host that runs, or in a new one.
	 * @throws DeviceLostException if this backend is closed: it has released the host
	 */
	private synchronized Opened opened(String kernelId) {
		if (this.closed) {
			throw new DeviceLostException(kernelId, "the backend in the kernel host was closed",
					"Open another runtime.");
		}
		HostProcess running = this.host.running();
		Opened known = this.opened;
		if (known != null && known.process() == running) {
			return known;
		}
		Opened anew = running.callUninterrupted(kernelId, HostOperation.OPEN, (out) -> Plans.write(out, this.plan),
				OPENING, (answer) -> new Opened(running, answer.readInt()));
		this.opened = anew;
		return anew;
	}

	@Override
	public void prepare(KernelSpec<?, ?> kernel, RingMemory memory) {
		Loading loading = loading(kernel, memory, 0);
		loading.process()
			.begin(kernel.id(), HostOperation.PREPARE, kernel.options().stopTimeout(), loading::write, Answer.DONE);
	}

	/** Has the host map the memory of a kernel, and describes the kernel to it. */
	private Loading loading(KernelSpec<?, ?> kernel, RingMemory memory, int slots) {
		if (!(memory instanceof SharedRingMemory shared)) {
			throw new UnsupportedOperationException("its ring lies in memory that a kernel host cannot map");
		}
		if (this.host.isQuarantined(kernel.id())) {
			throw new KernelLaunchException(kernel.id(), QUARANTINED, "Mend its kernel, then relaunch it.", null);
		}
		Opened in = opened(kernel.id());
		int mapped = shared.mapIn(kernel.id(), in.process(), in.number());
		return new Loading(in, mapped, HostedKernel.of(kernel, slots, image(kernel)));
	}

	/**
	 * A loop of the same host keeps what it has on the device; after any other, the host
	 * learns which requests are unanswered.
	 */
	@Override
	public <I extends Record, O extends Record> DeviceLoop load(KernelSpec<I, O> kernel, KernelRegion region) {
		Loading loading = loading(kernel, region.memory(), region.ring().slots());
		KernelImage image = loading.kernel().image();
		if (image != null) {
			region.notes().failures().codes(image.failures());
		}
		HostProcess process = loading.process();
		RemoteLoop before = (region.before() instanceof RemoteLoop last && last.host() == process) ? last : null;
		ServingOrder order = ServingOrder.of(region.host());
		return process.begin(kernel.id(), HostOperation.LOAD, kernel.options().stopTimeout(), (out) -> {
			loading.write(out);
			out.writeInt((before != null) ? before.number() : 0).writeLong(order.head()).writeLongs(order.unanswered());
		}, (answer) -> new RemoteLoop(kernel.id(), process, region, before, order,
				this.plan.transport() == Transport.BRIDGED, (image != null) ? image.places() : null,
				this.options.longestHandling(kernel.options().requestTimeout()), answer));
	}

	/**
	 * What a device runs. It is read or compiled here, where its file, its class loader
	 * and the handler are.
	 */
	private @Nullable KernelImage image(KernelSpec<?, ?> kernel) {
		if (this.plan.backend() != BackendKind.CUDA) {
			return null;
		}
		KernelImage image = KernelImage.of(kernel);
		HostedImage.check(kernel.id(), image);
		return image;
	}

	@Override
	public boolean isRecoverable() {
		return true;
	}

	/** Only starts the host; the kernel runs elsewhere until it is loaded there. */
	@Override
	public boolean recover(String kernelId) {
		if (this.closed || this.host.isQuarantined(kernelId)) {
			return false;
		}
		try {
			opened(kernelId);
			return true;
		}
		catch (RingKernelException ex) {
			logger.debug("The kernel host is not back yet", ex);
			return false;
		}
	}

	@Override
	public @Nullable Throwable failure() {
		return this.host.failure();
	}

	@Override
	public synchronized void close() {
		this.closed = true;
		Opened known = this.opened;
		this.opened = null;
		try {
			if (known != null) {
				known.process()
					.callUnlessEnded("?", HostOperation.CLOSE_BACKEND, (out) -> out.writeInt(known.number()), PATIENCE);
			}
		}
		finally {
			this.host.release(this.plan.device());
		}
	}

	/** A kernel as a host is asked to load it, with its backend and its memory there. */
	private record Loading(Opened in, int memory, HostedKernel kernel) {

		HostProcess process() {
			return this.in.process();
		}

		void write(FrameWriter out) {
			out.writeInt(this.in.number()).writeInt(this.memory);
			this.kernel.write(out);
		}

	}

	private record Opened(HostProcess process, int number) {
	}

}
