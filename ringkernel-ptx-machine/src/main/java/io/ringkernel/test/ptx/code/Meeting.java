package io.ringkernel.test.ptx.code;

import java.lang.invoke.VarHandle;

import io.ringkernel.test.ptx.code.Flags.Source;
import io.ringkernel.test.ptx.machine.PtxFault.Kind;
import io.ringkernel.test.ptx.machine.Races;
import io.ringkernel.test.ptx.machine.Warp;
import io.ringkernel.test.ptx.text.Statement;

/** Instructions at which threads wait for each other. */
final class Meeting {

	private Meeting() {
	}

	/** All members of a group of lanes execute it together. It orders no memory. */
	interface Together extends StatementInstruction {

		/** The register of the lanes that it waits for. */
		int members();

		/** Of groups that come at once, those that are complete go on; others wait. */
		@Override
		default int step(Warp warp, int lanes, int at) {
			long[] values = warp.values();
			int register = members();
			int members = (int) values[register + Integer.numberOfTrailingZeros(lanes)];
			if (members == lanes && sharing(values, lanes, register, members) == lanes) {
				execute(warp, lanes);
				return at + 1;
			}
			warp.place(lanes, at);
			int rest = lanes;
			while (rest != 0) {
				int group = (int) values[register + Integer.numberOfTrailingZeros(rest)];
				int come = sharing(values, rest, register, group);
				rest &= ~come;
				if (warp.meet(come, group)) {
					if (!warp.standHere(group)) {
						throw warp.fault(Kind.DEADLOCK, Integer.numberOfTrailingZeros(come),
								"meets lanes 0x%08x at different places".formatted(group));
					}
					execute(warp, group);
					warp.place(group, at + 1);
				}
			}
			return ELSEWHERE;
		}

		private static int sharing(long[] values, int lanes, int register, int members) {
			int sharing = 0;
			for (int rest = lanes; rest != 0; rest &= rest - 1) {
				int lane = Integer.numberOfTrailingZeros(rest);
				if ((int) values[register + lane] == members) {
					sharing |= 1 << lane;
				}
			}
			return sharing;
		}

		void execute(Warp warp, int lanes);

	}

	/** {@code bar.warp.sync}, which orders memory among its lanes. */
	record WarpBarrier(Statement statement, int members) implements Together {

		@Override
		public void execute(Warp warp, int lanes) {
			Races races = warp.block().races();
			if (races != null) {
				races.met(warp, lanes);
			}
		}
	}

	/** {@code bar.sync} and {@code barrier.sync}. */
	record BlockBarrier(Statement statement, int barrier, int threads) implements StatementInstruction {

		@Override
		public int step(Warp warp, int lanes, int at) {
			int lane = Integer.numberOfTrailingZeros(lanes);
			int threads = (int) warp.values()[this.threads + lane];
			warp.place(lanes, at + 1);
			VarHandle.fullFence();
			warp.block().barriers().arrive(warp, lanes, (int) warp.values()[this.barrier + lane], threads);
			return ELSEWHERE;
		}
	}

	/**
	 * {@code barrier.red} with a predicate as the result.
	 *
	 * @param needsAll whether all threads have to vote for it, or any
	 */
	record VotingBarrier(Statement statement, int destination, int barrier, int threads, Source source,
			boolean needsAll) implements StatementInstruction {

		@Override
		public int step(Warp warp, int lanes, int at) {
			int lane = Integer.numberOfTrailingZeros(lanes);
			warp.place(lanes, at + 1);
			VarHandle.fullFence();
			warp.block()
				.barriers()
				.vote(warp, lanes, (int) warp.values()[this.barrier + lane], (int) warp.values()[this.threads + lane],
						this.source.of(warp), this::tell);
			return ELSEWHERE;
		}

		private void tell(Warp warp, int lanes, int votes, int voters) {
			boolean holds = this.needsAll ? votes == voters : votes > 0;
			Flags.set(warp, this.destination, lanes, holds ? -1 : 0);
		}
	}

	/** {@code fence} and {@code membar}. */
	record Fence(Statement statement) implements LaneInstruction {

		@Override
		public void execute(Warp warp, int lanes) {
			VarHandle.fullFence();
		}
	}

}
