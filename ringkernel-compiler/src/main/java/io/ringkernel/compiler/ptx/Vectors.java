package io.ringkernel.compiler.ptx;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import io.ringkernel.compiler.ir.Instruction;
import io.ringkernel.compiler.ir.MemoryType;
import io.ringkernel.compiler.ir.Register;
import io.ringkernel.compiler.ir.WorkerCall;
import org.jspecify.annotations.Nullable;

/**
 * Components of a message that are loaded or stored one after another, and lie side by
 * side: an instruction moves up to 16 bytes of them. The fixed block of a message begins
 * at a multiple of that.
 */
final class Vectors {

	private static final int BYTES = 16;

	private Vectors() {
	}

	/** The longest row that one instruction moves: two or four, or the first alone. */
	static List<Instruction> beginning(List<Instruction> code, int from, WorkerCall worker) {
		List<Instruction> row = new ArrayList<>(List.of(code.get(from)));
		Access first = access(code.get(from));
		if (first == null || first.as().bytes() < Integer.BYTES
				|| !(first.base().equals(worker.in()) || first.base().equals(worker.out()))) {
			return row;
		}
		int bytes = first.as().bytes();
		int most = Math.min(code.size() - from, BYTES / bytes);
		while (row.size() < most && first.isBefore(access(code.get(from + row.size())), row.size())) {
			row.add(code.get(from + row.size()));
		}
		int size = Integer.highestOneBit(row.size());
		while (size > 1 && first.offset() % (size * bytes) != 0) {
			size /= 2;
		}
		return row.subList(0, size);
	}

	private static @Nullable Access access(Instruction instruction) {
		if (instruction instanceof Instruction.Load load) {
			return new Access(true, load.as(), load.base(), load.offset(), null);
		}
		return (instruction instanceof Instruction.Store store && store.value() instanceof Register)
				? new Access(false, store.as(), store.base(), store.offset(), store.guard()) : null;
	}

	/** A load or a store. */
	private record Access(boolean loads, MemoryType as, Register base, int offset, @Nullable Register guard) {

		boolean isBefore(@Nullable Access other, int distance) {
			return other != null && this.loads == other.loads && this.as == other.as && this.base.equals(other.base)
					&& other.offset == this.offset + distance * this.as.bytes()
					&& Objects.equals(this.guard, other.guard);
		}

	}

}
