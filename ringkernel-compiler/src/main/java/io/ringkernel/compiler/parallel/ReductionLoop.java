package io.ringkernel.compiler.parallel;

import java.util.List;

import io.ringkernel.compiler.ir.Code;
import io.ringkernel.compiler.ir.Comparison;
import io.ringkernel.compiler.ir.Constant;
import io.ringkernel.compiler.ir.Instruction;
import io.ringkernel.compiler.ir.Label;
import io.ringkernel.compiler.ir.MemoryType;
import io.ringkernel.compiler.ir.Operator;
import io.ringkernel.compiler.ir.Register;
import io.ringkernel.compiler.ir.WorkerCall;
import io.ringkernel.compiler.pass.StraightLine;
import io.ringkernel.compiler.translation.ArrayElements;
import io.ringkernel.compiler.translation.Lane;
import io.ringkernel.compiler.translation.LaneLoop;
import io.ringkernel.compiler.translation.Translation;
import io.ringkernel.compiler.value.Value;

/**
 * A reduction in the order that {@code Parallel} specifies: each thread computes partial
 * results, of which the lanes of a warp hold those of a group. They fold the group by
 * shuffles, and its first lane hands the result to all threads, each of which folds the
 * results of the groups.
 */
final class ReductionLoop {

	private final Translation translation;

	private final Code code;

	private final ParallelReduction reduction;

	/** Whether anything that was translated may fail. */
	private boolean fails;

	ReductionLoop(Translation translation, ParallelReduction reduction) {
		this.translation = translation;
		this.code = translation.code();
		this.reduction = reduction;
	}

	Value reduce() {
		MemoryType memory = MemoryType.of(this.reduction.identity().type());
		this.code.add(new Instruction.Parallel(true));
		Register exchange = this.code.binary(Operator.ADD, this.translation.worker().call(),
				Constant.of((long) WorkerCall.EXCHANGE));
		LaneLoop partials = LaneLoop.ofThreads(this.translation, Constant.of(FoldOrder.PARTIALS));
		partials.add(() -> group(partials.index(), exchange, memory));
		this.code.add(new Instruction.Parallel(false));
		if (this.fails) {
			this.translation.failures().meet();
		}
		return foldGroups(exchange, memory);
	}

	/** Computes a partial result in each lane, and that of the group in the first one. */
	private void group(Register partial, Register exchange, MemoryType memory) {
		Register result = this.code.copy(this.reduction.identity());
		this.fails |= this.reduction.addValues(this.translation, result, partial,
				this.translation.failures().ofThread());
		for (int level = 0; level < FoldOrder.LEVELS_OF_GROUP; level++) {
			foldLanes(result, level, partial);
		}
		Register inGroup = this.code.binary(Operator.AND, partial, Constant.of(FoldOrder.GROUP - 1));
		Register isFirst = this.code.compare(Comparison.EQ, inGroup, Constant.ZERO);
		Register group = this.code.binary(Operator.USHR, partial, Constant.of(FoldOrder.LEVELS_OF_GROUP));
		Register place = ArrayElements.address(this.code, exchange, group, MemoryType.LONG);
		this.code.add(new Instruction.Store(memory, place, 0, result, true, isFirst));
	}

	/**
	 * The first lanes combine: others have values that are not to be. A lane that fails
	 * here still takes part in the shuffles that follow.
	 */
	private void foldLanes(Register result, int level, Register partial) {
		Register other = this.code.register(result.type());
		this.code.add(new Instruction.Shuffle(other, result, FoldOrder.distance(level)));
		Label folded = new Label();
		Lane work = new Lane(FoldOrder.index(this.code, this.reduction.count(), level, partial), folded,
				this.translation.failures().ofThread());
		int begin = this.code.instructions().size();
		this.translation.inParallel(work, () -> {
			Value value = this.reduction.operator().apply(Value.of(result), Value.of(other));
			this.code.move(result, value.scalar());
			return value;
		});
		List<Instruction> combination = this.code.cut(begin);
		StraightLine straight = StraightLine.of(combination);
		if (straight == null || !straight.isPure()) {
			Register inGroup = this.code.binary(Operator.AND, partial, Constant.of(FoldOrder.GROUP - 1));
			Register isOther = this.code.compare(Comparison.NOT_BELOW, inGroup, Constant.of(FoldOrder.distance(level)));
			this.code.branch(isOther, true, folded);
		}
		combination.forEach(this.code::add);
		this.code.mark(folded);
		this.fails |= work.fails();
	}

	private Value foldGroups(Register exchange, MemoryType memory) {
		Value[] groups = new Value[FoldOrder.GROUPS];
		for (int i = 0; i < groups.length; i++) {
			groups[i] = Value.of(this.code.load(memory, exchange, i * Long.BYTES, true));
		}
		for (int distance = groups.length / 2; distance > 0; distance /= 2) {
			for (int i = 0; i < distance; i++) {
				groups[i] = this.reduction.operator().apply(groups[i], groups[i + distance]);
			}
		}
		return groups[0];
	}

}
