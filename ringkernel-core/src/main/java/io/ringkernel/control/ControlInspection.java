package io.ringkernel.control;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.IntStream;

import io.ringkernel.control.ControlLayout.Lane;
import io.ringkernel.ring.LaneLayout;

/**
 * Decodes a control block, whatever is in it. It only loads.
 */
final class ControlInspection {

	private final ControlBlock control;

	private final ByteBuffer bytes;

	ControlInspection(ControlBlock control, ByteBuffer bytes) {
		this.control = control;
		this.bytes = bytes;
	}

	ControlDump dump() {
		List<ControlDump.WorkerLine> lines = IntStream.range(0, this.control.workers())
			.mapToObj((worker) -> line(ControlLayout.workerLine(worker)))
			.toList();
		return new ControlDump(this.bytes.getLong(ControlLayout.MAGIC) == ControlBlock.MAGIC,
				this.bytes.getInt(ControlLayout.ABI_VERSION), this.bytes.getInt(ControlLayout.SLOTS),
				this.bytes.getInt(ControlLayout.WORKERS), this.bytes.getInt(ControlLayout.SKIPPED_LAPS),
				lane(ControlLayout.REQUESTS), lane(ControlLayout.RESPONSES),
				this.bytes.getLong(ControlLayout.REQUEST_FINGERPRINT),
				this.bytes.getLong(ControlLayout.RESPONSE_FINGERPRINT),
				this.bytes.getLong(ControlLayout.START_POSITION),
				name(Command.values(), this.bytes.getInt(ControlLayout.COMMAND)), this.control.launches(), lines);
	}

	private LaneLayout lane(int offset) {
		return new LaneLayout(this.bytes.getInt(offset + Lane.SLOTS_OFFSET),
				this.bytes.getInt(offset + Lane.SLOT_STRIDE), this.bytes.getInt(offset + Lane.INLINE_BYTES),
				this.bytes.getInt(offset + Lane.PAYLOADS_OFFSET), this.bytes.getInt(offset + Lane.PAYLOAD_STRIDE),
				this.bytes.getInt(offset + Lane.MAX_BYTES));
	}

	private ControlDump.WorkerLine line(int offset) {
		return new ControlDump.WorkerLine(
				name(WorkerState.values(), this.bytes.getInt(offset + ControlLayout.WORKER_STATE)),
				this.bytes.getLong(offset + ControlLayout.WORKER_HEARTBEAT),
				this.bytes.getLong(offset + ControlLayout.WORKER_PROCESSED),
				this.bytes.getLong(offset + ControlLayout.WORKER_FAILED));
	}

	/** The name of a constant whose code is its place among all of them. */
	private static String name(Enum<?>[] constants, int code) {
		return (code >= 0 && code < constants.length) ? constants[code].name() : ControlBlock.UNKNOWN.formatted(code);
	}

}
