package io.ringkernel.test.ptx.code;

import io.ringkernel.test.ptx.code.Flags.Source;
import io.ringkernel.test.ptx.machine.Instruction;
import io.ringkernel.test.ptx.machine.PtxFault.Kind;
import io.ringkernel.test.ptx.machine.Warp;
import io.ringkernel.test.ptx.text.Statement;

/**
 * Instructions that say where lanes go on.
 */
final class Control {

	private Control() {
	}

	/** {@code bra}. */
	static final class Branch extends Instruction {

		private final Source taken;

		private int target;

		Branch(Statement statement, Source taken) {
			super(statement.line(), statement.mnemonic());
			this.taken = taken;
		}

		void target(int target) {
			this.target = target;
		}

		@Override
		protected int step(Warp warp, int lanes, int at) {
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
	static final class TableBranch extends Instruction {

		private final int index;

		private final int[] targets;

		TableBranch(Statement statement, int index, int targets) {
			super(statement.line(), statement.mnemonic());
			this.index = index;
			this.targets = new int[targets];
		}

		void target(int index, int target) {
			this.targets[index] = target;
		}

		@Override
		protected int step(Warp warp, int lanes, int at) {
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
	static final class Call extends Instruction {

		private int function;

		Call(Statement statement) {
			super(statement.line(), statement.mnemonic());
		}

		void function(int function) {
			this.function = function;
		}

		@Override
		protected int step(Warp warp, int lanes, int at) {
			warp.call(lanes, this.function, at + 1);
			return ELSEWHERE;
		}

	}

	/** {@code ret}. */
	static final class Return extends Instruction {

		Return(Statement statement) {
			super(statement.line(), statement.mnemonic());
		}

		@Override
		protected int step(Warp warp, int lanes, int at) {
			warp.comeBack(lanes);
			return ELSEWHERE;
		}

	}

	/** {@code exit}. */
	static final class Exit extends Instruction {

		Exit(Statement statement) {
			super(statement.line(), statement.mnemonic());
		}

		@Override
		protected int step(Warp warp, int lanes, int at) {
			warp.end(lanes);
			return ELSEWHERE;
		}

	}

	/** {@code trap}, or the end of a function that does not return. */
	static final class Trap extends Instruction {

		private final String problem;

		Trap(int line, String mnemonic, String problem) {
			super(line, mnemonic);
			this.problem = problem;
		}

		@Override
		protected int step(Warp warp, int lanes, int at) {
			throw warp.fault(Kind.TRAP, Integer.numberOfTrailingZeros(lanes), this.problem);
		}

	}

	/** {@code nanosleep}. */
	static final class Sleep extends Instruction {

		private final int nanos;

		Sleep(Statement statement, int nanos) {
			super(statement.line(), statement.mnemonic());
			this.nanos = nanos;
		}

		@Override
		protected int step(Warp warp, int lanes, int at) {
			warp.place(lanes, at + 1);
			warp.rest(Integer.toUnsignedLong((int) warp.values()[this.nanos + Integer.numberOfTrailingZeros(lanes)]));
			return ELSEWHERE;
		}

	}

}
