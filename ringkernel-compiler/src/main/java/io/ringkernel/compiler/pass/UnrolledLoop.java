package io.ringkernel.compiler.pass;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.ringkernel.compiler.ir.Code;
import io.ringkernel.compiler.ir.Comparison;
import io.ringkernel.compiler.ir.Constant;
import io.ringkernel.compiler.ir.Instruction;
import io.ringkernel.compiler.ir.Label;
import io.ringkernel.compiler.ir.Operand;
import io.ringkernel.compiler.ir.Operator;
import io.ringkernel.compiler.ir.Register;
import io.ringkernel.compiler.ir.RegisterUse;
import io.ringkernel.compiler.ir.Renaming;

/**
 * Takes several indices of a counted loop at a time, so that what they load is under way
 * together, in front of the loop itself. If fewer are left, or one of them would fail or
 * leave the loop, a narrower loop and then the loop itself go on from the first of them:
 * nothing that they read has changed by then. Floating-point numbers are added in the
 * order of the indices.
 *
 * @since 0.2.0
 */
public record UnrolledLoop(Code code, CountedLoop loop, Label head) {

	/** How many indices, of which a short loop may have no more than a few. */
	private static final int WIDTH = 4;

	/**
	 * How many indices of a small body. The more loads a thread has under way, the fewer
	 * threads it takes to keep the memory busy: a scan of 205 MB by 128 workers of 512
	 * threads takes 291 µs with 4 indices on an H200, 253 with 8, and 148 with 16.
	 */
	private static final int GREAT_WIDTH = 16;

	/** What a small body consists of at most: all its values fit in registers. */
	private static final int SMALL = 24;

	/**
	 * How many indices of a body that does little but load and add, and whose thread may
	 * be alone: one thread adds 1,000 numbers in 4.7 µs with 32 indices on an H200, in
	 * 7.2 with 16 and in 5.8 with 64.
	 */
	private static final int GREATEST_WIDTH = 32;

	private static final int SMALLEST = 8;

	/**
	 * Puts the code in front of a loop that begins at a label and is about to jump back,
	 * if it gains by it.
	 * @param code ends with what the loop does
	 */
	public static void addBefore(Code code, Label head) {
		int begin = code.instructions().lastIndexOf(new Instruction.Mark(head));
		CountedLoop loop = (begin >= 0) ? CountedLoop.of(code, begin) : null;
		if (loop != null) {
			List<Instruction> original = code.cut(begin);
			new UnrolledLoop(code, loop, head).add();
			original.forEach(code::add);
		}
	}

	private void add() {
		Register index = this.loop.index();
		this.code.branch(Comparison.LT, index, Constant.ZERO, this.head);
		Renaming shared = new Renaming(this.code, RegisterUse.written(this.loop.invariant()));
		this.loop.invariant().forEach((instruction) -> this.code.add(shared.copy(instruction)));
		Operand end = end(shared);
		int size = this.loop.independent().size() + this.loop.ordered().size();
		if (size <= SMALL) {
			add((size <= SMALLEST) ? GREATEST_WIDTH : GREAT_WIDTH, shared, end);
		}
		add(WIDTH, shared, end);
	}

	private void add(int width, Renaming shared, Operand end) {
		Register index = this.loop.index();
		Label next = new Label();
		Label rest = new Label();
		this.code.mark(next);
		Register last = this.code.binary(Operator.ADD, index, Constant.of((width - 1) * this.loop.step()));
		this.code.branch(Comparison.NOT_BELOW, last, end, rest);
		addTogether(width, shared, last, rest);
		this.code.add(new Instruction.Binary(Operator.ADD, index, last, Constant.of(this.loop.step())));
		this.code.jump(next);
		this.code.mark(rest);
	}

	/** The index that is not taken any more, and not negative. */
	private Operand end(Renaming shared) {
		Operand end = this.loop.limits()
			.stream()
			.map((limit) -> end(limit, shared))
			.reduce((one, other) -> this.code.binary(Operator.MIN, one, other))
			.orElseThrow();
		return this.code.binary(Operator.MAX, end, Constant.ZERO);
	}

	private Operand end(CountedLoop.Limit limit, Renaming shared) {
		Operand room = shared.of(limit.below());
		if (limit.place().base() != null) {
			// With a negative base, a place may be below the limit although that of an
			// index before is not: the loop checks each of them then.
			Operand base = shared.of(limit.place().base());
			Register distance = this.code.binary(Operator.SUB, room, base);
			Register isNegative = this.code.compare(Comparison.LT, base, Constant.ZERO);
			room = this.code.select(isNegative, Constant.ZERO, distance);
		}
		return indices(room, shared.of(limit.place().scale()));
	}

	/**
	 * How many indices have a place below some room. That of none of them is too great
	 * for an {@code int}, since the room is not.
	 */
	private Operand indices(Operand room, Operand scale) {
		if (scale instanceof Constant constant && constant.bits() > 0) {
			int shift = Long.numberOfTrailingZeros(constant.bits());
			if (constant.bits() == 1) {
				return room;
			}
			if (constant.bits() == 1L << shift) {
				Register last = this.code.binary(Operator.SHR, before(room), Constant.of(shift));
				return this.code.binary(Operator.ADD, last, Constant.of(1));
			}
		}
		// A place that does not grow is checked by the loop.
		Register grows = this.code.compare(Comparison.GT, scale, Constant.ZERO);
		Register divisor = this.code.select(grows, scale, Constant.of(1));
		Register last = this.code.binary(Operator.DIV, before(room), divisor);
		Register count = this.code.binary(Operator.ADD, last, Constant.of(1));
		Register fits = this.code.compare(Comparison.GT, room, Constant.ZERO);
		return this.code.select(grows, this.code.select(fits, count, Constant.ZERO), Constant.ZERO);
	}

	private Register before(Operand room) {
		return this.code.binary(Operator.ADD, room, Constant.of(-1));
	}

	private void addTogether(int width, Renaming shared, Register last, Label rest) {
		Set<Register> own = RegisterUse.written(this.loop.independent());
		own.addAll(RegisterUse.written(this.loop.ordered()));
		own.removeAll(this.loop.carried());
		Set<Instruction> needed = needed();
		List<Renaming> copies = new ArrayList<>();
		for (int i = 0; i < width; i++) {
			Operand at = (i == 0) ? this.loop.index() : (i == width - 1) ? last
					: this.code.binary(Operator.ADD, this.loop.index(), Constant.of(i * this.loop.step()));
			Renaming copy = new Renaming(this.code, own).with(this.loop.index(), at);
			RegisterUse.written(this.loop.invariant()).forEach((register) -> copy.with(register, shared.of(register)));
			copies.add(copy);
		}
		int begin = this.code.instructions().size();
		for (Instruction instruction : this.loop.independent()) {
			for (int i = 0; i < width; i++) {
				if (i == 0 || needed.contains(instruction)) {
					this.code.add(copy(instruction, copies, i, rest));
				}
			}
		}
		Checks.joined(this.code, this.code.cut(begin)).forEach(this.code::add);
		for (Renaming copy : copies) {
			this.loop.ordered().forEach((instruction) -> this.code.add(copy.copy(instruction)));
		}
		for (Register register : this.loop.assigned()) {
			this.code.move(register, copies.get(width - 1).of(register));
		}
	}

	/** A load at a known distance from that of the first index needs no address. */
	private Instruction copy(Instruction instruction, List<Renaming> copies, int i, Label rest) {
		Integer stride = (instruction instanceof Instruction.Load load) ? this.loop.stride(load) : null;
		Instruction copy = copies.get(i).copy(instruction, rest);
		if (stride == null || i == 0) {
			return copy;
		}
		Instruction.Load first = (Instruction.Load) copies.get(0).copy(instruction);
		return new Instruction.Load(first.as(), ((Instruction.Load) copy).to(), first.base(),
				first.offset() + i * stride, first.shared());
	}

	/** What indices but the first one need: no address of a load that has none. */
	private Set<Instruction> needed() {
		Set<Instruction> needed = new HashSet<>();
		Set<Register> read = new HashSet<>(this.loop.assigned());
		this.loop.ordered().forEach((instruction) -> read.addAll(RegisterUse.read(instruction)));
		List<Instruction> independent = this.loop.independent();
		for (int i = independent.size() - 1; i >= 0; i--) {
			Instruction instruction = independent.get(i);
			if (instruction instanceof Instruction.Branch || read.contains(RegisterUse.written(instruction))) {
				needed.add(instruction);
				if (!(instruction instanceof Instruction.Load load && this.loop.stride(load) != null)) {
					read.addAll(RegisterUse.read(instruction));
				}
			}
		}
		return needed;
	}

}
