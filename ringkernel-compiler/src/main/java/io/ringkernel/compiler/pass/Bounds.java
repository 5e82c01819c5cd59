package io.ringkernel.compiler.pass;

import java.util.HashMap;
import java.util.Map;

import io.ringkernel.compiler.ir.Code;
import io.ringkernel.compiler.ir.Constant;
import io.ringkernel.compiler.ir.Instruction;
import io.ringkernel.compiler.ir.Operand;
import io.ringkernel.compiler.ir.Operator;
import io.ringkernel.compiler.ir.Register;
import io.ringkernel.compiler.ir.RegisterUse;

/**
 * The values that a register may have, told from all that the code has written to it so
 * far. Of what depends on itself, as the variable of a loop does, nothing is known.
 *
 * @since 0.2.0
 */
public final class Bounds {

	private final Code code;

	/** What is known of registers that are loaded. */
	private final Map<Register, Range> known = new HashMap<>();

	/** Creates bounds of code, which may grow. */
	public Bounds(Code code) {
		this.code = code;
	}

	/** Remembers that a register is from 0 to a number, whatever is written to it. */
	public void know(Register register, int greatest) {
		this.known.put(register, new Range(0, greatest));
	}

	/** What an {@code int} does not exceed. */
	public int greatest(Operand operand) {
		return (int) of(operand, new HashMap<>(this.known)).greatest();
	}

	/** What an {@code int} does not fall below. */
	public int least(Operand operand) {
		return (int) of(operand, new HashMap<>(this.known)).least();
	}

	private Range of(Operand operand, Map<Register, Range> found) {
		if (operand instanceof Constant constant) {
			return Range.of(constant.bits());
		}
		Register register = (Register) operand;
		// While it is looked for, nothing is known of it: nor of what depends on itself.
		Range before = found.putIfAbsent(register, Range.ANY);
		if (before != null) {
			return before;
		}
		Range range = this.code.instructions()
			.stream()
			.filter((instruction) -> register.equals(RegisterUse.written(instruction)))
			.map((instruction) -> of(instruction, found))
			.reduce(Range::or)
			.orElse(Range.ANY);
		found.put(register, range);
		return range;
	}

	private Range of(Instruction instruction, Map<Register, Range> found) {
		if (instruction instanceof Instruction.Move move) {
			return of(move.from(), found);
		}
		if (instruction instanceof Instruction.Select select) {
			return of(select.yes(), found).or(of(select.no(), found));
		}
		if (instruction instanceof Instruction.Unary unary && unary.operator() == Operator.NEG) {
			return Range.of(0).minus(of(unary.from(), found));
		}
		return (instruction instanceof Instruction.Binary binary) ? of(binary, found) : Range.ANY;
	}

	private Range of(Instruction.Binary binary, Map<Register, Range> found) {
		Range left = of(binary.left(), found);
		Range right = of(binary.right(), found);
		return switch (binary.operator()) {
			case ADD -> left.plus(right);
			case SUB -> left.minus(right);
			case MUL -> left.times(right);
			case DIV -> left.dividedBy(right);
			case REM -> left.remainderOf(right);
			case MIN -> left.min(right);
			case MAX -> left.max(right);
			case AND -> left.and(right);
			case SHL -> (binary.right() instanceof Constant bits) ? left.times(Range.of(1L << bits.bits())) : Range.ANY;
			case SHR -> (binary.right() instanceof Constant bits) ? left.shifted((int) bits.bits()) : Range.ANY;
			case USHR ->
				(binary.right() instanceof Constant bits) ? left.shiftedWithSign((int) bits.bits()) : Range.ANY;
			default -> Range.ANY;
		};
	}

}
