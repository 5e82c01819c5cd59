package io.ringkernel.cuda.image;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * What an image tells about one of its kernels: the constant {@code NAME_info}. <pre>
 *     0  magic "RKKERNEL"       u64      8  ABI version             u32
 *    12  bytes of this struct   u32     16  request fingerprint     u64
 *    24  response fingerprint   u64     32  request, fixed block    u32
 *    36  request, at most       u32     40  response, fixed block   u32
 *    44  response, at most      u32     48  state per worker        u32
 *    52  state per block        u32     56  staging per worker      u32
 *    60  shared per worker      u32     64  state of the handler    u64
 *    72  most threads a worker  u32     76  flags                   u32
 * </pre>
 *
 * @param abiVersion the version of control block and ring that it speaks
 * @param requestFingerprint the fingerprint of its request layout
 * @param responseFingerprint the fingerprint of its response layout
 * @param requestFixedBytes the fixed block of its requests
 * @param requestMaxBytes its largest request
 * @param responseFixedBytes the fixed block of its responses
 * @param responseMaxBytes its largest response
 * @param stateBytesPerWorker device memory that each worker keeps between launches
 * @param stateBytesPerBlock device memory that each block keeps between launches
 * @param stagingBytesPerWorker device memory in which a worker makes messages contiguous,
 * and that it lends its handler for a request. Of a kernel whose messages a launch tells
 * of, it is what it lends
 * @param sharedBytesPerWorker shared memory of each worker
 * @param userStateBytes device memory that the handler keeps
 * @param maxThreadsPerWorker the most threads of a worker
 * @param flags marks of the image
 * @since 0.2.0
 */
public record KernelInfo(int abiVersion, long requestFingerprint, long responseFingerprint, int requestFixedBytes,
		int requestMaxBytes, int responseFixedBytes, int responseMaxBytes, int stateBytesPerWorker,
		int stateBytesPerBlock, int stagingBytesPerWorker, int sharedBytesPerWorker, long userStateBytes,
		int maxThreadsPerWorker, int flags) {

	/** The size of the description. */
	public static final int BYTES = 80;

	private static final int COOPERATIVE = 2;

	private static final int ERASED = 4;

	private static final int ASSISTED = 8;

	private static final long MAGIC = 0x4c454e52_454b4b52L;

	/**
	 * {@return whether some bytes are such a description, of any version}
	 * @param bytes the bytes
	 */
	public static boolean isInfo(byte[] bytes) {
		return bytes.length >= BYTES && view(bytes).getLong(0) == MAGIC && view(bytes).getInt(12) >= BYTES;
	}

	/**
	 * {@return a description}
	 * @param bytes what {@link #isInfo} takes for one
	 */
	public static KernelInfo read(byte[] bytes) {
		ByteBuffer info = view(bytes);
		return new KernelInfo(info.getInt(8), info.getLong(16), info.getLong(24), info.getInt(32), info.getInt(36),
				info.getInt(40), info.getInt(44), info.getInt(48), info.getInt(52), info.getInt(56), info.getInt(60),
				info.getLong(64), info.getInt(72), info.getInt(76));
	}

	/**
	 * {@return whether its workers wait for each other}
	 */
	public boolean isCooperative() {
		return (this.flags & COOPERATIVE) != 0;
	}

	/**
	 * {@return whether its worker was compiled without its messages, so that a launch
	 * tells it their shape} The shared memory of a worker is that besides messages then.
	 */
	public boolean isErased() {
		return (this.flags & ERASED) != 0;
	}

	/**
	 * {@return whether its handler calls workers that wait for a request}
	 */
	public boolean isAssisted() {
		return (this.flags & ASSISTED) != 0;
	}

	/** The same kernel with the worker that its handler is linked with. */
	KernelInfo with(KernelInfo worker) {
		return with(worker, this.stagingBytesPerWorker, worker.sharedBytesPerWorker);
	}

	/**
	 * {@return the same kernel with messages of a shape}
	 * @param shape what a launch tells of them
	 */
	public KernelInfo with(MessageShape shape) {
		return with(this, shape.stagingBytes(), this.sharedBytesPerWorker + shape.sharedBytes());
	}

	private KernelInfo with(KernelInfo worker, int stagingBytes, int sharedBytes) {
		return new KernelInfo(this.abiVersion, this.requestFingerprint, this.responseFingerprint,
				this.requestFixedBytes, this.requestMaxBytes, this.responseFixedBytes, this.responseMaxBytes,
				worker.stateBytesPerWorker, worker.stateBytesPerBlock, stagingBytes, sharedBytes, this.userStateBytes,
				worker.maxThreadsPerWorker, this.flags);
	}

	private static ByteBuffer view(byte[] bytes) {
		return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
	}

}
