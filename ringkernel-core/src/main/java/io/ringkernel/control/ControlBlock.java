package io.ringkernel.control;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

import io.ringkernel.message.MessageBuffer;
import io.ringkernel.ring.LaneLayout;
import io.ringkernel.ring.RingLayout;

/**
 * The words through which host and device tell each other how they are. It begins the
 * memory of a kernel; every line of 128 bytes has one writer. <pre>
 *     0  identity, written by the host once, before the first launch
 *        0  magic "RINGKRNL"  u64      8  ABI version  u32    12  slots  u32
 *       16  workers  u32              20  void ranges, offset  u32
 *       24  requests:  slots offset, slot stride, inline bytes,
 *                      payloads offset, payload stride, largest message   6 × u32
 *       48  responses: the same                                           6 × u32
 *       72  fingerprint of the request layout   u64
 *       80  fingerprint of the response layout  u64
 *       88  start position                      u64
 *   128  host line, written by the host
 *        0  command  u32               4  most requests per iteration  u32
 *        8  idle budget, ns  u64      16  iteration limit  u64
 *   256  device line, written by whatever drives the loop
 *        0  launches  u64
 *   384  worker lines, one per worker, written by that worker
 *        0  state  u32                 8  heartbeat  u64
 *       16  processed  u64            24  failed  u64
 *       32  device time of all requests, in ticks of 16 cycles  u64
 *       40  requests by device time: below 8 ticks, 16, 32, … 2^23, and longer  22 × u32
 * </pre> Counters are written by their one writer with plain increments and opaque
 * stores, and read opaquely: they are for display and supervision, and order nothing. The
 * command is stored with release and loaded with acquire.
 */
public final class ControlBlock {

	/** The version of this layout and of the ring's. */
	public static final int ABI_VERSION = 2;

	/** Where the line begins that the host writes, in bytes. */
	public static final int HOST_LINE = 128;

	/** Where the lines of the workers begin, in bytes. */
	public static final int WORKER_LINES = 384;

	/** How a code is shown that is none. */
	static final String UNKNOWN = "UNKNOWN(%d)";

	static final long MAGIC = 0x4c4e524b_474e4952L;

	private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

	private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

	private static final int PAGE = 4096;

	private static final int DEVICE_LINE = 256;

	private static final int WORKER_STATE = 0;

	private static final int WORKER_HEARTBEAT = 8;

	private static final int WORKER_PROCESSED = 16;

	private static final int WORKER_FAILED = 24;

	private static final int WORKER_TICKS = 32;

	private static final int WORKER_TIMES = 40;

	private final ByteBuffer bytes;

	private final int workers;

	/**
	 * Creates a view over a control block.
	 * @param memory the memory that it begins
	 * @param workers how many workers it has lines for
	 */
	public ControlBlock(MessageBuffer memory, int workers) {
		this.bytes = memory.bytes();
		this.workers = workers;
	}

	/**
	 * The bytes of a control block: whole pages, so that the ring behind it begins on
	 * one.
	 * @param workers how many workers it has lines for
	 * @return the bytes
	 */
	public static int bytes(int workers) {
		return (WORKER_LINES + workers * RingLayout.LINE_BYTES + PAGE - 1) / PAGE * PAGE;
	}

	/**
	 * Writes the identity and sets the command to {@link Command#STOP}.
	 * @param ring the ring that follows
	 * @param requestFingerprint the fingerprint of the request layout
	 * @param responseFingerprint the fingerprint of the response layout
	 * @param startPosition the first position
	 */
	public void identify(RingLayout ring, long requestFingerprint, long responseFingerprint, long startPosition) {
		this.bytes.putLong(0, MAGIC);
		this.bytes.putInt(8, ABI_VERSION);
		this.bytes.putInt(12, ring.slots());
		this.bytes.putInt(16, this.workers);
		this.bytes.putInt(20, ring.voidRangesOffset());
		lane(24, ring.requests());
		lane(48, ring.responses());
		this.bytes.putLong(72, requestFingerprint);
		this.bytes.putLong(80, responseFingerprint);
		this.bytes.putLong(88, startPosition);
		command(Command.STOP);
	}

	private void lane(int offset, LaneLayout lane) {
		this.bytes.putInt(offset, lane.slotsOffset());
		this.bytes.putInt(offset + 4, lane.slotStride());
		this.bytes.putInt(offset + 8, lane.inlineBytes());
		this.bytes.putInt(offset + 12, lane.payloadsOffset());
		this.bytes.putInt(offset + 16, lane.payloadStride());
		this.bytes.putInt(offset + 20, lane.maxBytes());
	}

	/**
	 * The first position of the ring.
	 * @return the position
	 */
	public long startPosition() {
		return this.bytes.getLong(88);
	}

	/**
	 * Sets the bounds that the device keeps to; read by it at each launch.
	 * @param maxPerIteration the most requests of one iteration
	 * @param idleBudgetNanos how long a worker looks for requests before it rests
	 * @param iterationLimit how many requests an event-driven launch handles
	 */
	public void bounds(int maxPerIteration, long idleBudgetNanos, long iterationLimit) {
		this.bytes.putInt(HOST_LINE + 4, maxPerIteration);
		this.bytes.putLong(HOST_LINE + 8, idleBudgetNanos);
		this.bytes.putLong(HOST_LINE + 16, iterationLimit);
	}

	/**
	 * Gives a command.
	 * @param command the command
	 */
	public void command(Command command) {
		INT.setRelease(this.bytes, HOST_LINE, command.code());
	}

	/**
	 * The command in force.
	 * @return the command
	 */
	public Command command() {
		return ((int) INT.getAcquire(this.bytes, HOST_LINE) == Command.RUN.code()) ? Command.RUN : Command.STOP;
	}

	/**
	 * Counts a launch of the loop.
	 */
	public void launched() {
		LONG.getAndAdd(this.bytes, DEVICE_LINE, 1L);
	}

	/**
	 * How often the loop was launched or resumed.
	 * @return a count
	 */
	public long launches() {
		return (long) LONG.getOpaque(this.bytes, DEVICE_LINE);
	}

	/**
	 * The number of workers that this block has lines for.
	 * @return a count
	 */
	public int workers() {
		return this.workers;
	}

	/**
	 * Sets the state of a worker; called by that worker.
	 * @param worker the worker
	 * @param state its state
	 */
	public void workerState(int worker, WorkerState state) {
		INT.setOpaque(this.bytes, line(worker) + WORKER_STATE, state.code());
	}

	/**
	 * The state of a worker.
	 * @param worker the worker
	 * @return its state; {@link WorkerState#OUT} for a value that is none
	 */
	public WorkerState workerState(int worker) {
		return WorkerState.of((int) INT.getOpaque(this.bytes, line(worker) + WORKER_STATE));
	}

	/**
	 * Shows that a worker lives; called by that worker.
	 * @param worker the worker
	 */
	public void beat(int worker) {
		increment(worker, WORKER_HEARTBEAT);
	}

	/**
	 * Counts a request that was answered, whichever way; called by the worker that did.
	 * @param worker the worker
	 */
	public void processed(int worker) {
		increment(worker, WORKER_PROCESSED);
	}

	/**
	 * Counts a request on which the handler failed; called by the worker that answered.
	 * @param worker the worker
	 */
	public void failed(int worker) {
		increment(worker, WORKER_FAILED);
	}

	private void increment(int worker, int field) {
		int index = line(worker) + field;
		LONG.setOpaque(this.bytes, index, this.bytes.getLong(index) + 1);
	}

	/**
	 * The heartbeats of all workers together: grows while any of them lives.
	 * @return a count
	 */
	public long heartbeat() {
		return sum(WORKER_HEARTBEAT);
	}

	/**
	 * The requests that were answered, whichever way.
	 * @return a count
	 */
	public long processed() {
		return sum(WORKER_PROCESSED);
	}

	/**
	 * The requests on which the handler failed.
	 * @return a count
	 */
	public long failed() {
		return sum(WORKER_FAILED);
	}

	/**
	 * What requests took on a device, as its workers have told. Java threads tell
	 * nothing.
	 * @return the times, by the clock of the device
	 */
	public DeviceTicks deviceTicks() {
		long[] counts = new long[DeviceTicks.BUCKETS];
		for (int worker = 0; worker < this.workers; worker++) {
			for (int bucket = 0; bucket < counts.length; bucket++) {
				int at = line(worker) + WORKER_TIMES + bucket * Integer.BYTES;
				counts[bucket] += Integer.toUnsignedLong((int) INT.getOpaque(this.bytes, at));
			}
		}
		return new DeviceTicks(sum(WORKER_TICKS), counts);
	}

	private long sum(int field) {
		long sum = 0;
		for (int worker = 0; worker < this.workers; worker++) {
			sum += (long) LONG.getOpaque(this.bytes, line(worker) + field);
		}
		return sum;
	}

	/**
	 * What is in it, decoded; for display.
	 * @return a dump
	 */
	public ControlDump dump() {
		return new ControlInspection(this, this.bytes).dump();
	}

	static int line(int worker) {
		return WORKER_LINES + worker * RingLayout.LINE_BYTES;
	}

}
