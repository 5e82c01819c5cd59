package io.ringkernel.cuda.image;

import java.nio.ByteBuffer;
import io.ringkernel.backend.KernelSpec;
import io.ringkernel.message.MessageLayout;
import io.ringkernel.ring.RingLayout;

/**
 * What a launch tells a worker that was compiled without its messages: their sizes, and
 * where they lie. The counterpart is {@code ringkernel::MessageShape} in
 * {@code ringkernel/abi.cuh}. <pre>
 *     0  request: fixed block    4  at most    8  inline at most   12  chunks of that
 *    16  response: fixed block  20  at most   24  inline at most   28  chunks of that
 *    32  shared memory: where the response lies   36  16 B of it to clear   40  in all
 *    44  staging: where the response lies         48  in all
 *    52  flags                                                         all of them u32
 * </pre>
 *
 * @since 0.2.0
 */
public final class MessageShape {

	static final int REQUEST_FIXED_OFFSET = 0;

	static final int REQUEST_MAX_OFFSET = 4;

	static final int REQUEST_INLINE_OFFSET = 8;

	static final int REQUEST_CHUNKS_OFFSET = 12;

	static final int RESPONSE_FIXED_OFFSET = 16;

	static final int RESPONSE_MAX_OFFSET = 20;

	static final int RESPONSE_INLINE_OFFSET = 24;

	static final int RESPONSE_CHUNKS_OFFSET = 28;

	static final int RESPONSE_SHARED_OFFSET = 32;

	static final int RESPONSE_UNITS_OFFSET = 36;

	static final int SHARED_OFFSET = 40;

	static final int RESPONSE_STAGING_OFFSET = 44;

	static final int STAGING_OFFSET = 48;

	static final int FLAGS_OFFSET = 52;

	/** The size of a shape in the parameter of a launch. */
	public static final int BYTES = FLAGS_OFFSET + Integer.BYTES;

	static final int STATEFUL = 1;

	static final int COOPERATIVE = 2;

	/** What a thread moves at once, and what parts of a message begin at multiples of. */
	private static final int UNIT = 16;

	private final MessageLayout<?> requests;

	private final MessageLayout<?> responses;

	private final int scratchBytes;

	private final int flags;

	private MessageShape(MessageLayout<?> requests, MessageLayout<?> responses, int scratchBytes, int flags) {
		this.requests = requests;
		this.responses = responses;
		this.scratchBytes = scratchBytes;
		this.flags = flags;
	}

	/**
	 * {@return the shape of the messages of a kernel}
	 * @param kernel the kernel
	 * @param info what its image tells
	 */
	public static MessageShape of(KernelSpec<?, ?> kernel, KernelInfo info) {
		return new MessageShape(kernel.requests(), kernel.responses(), info.stagingBytesPerWorker(),
				((info.userStateBytes() > 0) ? STATEFUL : 0) | (info.isCooperative() ? COOPERATIVE : 0));
	}

	/**
	 * {@return the bytes of shared memory in which a worker has a small request and a
	 * small response}
	 */
	public int sharedBytes() {
		return sharedBytes(inlineBytes(this.requests)) + sharedBytes(inlineBytes(this.responses));
	}

	/**
	 * {@return the bytes of device memory in which a worker makes large messages
	 * contiguous, and behind the largest response those which it lends its handler}
	 */
	public int stagingBytes() {
		int responses = (this.scratchBytes > 0) ? aligned(this.responses.maxSize(), RingLayout.LINE_BYTES)
				: stagingBytes(this.responses);
		return Math.addExact(stagingBytes(this.requests),
				Math.addExact(responses, aligned(this.scratchBytes, RingLayout.LINE_BYTES)));
	}

	/**
	 * Writes the shape.
	 * @param target where to, little endian
	 * @param at its offset there
	 */
	public void write(ByteBuffer target, int at) {
		int requestInline = inlineBytes(this.requests);
		int responseInline = inlineBytes(this.responses);
		boolean nearby = this.responses.fixedSize() <= responseInline;
		target.putInt(at + REQUEST_FIXED_OFFSET, this.requests.fixedSize());
		target.putInt(at + REQUEST_MAX_OFFSET, this.requests.maxSize());
		target.putInt(at + REQUEST_INLINE_OFFSET, requestInline);
		target.putInt(at + REQUEST_CHUNKS_OFFSET, RingLayout.dataChunks(requestInline));
		target.putInt(at + RESPONSE_FIXED_OFFSET, this.responses.fixedSize());
		target.putInt(at + RESPONSE_MAX_OFFSET, this.responses.maxSize());
		target.putInt(at + RESPONSE_INLINE_OFFSET, responseInline);
		target.putInt(at + RESPONSE_CHUNKS_OFFSET, RingLayout.dataChunks(responseInline));
		target.putInt(at + RESPONSE_SHARED_OFFSET, sharedBytes(requestInline));
		target.putInt(at + RESPONSE_UNITS_OFFSET, nearby ? sharedBytes(responseInline) / UNIT : 0);
		target.putInt(at + SHARED_OFFSET, sharedBytes());
		target.putInt(at + RESPONSE_STAGING_OFFSET, stagingBytes(this.requests));
		target.putInt(at + STAGING_OFFSET, stagingBytes());
		target.putInt(at + FLAGS_OFFSET, this.flags);
	}

	private static int inlineBytes(MessageLayout<?> layout) {
		return Math.min(layout.maxSize(), RingLayout.MAX_INLINE_BYTES);
	}

	/** Whole chunks are copied. */
	private static int sharedBytes(int inlined) {
		return aligned(RingLayout.dataChunks(inlined) * RingLayout.CHUNK_DATA_BYTES, UNIT);
	}

	private static int stagingBytes(MessageLayout<?> layout) {
		return (layout.maxSize() > RingLayout.MAX_INLINE_BYTES) ? aligned(layout.maxSize(), RingLayout.LINE_BYTES) : 0;
	}

	private static int aligned(int bytes, int alignment) {
		return (bytes + alignment - 1) / alignment * alignment;
	}

}
