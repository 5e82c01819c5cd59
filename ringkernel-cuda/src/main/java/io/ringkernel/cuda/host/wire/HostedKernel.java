package io.ringkernel.cuda.host.wire;

import io.ringkernel.RingKernelHandler;
import io.ringkernel.backend.Backpressure;
import io.ringkernel.backend.Compile;
import io.ringkernel.backend.KernelOptions;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.backend.Replay;
import io.ringkernel.backend.Snapshots;
import io.ringkernel.control.ControlBlock;
import io.ringkernel.cuda.image.ImagedHandler;
import io.ringkernel.cuda.image.KernelImage;
import io.ringkernel.exception.UnusableImageException;
import io.ringkernel.message.MessageLayout;
import io.ringkernel.ring.RingLayout;
import io.ringkernel.ring.WaitStrategy;
import org.jspecify.annotations.Nullable;

/**
 * A kernel as it crosses the socket. The records of its messages are named, and found on
 * the class path that the host has in common with the application; that they are the same
 * is seen by their fingerprints. The handler stays in the application; what was made of
 * it for a device is its image.
 *
 * @param image its image; {@code null} if its handler runs, which the host has
 * @param slots the slots of its ring; 0 if nothing but its code is concerned
 * @since 0.2.0
 */
public record HostedKernel(String id, Message requests, Message responses, @Nullable KernelImage image, int slots,
		KernelOptions options) {

	public static HostedKernel of(KernelSpec<?, ?> kernel, int slots, @Nullable KernelImage image) {
		return new HostedKernel(kernel.id(), Message.of(kernel.requests()), Message.of(kernel.responses()), image,
				slots, kernel.options());
	}

	/**
	 * The kernel for a backend of this process, with what stands for its handler.
	 * @throws UnusableImageException if a record is not the one of the application
	 */
	public <I extends Record, O extends Record> KernelSpec<I, O> spec(RingKernelHandler<I, O> handler) {
		return new KernelSpec<>(this.id, this.requests.layout(this.id), this.responses.layout(this.id),
				(this.image != null) ? new ImagedHandler<>(handler, this.image) : handler,
				(this.image != null) ? this.image.location() : null, this.options);
	}

	/** Where its ring lies: the same in both processes. */
	public RingLayout ring(KernelSpec<?, ?> spec) {
		return RingLayout.forSlots(ControlBlock.bytes(this.options.workers()), this.slots, spec.requests().maxSize(),
				spec.responses().maxSize());
	}

	public void write(FrameWriter out) {
		out.writeString(this.id);
		this.requests.write(out);
		this.responses.write(out);
		out.writeBoolean(this.image != null);
		if (this.image != null) {
			HostedImage.write(out, this.image);
		}
		out.writeInt(this.slots);
		KernelOptions o = this.options;
		out.writeInt(o.workers())
			.writeInt(o.threadsPerWorker())
			.writeLong(o.ringMemory())
			.writeLong(o.stateMemory())
			.writeDuration(o.requestTimeout())
			.writeEnum(o.backpressure())
			.writeEnum(o.waitStrategy())
			.writeDuration(o.idleBudget())
			.writeDuration(o.stopTimeout())
			.writeDuration(o.drainTimeout())
			.writeBoolean(o.interruptOnTimeout())
			.writeInt(o.device())
			.writeEnum(o.compile())
			.writeEnum(o.replay());
	}

	public static HostedKernel read(FrameReader in) throws MalformedFrameException {
		return new HostedKernel(in.readString(), Message.read(in), Message.read(in),
				in.readBoolean() ? HostedImage.read(in) : null, in.readInt(),
				new KernelOptions(in.readInt(), in.readInt(), in.readLong(), in.readLong(), in.readDuration(),
						in.readEnum(Backpressure.class), in.readEnum(WaitStrategy.class), in.readDuration(),
						in.readDuration(), in.readDuration(), in.readBoolean(), in.readInt(),
						in.readEnum(Compile.class), in.readEnum(Replay.class), Snapshots.NONE));
	}

	/** A record, by the name of its class and the fingerprint of its layout. */
	public record Message(String name, long fingerprint) {

		public static Message of(MessageLayout<?> layout) {
			return new Message(layout.type().getName(), layout.fingerprint());
		}

		/**
		 * The layout, of whatever record its caller takes it for: a host hands it on, and
		 * reads and writes no message by it.
		 */
		@SuppressWarnings("unchecked")
		<T extends Record> MessageLayout<T> layout(String kernelId) {
			MessageLayout<?> layout = MessageLayout.of(type(kernelId));
			if (layout.fingerprint() != this.fingerprint) {
				throw unusable(kernelId, "has another layout there", null);
			}
			return (MessageLayout<T>) layout;
		}

		private Class<? extends Record> type(String kernelId) {
			try {
				return Class.forName(this.name, false, Thread.currentThread().getContextClassLoader())
					.asSubclass(Record.class);
			}
			catch (ClassNotFoundException | LinkageError | ClassCastException ex) {
				throw unusable(kernelId, "is not to be had there", ex);
			}
		}

		private UnusableImageException unusable(String kernelId, String problem, @Nullable Throwable cause) {
			return new UnusableImageException(kernelId,
					"the kernel host has another class path than the application: %s %s".formatted(this.name, problem),
					"Set ringkernel.isolation to none.", cause);
		}

		private void write(FrameWriter out) {
			out.writeString(this.name).writeLong(this.fingerprint);
		}

		private static Message read(FrameReader in) throws MalformedFrameException {
			return new Message(in.readString(), in.readLong());
		}

	}

}
