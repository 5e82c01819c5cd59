package io.ringkernel.control;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

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
		List<ControlDump.WorkerLine> lines = new ArrayList<>();
		for (int worker = 0; worker < this.control.workers(); worker++) {
			lines.add(line(ControlBlock.line(worker)));
		}
		return new ControlDump(this.bytes.getLong(0) == ControlBlock.MAGIC, this.bytes.getInt(8), this.bytes.getInt(12),
				this.bytes.getInt(16), this.bytes.getInt(20), lane(24), lane(48), this.bytes.getLong(72),
				this.bytes.getLong(80), this.bytes.getLong(88), command(this.bytes.getInt(ControlBlock.HOST_LINE)),
				this.bytes.getInt(ControlBlock.HOST_LINE + 4), this.bytes.getLong(ControlBlock.HOST_LINE + 8),
				this.bytes.getLong(ControlBlock.HOST_LINE + 16), this.control.launches(), lines);
	}

	private LaneLayout lane(int offset) {
		return new LaneLayout(this.bytes.getInt(offset), this.bytes.getInt(offset + 4), this.bytes.getInt(offset + 8),
				this.bytes.getInt(offset + 12), this.bytes.getInt(offset + 16), this.bytes.getInt(offset + 20));
	}

	private ControlDump.WorkerLine line(int offset) {
		return new ControlDump.WorkerLine(state(this.bytes.getInt(offset)), this.bytes.getLong(offset + 8),
				this.bytes.getLong(offset + 16), this.bytes.getLong(offset + 24));
	}

	private static String command(int code) {
		return Stream.of(Command.values())
			.filter((command) -> command.code() == code)
			.findFirst()
			.map(Enum::name)
			.orElseGet(() -> unknown(code));
	}

	private static String state(int code) {
		return Stream.of(WorkerState.values())
			.filter((state) -> state.code() == code)
			.findFirst()
			.map(Enum::name)
			.orElseGet(() -> unknown(code));
	}

	private static String unknown(int code) {
		return ControlBlock.UNKNOWN.formatted(code);
	}

}
