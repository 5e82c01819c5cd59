package io.ringkernel.compiler.translation;

import java.util.List;

import io.ringkernel.compiler.ir.Code;
import io.ringkernel.compiler.ir.Comparison;
import io.ringkernel.compiler.ir.Constant;
import io.ringkernel.compiler.ir.Conversion;
import io.ringkernel.compiler.ir.Instruction;
import io.ringkernel.compiler.ir.Label;
import io.ringkernel.compiler.ir.MemoryType;
import io.ringkernel.compiler.ir.Operand;
import io.ringkernel.compiler.ir.Operator;
import io.ringkernel.compiler.ir.Register;
import io.ringkernel.compiler.ir.RegisterType;
import io.ringkernel.compiler.ir.WorkerCall;
import io.ringkernel.message.MessageLayout;
import io.ringkernel.ring.MessageKind;
import io.ringkernel.ring.RingLayout;

/**
 * Where the response is made, as {@code ringkernel::ResponseBuilder} does it: nearby as
 * long as it travels inside its slot, and from the first array with which it does not, in
 * device memory. How far it is, each thread knows by itself.
 *
 * @since 0.2.0
 */
public final class Response {

	private static final int ALIGNMENT = 16;

	/** Nothing lies in device memory. */
	private static final Constant NO_SPLIT = Constant.of(-1);

	private final Code code;

	private final WorkerCall worker;

	private final Register isFirst;

	private final int maxBytes;

	private final int nearbyBytes;

	/** Behind the last array. */
	private final Register end;

	/** From where on it lies in device memory. */
	private final Operand split;

	Response(Code code, WorkerCall worker, Register isFirst, MessageLayout<?> layout) {
		this.code = code;
		this.worker = worker;
		this.isFirst = isFirst;
		this.maxBytes = layout.maxSize();
		this.nearbyBytes = Math.min(layout.maxSize(), RingLayout.MAX_INLINE_BYTES);
		this.end = code.copy(Constant.of(layout.fixedSize()));
		// A fixed block that has no room nearby lies in device memory, as all behind it.
		this.split = (layout.fixedSize() > this.nearbyBytes) ? Constant.ZERO
				: (layout.maxSize() > this.nearbyBytes) ? code.copy(NO_SPLIT) : NO_SPLIT;
	}

	/** The size of the largest response, up to a multiple of an alignment. */
	long most(int alignment) {
		return (this.maxBytes + alignment - 1L) / alignment * alignment;
	}

	/** What ends the handler. */
	public Instruction finish() {
		return handled(MessageKind.DATA, this.end, this.split);
	}

	/** What ends it if the response is none. */
	static Instruction invalid() {
		return handled(MessageKind.INVALID_RESPONSE, Constant.ZERO, Constant.ZERO);
	}

	/** What ends it if the request is none. */
	public static Instruction reject() {
		return handled(MessageKind.INVALID_REQUEST, Constant.ZERO, Constant.ZERO);
	}

	/** As {@code ringkernel::Handled}. */
	private static Instruction handled(MessageKind kind, Operand length, Operand split) {
		return new Instruction.Return(List.of(Constant.of(kind.code()), length, split));
	}

	/**
	 * Makes an array, all zero: where the elements are; anywhere if there are none.
	 * @param at the offset of its member
	 * @param length not negative, and not more than the capacity
	 */
	Register array(int at, int elementBytes, Operand length) {
		Register offset = this.code.binary(Operator.AND,
				this.code.binary(Operator.ADD, this.end, Constant.of(ALIGNMENT - 1)), Constant.of(-ALIGNMENT));
		Register bytes = this.code.binary(Operator.MUL, length, Constant.of(elementBytes));
		Register isEmpty = this.code.compare(Comparison.EQ, length, Constant.ZERO);
		Register behind = this.code.binary(Operator.ADD, offset, bytes);
		store(at, this.code.select(isEmpty, Constant.ZERO, offset));
		store(at + Integer.BYTES, length);
		this.code.add(new Instruction.Select(this.end, isEmpty, this.end, behind));
		Register distance = this.code.convert(Conversion.OFFSET, RegisterType.ADDRESS, offset);
		Register nearby = this.code.binary(Operator.ADD, this.worker.out(), distance);
		if (this.split.equals(NO_SPLIT)) {
			return nearby;
		}
		Register base = this.code.copy(nearby);
		Label zero = new Label();
		if (this.split instanceof Register register) {
			move(register, offset, behind, isEmpty);
			this.code.branch(Comparison.BELOW, offset, register, zero);
			this.code.add(new Instruction.Binary(Operator.ADD, base, this.worker.distant(this.code), distance));
		}
		this.code.add(new Instruction.Clear(base, bytes, this.worker));
		this.code.add(new Instruction.Sync(this.worker));
		this.code.mark(zero);
		return base;
	}

	/** The first array with which the response is too large lies elsewhere. */
	private void move(Register split, Register offset, Register behind, Register isEmpty) {
		Register isLarge = this.code.compare(Comparison.GT, behind, Constant.of(this.nearbyBytes));
		Register first = this.code.compare(Comparison.BELOW, offset, split);
		Register moves = this.code.binary(Operator.AND, isLarge, first);
		Register later = this.code.select(isEmpty, split, offset);
		this.code.add(new Instruction.Select(split, moves, later, split));
	}

	private void store(int at, Operand value) {
		this.code.add(new Instruction.Store(MemoryType.INT, this.worker.out(), at, value, false, this.isFirst));
	}

}
