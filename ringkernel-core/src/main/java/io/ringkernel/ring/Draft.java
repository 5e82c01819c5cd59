package io.ringkernel.ring;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

import io.ringkernel.exception.CorruptMessageException;
import io.ringkernel.exception.InvalidMessageException;
import io.ringkernel.message.MessageLayout;
import io.ringkernel.message.buffer.ArraysAhead;
import io.ringkernel.message.buffer.DeferredArrays;
import io.ringkernel.message.buffer.MessageBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A request that is ready to be published, or a response that is read. A request that
 * fits into a slot is encoded here, in memory that only its thread uses. A larger one is
 * kept as the record and has been validated and measured; {@link HostRequests#publish
 * publishing} encodes it.
 * <p>
 * {@link HostRequests#encode} hands a draft out. The thread that received it
 * {@linkplain #giveBack gives it back} exactly once, and does not use it afterwards. A
 * thread that sends on and on has a {@linkplain HostRing#draft draft of its own} instead.
 *
 * @since 0.2.0
 */
@SuppressWarnings("unused")
public final class Draft {

	private static final VarHandle TAKEN;

	static {
		try {
			TAKEN = MethodHandles.lookup().findVarHandle(Draft.class, "taken", int.class);
		}
		catch (ReflectiveOperationException ex) {
			throw new ExceptionInInitializerError(ex);
		}
	}

	/** Where the message begins; the array's neighbours are in other lines. */
	private static final int BEGIN = RingLayout.LINE_BYTES;

	// The fields of a draft change with each message. They share no line with another
	// draft's.
	private long p1;

	private long p2;

	private long p3;

	private long p4;

	private long p5;

	private long p6;

	private long p7;

	private int taken;

	private int length;

	private @Nullable Record large;

	private @Nullable MessageLayout<?> largeLayout;

	/** Made for the first large message. */
	private @Nullable DeferredArrays deferred;

	private final MessageBuffer buffer;

	private final byte[] bytes;

	private long p8;

	private long p9;

	private long p10;

	private long p11;

	private long p12;

	private long p13;

	private long p14;

	/**
	 * Creates a draft that is free.
	 * @param inlineBytes the largest message that is encoded in it
	 */
	Draft(int inlineBytes) {
		// Whole pairs of chunks are copied from here, whatever the length.
		int copied = RingLayout.dataChunks(inlineBytes) * RingLayout.CHUNK_DATA_BYTES + Long.BYTES;
		this.bytes = new byte[BEGIN + copied + RingLayout.LINE_BYTES];
		this.buffer = MessageBuffer.wrap(ByteBuffer.wrap(this.bytes));
	}

	/**
	 * Takes this draft if it is free.
	 */
	boolean tryTake() {
		return (int) TAKEN.getOpaque(this) == 0 && TAKEN.compareAndSet(this, 0, 1);
	}

	/**
	 * Gives this draft back, whether it was published or not. The caller does not use it
	 * any more, unless it is its own.
	 */
	public void giveBack() {
		if (this.large != null) {
			this.large = null;
			this.largeLayout = null;
		}
		TAKEN.setRelease(this, 0);
	}

	/**
	 * Validates a message, and encodes it if it fits into a slot of a lane.
	 * @throws InvalidMessageException if the message does not fit its layout
	 */
	<T extends Record> void encode(RingLane lane, T message, MessageLayout<T> messages) {
		if (lane.hasPayloads()) {
			int measured = messages.measure(message);
			if (!lane.isInline(measured)) {
				this.length = measured;
				this.large = message;
				this.largeLayout = messages;
				return;
			}
		}
		this.length = messages.write(message, this.buffer, BEGIN);
		if (!lane.isInline(this.length)) {
			throw changed(messages.type(), this.length);
		}
	}

	/**
	 * Publishes this draft. An inline message is copied: that allocates nothing, calls no
	 * code of a user and cannot throw. A large one is encoded into the slot's payload,
	 * which may do each of these.
	 * @throws InvalidMessageException if a large message is no longer the one that was
	 * measured; nothing was published
	 */
	void publish(RingLane lane, int slot, int tag) {
		if (this.large != null && this.largeLayout != null) {
			writePayload(lane, slot, this.large, this.largeLayout);
		}
		lane.publish(slot, tag, this.length, MessageKind.DATA, 0, this.bytes, BEGIN);
	}

	/**
	 * Publishes this draft, a large message in parts: each is published as soon as it is
	 * copied, so that a device fetches one while the next is copied. All code of a user
	 * has run before the first is published. If it then fails all the same, a part of the
	 * message was published, and no more will come.
	 * @throws InvalidMessageException if a large message is no longer the one that was
	 * measured; nothing was published
	 */
	void publishInParts(RingLane lane, int slot, int tag) {
		if (this.large == null || this.largeLayout == null) {
			publish(lane, slot, tag);
			return;
		}
		DeferredArrays later = deferredArrays(lane);
		try {
			int begin = lane.payloadOffset(slot);
			write(this.large, this.largeLayout, later.buffer(), begin);
			if (later.isEmpty()) {
				lane.publish(slot, tag, this.length, MessageKind.DATA, 0, this.bytes, BEGIN);
			}
			else {
				lane.publishBeginning(slot, tag, this.length, later.begin() - begin);
				later.copy((end) -> lane.publishUpTo(slot, end - begin));
				lane.publishUpTo(slot, this.length);
			}
		}
		finally {
			later.clear();
		}
	}

	/** All lanes of a ring lie in the same memory. */
	private DeferredArrays deferredArrays(RingLane lane) {
		DeferredArrays arrays = this.deferred;
		if (arrays == null) {
			arrays = new DeferredArrays(lane.memory());
			this.deferred = arrays;
		}
		return arrays;
	}

	private <T extends Record> void writePayload(RingLane lane, int slot, Record message, MessageLayout<T> messages) {
		write(message, messages, lane.memory(), lane.payloadOffset(slot));
	}

	private <T extends Record> void write(Record message, MessageLayout<T> messages, MessageBuffer target, int at) {
		int written = messages.write(messages.type().cast(message), target, at);
		if (written != this.length) {
			throw changed(messages.type(), written);
		}
	}

	/**
	 * Decodes the message of a slot whose header was found. An inline message is made
	 * contiguous here first, unless its layout is packed. The length is read once: the
	 * writer may still change it.
	 * @param arrays what was made for a large message, if anything was
	 * @return the message, or {@code null} if a part of it is not there
	 * @throws CorruptMessageException if it is no valid message of that layout
	 */
	<T extends Record> @Nullable T read(RingLane lane, int slot, int tag, MessageLayout<T> messages,
			@Nullable ArraysAhead arrays) {
		int stated = lane.validLength(slot);
		if (!lane.isInline(stated)) {
			MessageBuffer memory = (arrays != null) ? arrays.buffer() : lane.memory();
			return lane.hasArrived(slot, tag, stated) ? messages.read(memory, lane.payloadOffset(slot), stated) : null;
		}
		if (messages.isPacked() && stated == messages.fixedSize()) {
			return lane.unpack(slot, tag, messages);
		}
		return lane.gather(slot, tag, stated, this.bytes, BEGIN) ? messages.read(this.buffer, BEGIN, stated) : null;
	}

	private static InvalidMessageException changed(Class<?> type, int written) {
		return new InvalidMessageException(type, "", "changed between being measured and being written as " + written
				+ " bytes: its accessors must return values of the same length each time");
	}

}
