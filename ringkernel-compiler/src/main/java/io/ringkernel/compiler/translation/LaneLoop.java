package io.ringkernel.compiler.translation;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

import io.ringkernel.compiler.ir.Code;
import io.ringkernel.compiler.ir.Comparison;
import io.ringkernel.compiler.ir.Constant;
import io.ringkernel.compiler.ir.Instruction;
import io.ringkernel.compiler.ir.Label;
import io.ringkernel.compiler.ir.Operand;
import io.ringkernel.compiler.ir.Operator;
import io.ringkernel.compiler.ir.Register;
import io.ringkernel.compiler.pass.Checks;
import io.ringkernel.compiler.pass.OverwrittenArray;
import io.ringkernel.compiler.pass.StraightLine;

/**
 * A loop over indices at a distance of each other, whose iterations are independent. A
 * step beyond the greatest {@code int} is no index: they are compared as unsigned
 * numbers.
 *
 * @since 0.2.0
 */
public final class LaneLoop {

	private final Code code;

	private final Register index;

	private final Operand count;

	private final Operand step;

	private final Label behind = new Label();

	/** A loop from a first index to those below a count, which is not negative. */
	public LaneLoop(Code code, Operand first, Operand count, Operand step) {
		this.code = code;
		this.index = code.copy(first);
		this.count = count;
		this.step = step;
	}

	/** A loop in which each thread takes the indices that are its own. */
	public static LaneLoop ofThreads(Translation translation, Operand count) {
		return new LaneLoop(translation.code(), translation.worker().lane(), count, translation.worker().lanes());
	}

	/**
	 * Adds a loop over independent indices: of the threads of the worker, or in a
	 * parallel part, of the thread alone.
	 */
	public static void over(Translation translation, Operand count, Consumer<Register> body) {
		if (translation.isParallel()) {
			LaneLoop loop = new LaneLoop(translation.code(), Constant.ZERO, count, Constant.of(1));
			loop.add(() -> body.accept(loop.index()));
			return;
		}
		translation.code().add(new Instruction.Parallel(true));
		LaneLoop loop = ofThreads(translation, translation.code().binary(Operator.MAX, count, Constant.ZERO));
		loop.add(() -> body.accept(loop.index()), translation.failures()::isExit);
		translation.code().add(new Instruction.Parallel(false));
	}

	public Register index() {
		return this.index;
	}

	public Label behind() {
		return this.behind;
	}

	public void add(Runnable body) {
		add(translated(body), List.of());
	}

	/**
	 * Adds the loop, all of whose indices are those of a parallel part.
	 * @param fails whether a label is where the request fails
	 */
	public void add(Runnable body, Predicate<Label> fails) {
		List<Instruction> translated = translated(body);
		int begin = this.code.instructions().size();
		add(translated, List.of());
		List<Instruction> loop = this.code.cut(begin);
		OverwrittenArray.leave(this.code, translated, this.index, this.count, fails);
		loop.forEach(this.code::add);
	}

	/**
	 * Adds the loop. Its body has two parts, of which the first does not depend on
	 * indices before: it is made for several at a time if it is straight.
	 */
	public void add(Runnable body, Runnable inOrder) {
		List<Instruction> first = translated(body);
		add(first, translated(inOrder));
	}

	private List<Instruction> translated(Runnable part) {
		int begin = this.code.instructions().size();
		part.run();
		return this.code.cut(begin);
	}

	private void add(List<Instruction> first, List<Instruction> second) {
		Label head = new Label();
		StraightLine independent = StraightLine.of(first);
		StraightLine ordered = StraightLine.of(second);
		if (independent != null && ordered != null && WideLoop.isWorthwhile(independent, ordered)) {
			new WideLoop(this.code, this.index, this.step).add(this.count, independent, ordered, head);
		}
		this.code.mark(head);
		Register isBehind = this.code.compare(Comparison.NOT_BELOW, this.index, this.count);
		this.code.branch(isBehind, true, this.behind);
		((independent != null) ? Checks.joined(this.code, independent.withLoadsTogether().instructions()) : first)
			.forEach(this.code::add);
		second.forEach(this.code::add);
		this.code.add(new Instruction.Binary(Operator.ADD, this.index, this.index, this.step));
		this.code.jump(head);
		this.code.mark(this.behind);
	}

}
