package io.ringkernel.compiler.ir;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * The code of a handler while it is made.
 *
 * @since 0.2.0
 */
public final class Code {

	private final List<Instruction> instructions = new ArrayList<>();

	private final Set<Register> variables = new HashSet<>();

	private int registers;

	/**
	 * Takes the last instructions out of the code, as code that goes on by itself: its
	 * further registers are none that either uses now.
	 */
	public Code detach(int from) {
		Code detached = new Code();
		detached.registers = this.registers;
		cut(from).forEach(detached::add);
		return detached;
	}

	/** A register that nothing else uses. */
	public Register register(RegisterType type) {
		return new Register(this.registers++, type);
	}

	public void add(Instruction instruction) {
		this.instructions.add(instruction);
	}

	/** Takes the last instructions out of the code. */
	public List<Instruction> cut(int from) {
		List<Instruction> tail = this.instructions.subList(from, this.instructions.size());
		List<Instruction> cut = List.copyOf(tail);
		tail.clear();
		return cut;
	}

	public void insert(int at, List<Instruction> added) {
		this.instructions.addAll(at, added);
	}

	/** The instructions in order, unmodifiable. */
	public List<Instruction> instructions() {
		return Collections.unmodifiableList(this.instructions);
	}

	/**
	 * The registers that values have been moved to. Code behind the way or the iteration
	 * that writes to one of them may read it, whatever that way has become.
	 */
	public Set<Register> variables() {
		return Collections.unmodifiableSet(this.variables);
	}

	/**
	 * What code outside of a loop may know that begins somewhere: variables, and
	 * registers that have a value in front of it.
	 * @param begin the index of the first instruction of the loop
	 */
	public Set<Register> knownOutside(int begin) {
		Set<Register> known = RegisterUse.written(this.instructions.subList(0, begin));
		known.addAll(this.variables);
		return known;
	}

	public boolean reads(Register register) {
		return this.instructions.stream().anyMatch((instruction) -> RegisterUse.read(instruction).contains(register));
	}

	public boolean leadsTo(Label label) {
		return ways(label) > 0;
	}

	/** How many instructions lead to a label. */
	public long ways(Label label) {
		return this.instructions.stream().filter((instruction) -> label.equals(target(instruction))).count();
	}

	/** Where a jump or a branch leads; {@code null} of another instruction. */
	public static @Nullable Label target(Instruction instruction) {
		if (instruction instanceof Instruction.Jump jump) {
			return jump.to();
		}
		return (instruction instanceof Instruction.Branch branch) ? branch.to() : null;
	}

	public void mark(Label label) {
		add(new Instruction.Mark(label));
	}

	public void jump(Label to) {
		add(new Instruction.Jump(to));
	}

	/** Goes on elsewhere if a predicate is as stated. */
	public void branch(Register predicate, boolean when, Label to) {
		add(new Instruction.Branch(predicate, when, to));
	}

	/** Goes on elsewhere if a comparison holds; none does with what is no number. */
	public void branch(Comparison comparison, Operand left, Operand right, Label to) {
		branch(compare(comparison, left, right), true, to);
	}

	/** Loads a value to a register of its own. */
	public Register load(MemoryType as, Register base, int offset, boolean shared) {
		Register to = register(as.type());
		add(new Instruction.Load(as, to, base, offset, shared));
		return to;
	}

	/** Computes from two operands; the result has the type of the first one. */
	public Register binary(Operator operator, Operand left, Operand right) {
		Register to = register(left.type());
		add(new Instruction.Binary(operator, to, left, right));
		return to;
	}

	/** Computes from one operand; the result has its type. */
	public Register unary(Operator operator, Operand from) {
		Register to = register(from.type());
		add(new Instruction.Unary(operator, to, from));
		return to;
	}

	public Register convert(Conversion conversion, RegisterType type, Operand from) {
		Register to = register(type);
		add(new Instruction.Convert(conversion, to, from));
		return to;
	}

	/** Compares two values; does not hold if either is no number. */
	public Register compare(Comparison comparison, Operand left, Operand right) {
		return compare(comparison, false, left, right);
	}

	/**
	 * Compares two values.
	 * @param unordered whether the comparison holds if either is no number
	 */
	public Register compare(Comparison comparison, boolean unordered, Operand left, Operand right) {
		Register to = register(RegisterType.PREDICATE);
		add(new Instruction.Compare(comparison, unordered, to, left, right));
		return to;
	}

	/** Chooses the first of two values if a predicate holds. */
	public Register select(Register predicate, Operand yes, Operand no) {
		Register to = register(yes.type());
		add(new Instruction.Select(to, predicate, yes, no));
		return to;
	}

	/** Copies a value to a variable, unless it is there already. */
	public void move(Register to, Operand from) {
		if (!to.equals(from)) {
			this.variables.add(to);
			add(new Instruction.Move(to, from));
		}
	}

	/** Copies a value to a register of its own. */
	public Register copy(Operand from) {
		Register to = register(from.type());
		move(to, from);
		return to;
	}

}
