package io.ringkernel.control;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

import io.ringkernel.control.ControlLayout.Lane;
import io.ringkernel.message.buffer.MessageBuffer;
import io.ringkernel.ring.LaneLayout;
import io.ringkernel.ring.RingLayout;

/**
 * The words through which host and device tell each other how they are. It begins the
 * memory of a kernel; {@link ControlLayout} says where each word lies.
 * <p>
 * Each counter has one writer, which increments it with a plain load and an opaque store.
 * Readers load it opaquely: counters are for display and supervision, and order nothing.
 * The command is stored with release and loaded with acquire. A device writes state and
 * launch of a worker in one access, its last one behind a fence.
 *
 * @since 0.1.0
 */
public final class ControlBlock {

	/** The version of this layout and of the ring's. */
	public static final int ABI_VERSION = 8;

	/** How a code is shown that is none. */
	static final String UNKNOWN = "UNKNOWN(%d)";

	static final long MAGIC = 0x4c4e524b_474e4952L;

	private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

	private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

	private static final int PAGE = 4096;

	private final ByteBuffer bytes;

	private final int lines;

	private volatile int workers;

	private volatile boolean handedOver;

	/**
	 * Creates a view over a control block.
	 * @param memory the memory that it begins
	 * @param lines how many workers it has lines for
	 */
	public ControlBlock(MessageBuffer memory, int lines) {
		this(memory.bytes(), lines);
	}

	private ControlBlock(ByteBuffer bytes, int lines) {
		this.bytes = bytes;
		this.lines = lines;
		this.workers = lines;
	}

	/**
	 * A view for the loop that comes after the one which commands through this view,
	 * which {@linkplain #retire() commands nothing any more}. The next loop finds the
	 * command to stop: a loop that was ended by force has left what it was told last.
	 * @return the view
	 * @since 0.2.0
	 */
	public ControlBlock handOver() {
		retire();
		ControlBlock next = new ControlBlock(this.bytes, this.lines);
		next.command(Command.STOP);
		return next;
	}

	/**
	 * Has this view command nothing any more, and show {@link Command#STOP}: a late
	 * thread of its loop can neither stop the next one nor take its command for its own.
	 * A command that is being given meanwhile comes before the return of this call, or
	 * not at all. The block itself is left alone, since the next loop may command
	 * already.
	 * @since 0.2.0
	 */
	public synchronized void retire() {
		this.handedOver = true;
	}

	/**
	 * {@return whether another loop commands in place of the one that has this view}
	 * @since 0.2.0
	 */
	public boolean isHandedOver() {
		return this.handedOver;
	}

	/**
	 * {@return the bytes of a control block: whole pages, so that the ring behind it
	 * begins on one}
	 * @param workers how many workers it has lines for
	 */
	public static int bytes(int workers) {
		return (ControlLayout.WORKER_LINES + workers * RingLayout.LINE_BYTES + PAGE - 1) / PAGE * PAGE;
	}

	/**
	 * Writes the identity and sets the command to {@link Command#STOP}.
	 * @param ring the ring that follows
	 * @param requestFingerprint the fingerprint of the request layout
	 * @param responseFingerprint the fingerprint of the response layout
	 * @param startPosition the first position
	 */
	public void identify(RingLayout ring, long requestFingerprint, long responseFingerprint, long startPosition) {
		this.bytes.putLong(ControlLayout.MAGIC, MAGIC);
		this.bytes.putInt(ControlLayout.ABI_VERSION, ABI_VERSION);
		this.bytes.putInt(ControlLayout.SLOTS, ring.slots());
		this.bytes.putInt(ControlLayout.WORKERS, this.lines);
		this.bytes.putInt(ControlLayout.SKIPPED_LAPS, ring.skippedLapsOffset());
		lane(ControlLayout.REQUESTS, ring.requests());
		lane(ControlLayout.RESPONSES, ring.responses());
		this.bytes.putLong(ControlLayout.REQUEST_FINGERPRINT, requestFingerprint);
		this.bytes.putLong(ControlLayout.RESPONSE_FINGERPRINT, responseFingerprint);
		this.bytes.putLong(ControlLayout.START_POSITION, startPosition);
		command(Command.STOP);
	}

	private void lane(int offset, LaneLayout lane) {
		this.bytes.putInt(offset + Lane.SLOTS_OFFSET, lane.slotsOffset());
		this.bytes.putInt(offset + Lane.SLOT_STRIDE, lane.slotStride());
		this.bytes.putInt(offset + Lane.INLINE_BYTES, lane.inlineBytes());
		this.bytes.putInt(offset + Lane.PAYLOADS_OFFSET, lane.payloadsOffset());
		this.bytes.putInt(offset + Lane.PAYLOAD_STRIDE, lane.payloadStride());
		this.bytes.putInt(offset + Lane.MAX_BYTES, lane.maxBytes());
	}

	/**
	 * {@return the first position of the ring}
	 */
	public long startPosition() {
		return this.bytes.getLong(ControlLayout.START_POSITION);
	}

	/**
	 * Gives a command, unless this view was {@linkplain #handOver handed over}.
	 * @param command the command
	 */
	public void command(Command command) {
		unlessHandedOver(() -> INT.setRelease(this.bytes, ControlLayout.COMMAND, command.code()));
	}

	/**
	 * Writes to the control block, unless this view was {@linkplain #handOver handed
	 * over}: what is in it then is the next loop's. It is not handed over meanwhile.
	 * @param writing what writes
	 * @since 0.2.0
	 */
	public synchronized void unlessHandedOver(Runnable writing) {
		if (!this.handedOver) {
			writing.run();
		}
	}

	/**
	 * {@return the command in force}
	 */
	public Command command() {
		boolean runs = (int) INT.getAcquire(this.bytes, ControlLayout.COMMAND) == Command.RUN.code();
		return (runs && !this.handedOver) ? Command.RUN : Command.STOP;
	}

	/** Counts a launch of the loop. */
	public void launched() {
		LONG.getAndAdd(this.bytes, ControlLayout.LAUNCHES, 1L);
	}

	/**
	 * {@return how often the loop was launched or resumed}
	 */
	public long launches() {
		return (long) LONG.getOpaque(this.bytes, ControlLayout.LAUNCHES);
	}

	/**
	 * {@return how many workers serve, the first of those that this block has lines for:
	 * all, unless a loop has {@linkplain #serveBy(int) fewer}}
	 */
	public int workers() {
		return this.workers;
	}

	/**
	 * {@return how many workers this block has lines for}
	 * @since 0.2.0
	 */
	public int lines() {
		return this.lines;
	}

	/**
	 * States how many workers the loop of this view has; called as it is loaded.
	 * @param workers a count, of at most the lines
	 * @since 0.2.0
	 */
	public void serveBy(int workers) {
		this.workers = workers;
	}

	/**
	 * Sets the state of a worker; called by that worker.
	 * @param worker the worker
	 * @param state its state
	 */
	public void workerState(int worker, WorkerState state) {
		INT.setOpaque(this.bytes, ControlLayout.workerLine(worker) + ControlLayout.WORKER_STATE, state.code());
	}

	/**
	 * {@return the state of a worker; {@link WorkerState#OUT} for a value that is none}
	 * @param worker the worker
	 */
	public WorkerState workerState(int worker) {
		return WorkerState
			.of((int) INT.getOpaque(this.bytes, ControlLayout.workerLine(worker) + ControlLayout.WORKER_STATE));
	}

	/**
	 * {@return whether every worker has come up in the latest launch; always {@code
	 * false} over a bridge: only a device that reads the host's memory tells}
	 */
	public boolean allCameUp() {
		int launch = (int) launches();
		for (int worker = 0; worker < this.workers; worker++) {
			if (launchOf(word(worker)) != launch) {
				return false;
			}
		}
		return true;
	}

	/**
	 * {@return whether a worker has come up in the latest launch; never over a bridge}
	 * @param worker the worker
	 * @since 0.2.0
	 */
	public boolean cameUp(int worker) {
		return launchOf(word(worker)) == (int) launches();
	}

	/**
	 * {@return whether every worker of the latest launch has ended: then the device has
	 * stored all that it will, and stores no more. The proof needs no driver, but a
	 * device that reads the host's memory: over a bridge, the answer is always no}
	 */
	public boolean allHaveEnded() {
		int launch = (int) launches();
		for (int worker = 0; worker < this.workers; worker++) {
			long word = word(worker);
			if (launchOf(word) != launch || (int) word != WorkerState.OUT.code()) {
				return false;
			}
		}
		return true;
	}

	/**
	 * State and launch of a worker. Pairs with the fence before the last store of a
	 * worker on a device.
	 */
	private long word(int worker) {
		return (long) LONG.getAcquire(this.bytes, ControlLayout.workerLine(worker) + ControlLayout.WORKER_STATE);
	}

	private static int launchOf(long word) {
		return (int) (word >>> (ControlLayout.WORKER_LAUNCH * Byte.SIZE));
	}

	/**
	 * Shows that a worker lives; called by that worker.
	 * @param worker the worker
	 */
	public void beat(int worker) {
		increment(worker, ControlLayout.WORKER_HEARTBEAT);
	}

	/**
	 * Counts a request that was answered, whichever way; called by the worker that did.
	 * @param worker the worker
	 */
	public void processed(int worker) {
		increment(worker, ControlLayout.WORKER_PROCESSED);
	}

	/**
	 * Counts a request on which the handler failed; called by the worker that answered.
	 * @param worker the worker
	 */
	public void failed(int worker) {
		increment(worker, ControlLayout.WORKER_FAILED);
	}

	private void increment(int worker, int field) {
		int index = ControlLayout.workerLine(worker) + field;
		LONG.setOpaque(this.bytes, index, this.bytes.getLong(index) + 1);
	}

	/**
	 * {@return the heartbeats of all workers together: grows while any of them lives}
	 */
	public long heartbeat() {
		return sum(ControlLayout.WORKER_HEARTBEAT);
	}

	/**
	 * {@return the heartbeat of one worker: grows while that lives, and with each launch}
	 * @param worker the worker
	 * @since 0.2.0
	 */
	public long heartbeat(int worker) {
		return (long) LONG.getOpaque(this.bytes, ControlLayout.workerLine(worker) + ControlLayout.WORKER_HEARTBEAT);
	}

	/**
	 * {@return how many requests were answered, whichever way}
	 */
	public long processed() {
		return sum(ControlLayout.WORKER_PROCESSED);
	}

	/**
	 * {@return on how many requests the handler failed}
	 */
	public long failed() {
		return sum(ControlLayout.WORKER_FAILED);
	}

	/**
	 * {@return what requests took on a device, as its workers have told by the clock of
	 * the device; Java threads tell nothing}
	 */
	public DeviceTicks deviceTicks() {
		long[] counts = new long[DeviceTicks.BUCKETS];
		for (int worker = 0; worker < this.lines; worker++) {
			for (int bucket = 0; bucket < counts.length; bucket++) {
				int at = ControlLayout.workerLine(worker) + ControlLayout.WORKER_TIMES + bucket * Integer.BYTES;
				counts[bucket] += Integer.toUnsignedLong((int) INT.getOpaque(this.bytes, at));
			}
		}
		return new DeviceTicks(sum(ControlLayout.WORKER_TICKS), Arrays.stream(counts).boxed().toList());
	}

	/** Also of workers that an earlier loop had: counts do not go back. */
	private long sum(int field) {
		long sum = 0;
		for (int worker = 0; worker < this.lines; worker++) {
			sum += (long) LONG.getOpaque(this.bytes, ControlLayout.workerLine(worker) + field);
		}
		return sum;
	}

	/**
	 * {@return what is in it, decoded; for display}
	 */
	public ControlDump dump() {
		return new ControlInspection(this, this.bytes).dump();
	}

}
