package io.ringkernel.control;

import io.ringkernel.ring.RingLayout;

/**
 * Where the words of a {@link ControlBlock} lie. Every line of 128 bytes has one writer.
 * <pre>
 *     0  identity, written by the host once, before the first launch
 *        0  magic "RINGKRNL"  u64      8  ABI version  u32    12  slots  u32
 *       16  workers  u32              20  skipped laps, offset  u32
 *       24  requests:  slots offset, slot stride, inline bytes,
 *                      payloads offset, payload stride, largest message   6 × u32
 *       48  responses: the same                                           6 × u32
 *       72  fingerprint of the request layout   u64
 *       80  fingerprint of the response layout  u64
 *       88  start position                      u64
 *   128  host line, written by the host
 *        0  command  u32
 *   256  device line, written by whatever drives the loop
 *        0  launches  u64
 *   384  worker lines, one per worker, written by that worker
 *        0  state  u32                 4  launch that it came up in  u32
 *        8  heartbeat  u64
 *       16  processed  u64            24  failed  u64
 *       32  device time of all requests, in ticks of 16 cycles  u64
 *       40  requests by device time: below 8 ticks, 16, 32, … 2^23, and longer  22 × u32
 * </pre> {@code ringkernel/abi.cuh} states the same for the device.
 *
 * @since 0.2.0
 */
public final class ControlLayout {

	/** Where the host line begins, in bytes. */
	public static final int HOST_LINE = 128;

	/** Where the lines of the workers begin, in bytes. */
	public static final int WORKER_LINES = 384;

	static final int MAGIC = 0;

	static final int ABI_VERSION = 8;

	static final int SLOTS = 12;

	static final int WORKERS = 16;

	static final int SKIPPED_LAPS = 20;

	static final int REQUESTS = 24;

	static final int RESPONSES = 48;

	static final int REQUEST_FINGERPRINT = 72;

	static final int RESPONSE_FINGERPRINT = 80;

	static final int START_POSITION = 88;

	static final int COMMAND = HOST_LINE;

	static final int LAUNCHES = 256;

	/** From the start of a worker's line, as all that follow. */
	static final int WORKER_STATE = 0;

	static final int WORKER_LAUNCH = 4;

	static final int WORKER_HEARTBEAT = 8;

	static final int WORKER_PROCESSED = 16;

	static final int WORKER_FAILED = 24;

	static final int WORKER_TICKS = 32;

	static final int WORKER_TIMES = 40;

	private ControlLayout() {
	}

	/**
	 * {@return where the line of a worker begins, in bytes}
	 * @param worker the worker
	 */
	public static int workerLine(int worker) {
		return WORKER_LINES + worker * RingLayout.LINE_BYTES;
	}

	/** The layout of one direction of the ring. */
	static final class Lane {

		static final int SLOTS_OFFSET = 0;

		static final int SLOT_STRIDE = 4;

		static final int INLINE_BYTES = 8;

		static final int PAYLOADS_OFFSET = 12;

		static final int PAYLOAD_STRIDE = 16;

		static final int MAX_BYTES = 20;

		private Lane() {
		}

	}

}
