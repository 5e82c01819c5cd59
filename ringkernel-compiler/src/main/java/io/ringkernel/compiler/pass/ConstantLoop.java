package io.ringkernel.compiler.pass;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import io.ringkernel.compiler.ir.Code;
import io.ringkernel.compiler.ir.Comparison;
import io.ringkernel.compiler.ir.Constant;
import io.ringkernel.compiler.ir.Instruction;
import io.ringkernel.compiler.ir.Label;
import io.ringkernel.compiler.ir.Register;
import io.ringkernel.compiler.ir.RegisterUse;
import io.ringkernel.compiler.ir.Renaming;
import org.jspecify.annotations.Nullable;

/**
 * A loop whose index runs over few constants, such as that over the neighbours of a
 * pixel, and whose body is straight. It is replaced by its body, once for each index, so
 * that what surrounds it can be straight as well.
 *
 * @param step counts the index up
 * @param known the registers that code outside of the loop may know
 * @since 0.2.0
 */
public record ConstantLoop(Instruction.Binary step, List<Integer> values, StraightLine body, Label exit,
		Set<Register> known) {

	/** Beyond that, the loop costs little beside its body. */
	private static final int MAX_ITERATIONS = 16;

	/** Of all iterations together. */
	private static final int MAX_INSTRUCTIONS = 512;

	/**
	 * Replaces a loop that begins at a label and is about to jump back, if it is such a
	 * loop.
	 * @param code ends with what the loop does
	 * @return whether it was replaced: then there is nothing to jump back to
	 */
	public static boolean replace(Code code, Label head) {
		int begin = code.instructions().lastIndexOf(new Instruction.Mark(head));
		ConstantLoop loop = (begin >= 0 && !code.leadsTo(head)) ? of(code, begin) : null;
		if (loop == null) {
			return false;
		}
		code.cut(begin);
		loop.add(code);
		return true;
	}

	private static @Nullable ConstantLoop of(Code all, int begin) {
		List<Instruction> code = all.instructions();
		int test = begin + 1;
		while (test < code.size() && code.get(test) instanceof Instruction.Source) {
			test++;
		}
		int count = code.size() - 1;
		if (test + 1 >= count || !(code.get(count) instanceof Instruction.Binary step)
				|| !CountedLoop.addsConstant(step) || !(code.get(test) instanceof Instruction.Compare compare)
				|| !compare.left().equals(step.to()) || !(compare.right() instanceof Constant limit)
				|| !(code.get(test + 1) instanceof Instruction.Branch exit) || !exit.when()
				|| !exit.predicate().equals(compare.to())) {
			return null;
		}
		Constant first = first(code.subList(0, begin), step.to());
		List<Integer> values = (first != null)
				? values((int) first.bits(), (int) ((Constant) step.right()).bits(), compare.comparison(), limit)
				: List.of();
		StraightLine body = values.isEmpty() ? null : StraightLine.of(code.subList(test + 2, count));
		if (body == null || values.size() * body.instructions().size() > MAX_INSTRUCTIONS
				|| body.written().contains(step.to())) {
			return null;
		}
		return new ConstantLoop(step, values, body, exit.to(), all.knownOutside(begin));
	}

	/** What straight code in front of the loop sets the index to. */
	private static @Nullable Constant first(List<Instruction> before, Register index) {
		for (int i = before.size() - 1; i >= 0; i--) {
			Instruction instruction = before.get(i);
			if (instruction instanceof Instruction.Move move && move.to().equals(index)) {
				return (move.from() instanceof Constant constant) ? constant : null;
			}
			Register written = RegisterUse.written(instruction);
			if (index.equals(written) || (written == null && !(instruction instanceof Instruction.Source))) {
				return null;
			}
		}
		return null;
	}

	/** What the index is in each iteration; nothing if there are none or too many. */
	private static List<Integer> values(int first, int step, Comparison leaves, Constant limit) {
		if (leaves == Comparison.BELOW || leaves == Comparison.NOT_BELOW) {
			return List.of();
		}
		List<Integer> values = new ArrayList<>();
		for (int value = first; !leaves.holds(Integer.compare(value, (int) limit.bits())); value += step) {
			if (values.size() == MAX_ITERATIONS) {
				return List.of();
			}
			values.add(value);
		}
		return values;
	}

	private void add(Code code) {
		Set<Register> own = intermediate();
		for (int value : this.values) {
			code.move(this.step.to(), Constant.of(value));
			Renaming copy = new Renaming(code, own);
			this.body.instructions().forEach((instruction) -> code.add(copy.copy(instruction)));
		}
		// Code behind the loop may read the index that ends it.
		code.add(this.step);
		code.jump(this.exit);
	}

	/**
	 * The registers that each iteration has to itself: those of intermediate results,
	 * which are written once, in order. Variables keep theirs, as code behind the loop
	 * reads them, and so does what has a value in front of the loop.
	 */
	private Set<Register> intermediate() {
		Set<Register> once = new LinkedHashSet<>();
		Set<Register> others = new HashSet<>(this.known);
		for (Instruction instruction : this.body.instructions()) {
			Register register = RegisterUse.written(instruction);
			if (register != null && !once.add(register)) {
				others.add(register);
			}
		}
		once.removeAll(others);
		return once;
	}

}
