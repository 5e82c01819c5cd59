package io.ringkernel.test.ptx.code;

import io.ringkernel.test.ptx.code.Flags.Source;
import io.ringkernel.test.ptx.machine.Instruction;
import io.ringkernel.test.ptx.machine.PtxFault.Kind;
import io.ringkernel.test.ptx.machine.Warp;
import io.ringkernel.test.ptx.text.Statement;

/** Instructions that say where lanes go on. */
final class Control {

	private Control() {
	}

	/** Holds the place of an instruction until its target is known. */
	static final Instruction UNLINKED = new Trap("nothing", "comes to an instruction without a target");

	/** {@code bra}. */
	record Branch(Statement statement, Source taken, int target) implements StatementInstruction {

		@Override
		public int step(Warp warp, int lanes, int at) {
			int leaving = lanes & this.taken.of(warp);
			if (leaving == lanes) {
				return this.target;
			}
			if (leaving == 0) {
				return at + 1;
			}
			warp.place(leaving, this.target);
			warp.place(lanes & ~leaving, at + 1);
			return ELSEWHERE;
		}

	}

	/** {@code brx.idx}. */
	record TableBranch(Statement statement, int index, int[] targets) implements StatementInstruction {

		@Override
		public int step(Warp warp, int lanes, int at) {
			for (int rest = lanes; rest != 0; rest &= rest - 1) {
				int lane = Integer.numberOfTrailingZeros(rest);
				long index = Integer.toUnsignedLong((int) warp.values()[this.index + lane]);
				if (index >= this.targets.length) {
					throw warp.fault(Kind.UNSPECIFIED, lane,
							"branches to target %d of %d".formatted(index, this.targets.length));
				}
				warp.place(1 << lane, this.targets[(int) index]);
			}
			return ELSEWHERE;
		}

	}

	/** {@code call}, after its arguments are where the function looks for them. */
	record Call(Statement statement, int function) implements StatementInstruction {

		@Override
		public int step(Warp warp, int lanes, int at) {
			warp.call(lanes, this.function, at + 1);
			return ELSEWHERE;
		}

	}

	/** {@code ret}. */
	record Return(Statement statement) implements StatementInstruction {

		@Override
		public int step(Warp warp, int lanes, int at) {
			warp.comeBack(lanes);
			return ELSEWHERE;
		}
	}

	/** {@code exit}. */
	record Exit(Statement statement) implements StatementInstruction {

		@Override
		public int step(Warp warp, int lanes, int at) {
			warp.end(lanes);
			return ELSEWHERE;
		}
	}

	/** {@code trap}, or the end of a function that does not return. */
	record Trap(String describe, String problem) implements Instruction {

		@Override
		public int step(Warp warp, int lanes, int at) {
			throw warp.fault(Kind.TRAP, Integer.numberOfTrailingZeros(lanes), this.problem);
		}

	}

	/** {@code nanosleep}. */
	record Sleep(Statement statement, int nanos) implements StatementInstruction {

		@Override
		public int step(Warp warp, int lanes, int at) {
			warp.place(lanes, at + 1);
			warp.rest(Integer.toUnsignedLong((int) warp.values()[this.nanos + Integer.numberOfTrailingZeros(lanes)]));
			return ELSEWHERE;
		}
	}

}
