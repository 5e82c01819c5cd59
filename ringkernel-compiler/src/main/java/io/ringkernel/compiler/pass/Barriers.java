package io.ringkernel.compiler.pass;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.ringkernel.compiler.ir.Code;
import io.ringkernel.compiler.ir.Instruction;
import io.ringkernel.compiler.ir.Label;
import io.ringkernel.compiler.ir.WorkerCall;

/**
 * Adds barriers where a thread may read what another one writes.
 * <p>
 * Outside parallel parts, all threads run the same code: each loads, and the first
 * stores. A parallel part is taken as one step, which loads and stores what any
 * instruction of it does. A step needs a barrier in front of it if it reads what was
 * stored since the barrier before, or stores where another thread has read or stored
 * since then. Which element that is, is not looked at.
 *
 * @since 0.2.0
 */
public final class Barriers {

	private static final int READ = 1;

	private static final int STORED_BY_FIRST = 2;

	private static final int STORED_BY_EACH = 4;

	private static final int STORED = STORED_BY_FIRST | STORED_BY_EACH;

	private final List<Instruction> instructions;

	/** What the ways to a label have done since their last barrier. */
	private final Map<Label, Integer> reaching = new HashMap<>();

	private boolean changed;

	private Barriers(List<Instruction> instructions) {
		this.instructions = instructions;
	}

	/** The code with barriers of the worker. */
	public static Code added(Code code, WorkerCall worker) {
		Barriers barriers = new Barriers(code.instructions());
		Instruction sync = new Instruction.Sync(worker);
		Code result;
		do {
			barriers.changed = false;
			result = new Code();
			barriers.pass(sync, result);
		}
		while (barriers.changed);
		return result;
	}

	private void pass(Instruction sync, Code result) {
		int pending = 0;
		int end;
		for (int i = 0; i < this.instructions.size(); i = end) {
			Instruction first = this.instructions.get(i);
			end = endOfStep(i);
			if (first instanceof Instruction.Mark mark) {
				pending |= this.reaching.getOrDefault(mark.label(), 0);
			}
			int step = step(i, end);
			if (conflicts(pending, step)) {
				result.add(sync);
				pending = 0;
			}
			this.instructions.subList(i, end).forEach(result::add);
			pending = after(first, pending | step);
		}
	}

	/** A parallel part ends where it says so; another instruction is a step by itself. */
	private int endOfStep(int begin) {
		int end = begin;
		if (this.instructions.get(begin) instanceof Instruction.Parallel) {
			do {
				end++;
			}
			while (!(this.instructions.get(end) instanceof Instruction.Parallel));
		}
		return end + 1;
	}

	private int step(int begin, int end) {
		int stored = (end - begin > 1) ? STORED_BY_EACH : STORED_BY_FIRST;
		int step = 0;
		for (Instruction instruction : this.instructions.subList(begin, end)) {
			if (instruction instanceof Instruction.Load load && load.shared()) {
				step |= READ;
			}
			else if (instruction instanceof Instruction.Store store && store.shared()) {
				step |= stored;
			}
			else if (instruction instanceof Instruction.Atomic) {
				step |= READ | stored;
			}
		}
		return step;
	}

	private static boolean conflicts(int pending, int step) {
		return ((step & READ) != 0 && (pending & STORED) != 0)
				|| ((step & STORED_BY_FIRST) != 0 && (pending & (READ | STORED_BY_EACH)) != 0)
				|| ((step & STORED_BY_EACH) != 0 && pending != 0);
	}

	private int after(Instruction instruction, int pending) {
		if (instruction instanceof Instruction.Branch branch) {
			reach(branch.to(), pending);
		}
		else if (instruction instanceof Instruction.Jump jump) {
			reach(jump.to(), pending);
			return 0;
		}
		else if (instruction instanceof Instruction.Sync || instruction instanceof Instruction.Vote) {
			return 0;
		}
		return pending;
	}

	private void reach(Label label, int pending) {
		int before = this.reaching.getOrDefault(label, 0);
		this.changed |= (before | pending) != before;
		this.reaching.put(label, before | pending);
	}

}
