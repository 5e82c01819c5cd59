package io.ringkernel.compiler.ir;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The code of a handler while it is made.
 *
 * @since 0.2.0
 */
public final class Code {

	private final List<Instruction> instructions = new ArrayList<>();

	private final Set<Register> variables = new HashSet<>();

	private int registers;

	/** Creates code without an instruction. */
	public Code() {
	}

	/**
	 * Takes the last instructions out of the code, as code that goes on by itself.
	 * @param from the index of the first of them
	 * @return the code, whose further registers are none that either uses now
	 */
	public Code detach(int from) {
		Code detached = new Code();
		detached.registers = this.registers;
		cut(from).forEach(detached::add);
		return detached;
	}

	/**
	 * A register that nothing else uses.
	 * @param type what it holds
	 * @return the register
	 */
	public Register register(RegisterType type) {
		return new Register(this.registers++, type);
	}

	/**
	 * Adds an instruction at the end.
	 * @param instruction the instruction
	 */
	public void add(Instruction instruction) {
		this.instructions.add(instruction);
	}

	/**
	 * Takes the last instructions out of the code.
	 * @param from the index of the first of them
	 * @return the instructions, in order
	 */
	public List<Instruction> cut(int from) {
		List<Instruction> tail = this.instructions.subList(from, this.instructions.size());
		List<Instruction> cut = List.copyOf(tail);
		tail.clear();
		return cut;
	}

	/**
	 * Adds instructions before others.
	 * @param at the index of the first of the others
	 * @param added the instructions
	 */
	public void insert(int at, List<Instruction> added) {
		this.instructions.addAll(at, added);
	}

	/**
	 * What the code consists of.
	 * @return the instructions in order, unmodifiable
	 */
	public List<Instruction> instructions() {
		return Collections.unmodifiableList(this.instructions);
	}

	/**
	 * The registers that values have been moved to. Code behind the way or the iteration
	 * that writes to one of them may read it, whatever that way has become.
	 * @return the registers, unmodifiable
	 */
	public Set<Register> variables() {
		return Collections.unmodifiableSet(this.variables);
	}

	/**
	 * What code outside of a loop may know that begins somewhere: variables, and
	 * registers that have a value in front of it.
	 * @param begin the index of the first instruction of the loop
	 * @return the registers
	 */
	public Set<Register> knownOutside(int begin) {
		Set<Register> known = RegisterUse.written(this.instructions.subList(0, begin));
		known.addAll(this.variables);
		return known;
	}

	/**
	 * Whether anything reads a register.
	 * @param register the register
	 * @return whether an instruction of the code does
	 */
	public boolean reads(Register register) {
		return this.instructions.stream().anyMatch((instruction) -> RegisterUse.read(instruction).contains(register));
	}

	/**
	 * Whether anything leads to a label.
	 * @param label the label
	 * @return whether an instruction of the code does
	 */
	public boolean leadsTo(Label label) {
		return ways(label) > 0;
	}

	/**
	 * How many instructions of the code lead to a label.
	 * @param label the label
	 * @return their number
	 */
	public long ways(Label label) {
		return this.instructions.stream()
			.filter((instruction) -> (instruction instanceof Instruction.Jump jump && jump.to().equals(label))
					|| (instruction instanceof Instruction.Branch branch && branch.to().equals(label)))
			.count();
	}

	/**
	 * Computes from two operands.
	 * @param operator how
	 * @param left the first operand
	 * @param right the second operand
	 * @return the result, of the type of the first operand
	 */
	public Register binary(Operator operator, Operand left, Operand right) {
		Register to = register(left.type());
		add(new Instruction.Binary(operator, to, left, right));
		return to;
	}

	/**
	 * Computes from one operand.
	 * @param operator how
	 * @param from the operand
	 * @return the result, of the type of the operand
	 */
	public Register unary(Operator operator, Operand from) {
		Register to = register(from.type());
		add(new Instruction.Unary(operator, to, from));
		return to;
	}

	/**
	 * Converts a value.
	 * @param conversion how
	 * @param type what it becomes
	 * @param from the value
	 * @return the result
	 */
	public Register convert(Conversion conversion, RegisterType type, Operand from) {
		Register to = register(type);
		add(new Instruction.Convert(conversion, to, from));
		return to;
	}

	/**
	 * Compares two values, of which none is no number or the comparison does not hold.
	 * @param comparison how
	 * @param left the first value
	 * @param right the second value
	 * @return the predicate
	 */
	public Register compare(Comparison comparison, Operand left, Operand right) {
		return compare(comparison, false, left, right);
	}

	/**
	 * Compares two values.
	 * @param comparison how
	 * @param unordered whether the comparison holds if either is no number
	 * @param left the first value
	 * @param right the second value
	 * @return the predicate
	 */
	public Register compare(Comparison comparison, boolean unordered, Operand left, Operand right) {
		Register to = register(RegisterType.PREDICATE);
		add(new Instruction.Compare(comparison, unordered, to, left, right));
		return to;
	}

	/**
	 * Chooses one of two values.
	 * @param predicate decides
	 * @param yes what is chosen if it holds
	 * @param no what is chosen if not
	 * @return the choice
	 */
	public Register select(Register predicate, Operand yes, Operand no) {
		Register to = register(yes.type());
		add(new Instruction.Select(to, predicate, yes, no));
		return to;
	}

	/**
	 * Copies a value to a variable.
	 * @param to where to
	 * @param from what; nothing is done if it is there already
	 */
	public void move(Register to, Operand from) {
		if (!to.equals(from)) {
			this.variables.add(to);
			add(new Instruction.Move(to, from));
		}
	}

	/**
	 * Copies a value to a register of its own.
	 * @param from the value
	 * @return the register
	 */
	public Register copy(Operand from) {
		Register to = register(from.type());
		move(to, from);
		return to;
	}

}
