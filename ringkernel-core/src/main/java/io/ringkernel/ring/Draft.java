package io.ringkernel.ring;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

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

	private static final AtomicIntegerFieldUpdater<Draft> TAKEN = AtomicIntegerFieldUpdater.newUpdater(Draft.class,
			"taken");

	/** Where the message begins; the array's neighbours are in other lines. */
	private static final int BEGIN = RingLayout.LINE_BYTES;

	// The fields of a draft change with each message. They share no line with another
	// draft's.
	private long p1, p2, p3, p4, p5, p6, p7;

	private volatile int taken;

	private int length;

	private @Nullable Record large;

	private @Nullable MessageLayout<?> largeLayout;

	private @Nullable DeferredArrays deferred;

	private final MessageBuffer buffer;

	private final byte[] bytes;

	private long p8, p9, p10, p11, p12, p13, p14;

	Draft(int inlineBytes) {
		// Whole pairs of chunks are copied from here, whatever the length.
		int copied = RingLayout.dataChunks(inlineBytes) * RingLayout.CHUNK_DATA_BYTES + Long.BYTES;
		this.bytes = new byte[BEGIN + copied + RingLayout.LINE_BYTES];
		this.buffer = MessageBuffer.wrap(ByteBuffer.wrap(this.bytes));
	}

	boolean tryTake() {
		return this.taken == 0 && TAKEN.compareAndSet(this, 0, 1);
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
		TAKEN.lazySet(this, 0);
	}

	/** Validates a message, and encodes it if it fits into a slot of a lane. */
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
	 * @throws InvalidMessageException if a large message has changed since it was
	 * measured; nothing was published
	 */
	void publish(RingLane lane, int slot, int tag) {
		if (this.large != null && this.largeLayout != null) {
			write(this.large, this.largeLayout, lane.memory(), lane.payloadOffset(slot));
		}
		lane.publish(slot, tag, this.length, MessageKind.DATA, 0, this.bytes, BEGIN);
	}

	/**
	 * Publishes this draft, a large message in parts: each is published as soon as it is
	 * copied, so that a device fetches one while the next is copied. All code of a user
	 * has run before the first is published. If it then fails all the same, a part of the
	 * message was published, and no more will come.
	 * @throws InvalidMessageException if a large message has changed since it was
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
