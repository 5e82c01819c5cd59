package io.ringkernel.compiler.parallel;

import java.util.ArrayList;
import java.util.List;

import io.ringkernel.compiler.ir.Code;
import io.ringkernel.compiler.ir.Comparison;
import io.ringkernel.compiler.ir.Constant;
import io.ringkernel.compiler.ir.Instruction;
import io.ringkernel.compiler.ir.Label;
import io.ringkernel.compiler.ir.Operand;
import io.ringkernel.compiler.ir.Operator;
import io.ringkernel.compiler.ir.Register;
import io.ringkernel.compiler.parallel.ParallelReduction.Order;
import io.ringkernel.compiler.translation.Lane;
import io.ringkernel.compiler.translation.LaneLoop;
import io.ringkernel.compiler.translation.Translation;
import io.ringkernel.compiler.value.Value;

/**
 * A reduction that one thread makes, in a parallel part. If the order shows, the thread
 * computes the partial results in such an order that those that are combined first follow
 * each other. It then has to keep one for each level of the combinations, not all 256.
 * <p>
 * A thread that fails does not come to the failures in the order of Java. It goes on, and
 * remembers that of the lowest index; combinations of partial results count as indices
 * behind the values.
 */
final class ThreadReduction {

	private final Translation translation;

	private final Code code;

	private final ParallelReduction reduction;

	private final Lane.Failed failed;

	/** The results of each level that wait for another one. */
	private final List<Register> waiting = new ArrayList<>();

	/** Whether anything that was translated may fail. */
	private boolean fails;

	ThreadReduction(Translation translation, ParallelReduction reduction) {
		this.translation = translation;
		this.code = translation.code();
		this.reduction = reduction;
		this.failed = Lane.Failed.none(this.code);
	}

	Value reduce() {
		Register result = this.code.copy(this.reduction.identity());
		if (this.reduction.order() == Order.NONE) {
			LaneLoop loop = new LaneLoop(this.code, Constant.ZERO, this.reduction.count(), Constant.of(1));
			Value[] value = new Value[1];
			loop.add(() -> value[0] = this.reduction.value().apply(loop.index()),
					() -> this.reduction.combine(this.code, result, result, value[0]));
			return Value.of(result);
		}
		reduceInOrder(result);
		if (this.fails) {
			this.translation.failures().throwIf(this.failed);
		}
		return Value.of(result);
	}

	private void reduceInOrder(Register result) {
		Register turn = this.code.copy(Constant.ZERO);
		Label next = new Label();
		Label end = new Label();
		this.code.mark(next);
		Register partial = partial(turn);
		Operand taken = (this.reduction.order() == Order.OF_VALUES) ? taken(turn, partial) : Constant.of(1);
		this.code.move(result, this.reduction.identity());
		this.fails |= this.reduction.addValues(this.translation, result, partial, this.failed);
		List<Label> waits = new ArrayList<>();
		for (int level = 0; level < FoldOrder.LEVELS; level++) {
			this.waiting.add(this.code.register(result.type()));
			waits.add(new Label());
			combine(level, result, turn, partial, taken, waits.get(level));
		}
		this.code.jump(end);
		Label advance = new Label();
		for (int level = 0; level < FoldOrder.LEVELS; level++) {
			this.code.mark(waits.get(level));
			this.code.move(this.waiting.get(level), result);
			this.code.jump(advance);
		}
		this.code.mark(advance);
		this.code.add(new Instruction.Binary(Operator.ADD, turn, turn, taken));
		this.code.jump(next);
		this.code.mark(end);
	}

	/** Which partial result has its turn: the bits of its group and in it, reversed. */
	private Register partial(Register turn) {
		Register reverse = this.code.unary(Operator.REVERSE, turn);
		Register group = this.code.binary(Operator.AND,
				this.code.binary(Operator.USHR, reverse, Constant.of(Integer.SIZE - FoldOrder.LEVELS)),
				Constant.of(FoldOrder.GROUPS - 1));
		return this.code.binary(Operator.OR,
				this.code.binary(Operator.SHL, group, Constant.of(FoldOrder.LEVELS_OF_GROUP)),
				this.code.binary(Operator.USHR, reverse, Constant.of(Integer.SIZE - FoldOrder.LEVELS_OF_GROUP)));
	}

	/**
	 * How many turns are taken at once. If a partial result has no value, nor has one of
	 * those that it is combined with before it waits for another.
	 */
	private Register taken(Register turn, Register partial) {
		Register isEmpty = this.code.compare(Comparison.NOT_BELOW, partial, this.reduction.count());
		Register last = this.code.binary(Operator.OR, turn, Constant.of(FoldOrder.PARTIALS));
		Register all = this.code.binary(Operator.AND, last, this.code.unary(Operator.NEG, last));
		return this.code.select(isEmpty, all, Constant.of(1));
	}

	/**
	 * Combines with the result that waits, if there is one.
	 * @param waits where it waits itself, if there is none
	 */
	private void combine(int level, Register result, Register turn, Register partial, Operand taken, Label waits) {
		Label combined = new Label();
		if (taken instanceof Register) {
			Register isBelow = this.code.compare(Comparison.GT, taken, Constant.of(1 << level));
			this.code.branch(isBelow, true, combined);
		}
		Register bit = this.code.binary(Operator.AND, turn, Constant.of(1 << level));
		this.code.branch(Comparison.EQ, bit, Constant.ZERO, waits);
		Lane work = new Lane(FoldOrder.index(this.code, this.reduction.count(), level, partial), combined, this.failed);
		this.translation.inParallel(work, () -> {
			this.reduction.combine(this.code, result, this.waiting.get(level), Value.of(result));
			return result;
		});
		this.code.mark(combined);
		this.fails |= work.fails();
	}

}
