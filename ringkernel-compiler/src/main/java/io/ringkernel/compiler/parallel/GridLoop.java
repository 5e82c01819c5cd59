package io.ringkernel.compiler.parallel;

import java.util.function.Consumer;

import io.ringkernel.compiler.ir.Code;
import io.ringkernel.compiler.ir.Comparison;
import io.ringkernel.compiler.ir.Constant;
import io.ringkernel.compiler.ir.Instruction;
import io.ringkernel.compiler.ir.Label;
import io.ringkernel.compiler.ir.Operand;
import io.ringkernel.compiler.ir.Operator;
import io.ringkernel.compiler.ir.Register;
import io.ringkernel.compiler.ir.RegisterType;
import io.ringkernel.compiler.translation.Assistance;
import io.ringkernel.compiler.translation.Lane;
import io.ringkernel.compiler.translation.LaneLoop;
import io.ringkernel.compiler.translation.Translation;

/**
 * A loop whose indices the workers of the kernel share. Each worker takes a chunk of
 * indices after the other, of which each of its threads takes its own, until there is
 * none left. A worker that cannot share its loop takes all of them as one chunk.
 */
final class GridLoop {

	private final Translation translation;

	private final Code code;

	GridLoop(Translation translation) {
		this.translation = translation;
		this.code = translation.code();
	}

	/** Adds the loop over as many indices, which are not negative. */
	void add(Operand indices, Consumer<Register> body) {
		Label behind = new Label();
		Register count = this.code.copy(indices);
		Assistance.Loop loop = this.translation.assistance().offer(count);
		int begin = this.code.instructions().size();
		this.code.mark(loop.entry());
		Register first = claim(loop, count);
		this.code.branch(Comparison.NOT_BELOW, first, count, behind);
		Operand size = this.code.binary(Operator.MIN, loop.chunk(), this.code.binary(Operator.SUB, count, first));
		this.code.add(new Instruction.Parallel(true));
		LaneLoop lanes = new LaneLoop(this.code,
				this.code.binary(Operator.ADD, first, this.translation.worker().lane()),
				this.code.binary(Operator.ADD, first, size), this.translation.worker().lanes());
		Lane work = new Lane(lanes.index(), lanes.behind(), this.translation.failures().ofThread());
		lanes.add(() -> this.translation.inParallel(work, () -> {
			body.accept(lanes.index());
			return work;
		}));
		this.code.add(new Instruction.Parallel(false));
		this.code.jump(loop.entry());
		this.code.mark(behind);
		this.translation.assistance().end(loop, begin, work.fails());
		if (work.fails()) {
			this.translation.failures().meet();
		}
	}

	/** The first index of the next chunk. */
	private Register claim(Assistance.Loop loop, Register count) {
		Label shared = new Label();
		Label claimed = new Label();
		Register first = this.code.register(RegisterType.INT);
		this.code.branch(Comparison.EQ, loop.alone(), Constant.ZERO, shared);
		this.code.move(first, loop.next());
		this.code.move(loop.next(), count);
		this.code.jump(claimed);
		this.code.mark(shared);
		this.code.move(first, this.translation.assistance().claim(loop.chunk()));
		this.code.mark(claimed);
		return first;
	}

}
