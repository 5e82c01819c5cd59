package io.ringkernel.compiler.translation;

import java.util.List;

import io.ringkernel.compiler.ir.Code;
import io.ringkernel.compiler.ir.Comparison;
import io.ringkernel.compiler.ir.Constant;
import io.ringkernel.compiler.ir.Label;
import io.ringkernel.compiler.ir.MemoryType;
import io.ringkernel.compiler.ir.Operand;
import io.ringkernel.compiler.ir.Operator;
import io.ringkernel.compiler.ir.Register;
import io.ringkernel.compiler.ir.WorkerCall;
import io.ringkernel.message.Field;
import io.ringkernel.message.MessageLayout;

/**
 * Checks a request before its handler sees it: whatever comes out of a ring is untrusted.
 * The counterpart is {@code ringkernel::Received}, which a message of CUDA C++ asks. No
 * check is skipped: a branch takes longer than all of them.
 *
 * @since 0.2.0
 */
public record RequestChecks(Code code, WorkerCall worker, MessageLayout<?> layout) {

	/** What arrays begin at multiples of. */
	private static final int ALIGNMENT = 16;

	/** Requires that the request is valid; else the code goes to a label. */
	public void require(Label rejected) {
		int fixed = this.layout.fixedSize();
		Register valid = atMost(minus(this.worker.length(), fixed), Constant.of(this.layout.maxSize() - fixed));
		for (Field field : this.layout.fields()) {
			valid = member(valid, field, field.offset());
		}
		this.code.branch(valid, false, rejected);
	}

	private Register member(Register valid, Field field, int at) {
		if (!field.optional()) {
			return value(valid, field, at);
		}
		Register mark = load(MemoryType.INT, at);
		Register isAbsent = this.code.compare(Comparison.EQ, mark, Constant.ZERO);
		Register isPresent = this.code.compare(Comparison.EQ, mark, Constant.of(1));
		Register present = value(isPresent, field, at + field.alignment());
		return and(valid, this.code.binary(Operator.OR, isAbsent, present));
	}

	/** Nothing can be wrong with a number, and elements of arrays are not looked at. */
	private Register value(Register valid, Field field, int at) {
		if (field.shape() == Field.Shape.VARIABLE) {
			return and(valid, array(field, at));
		}
		if (field.shape() == Field.Shape.FIXED) {
			return valid;
		}
		return switch (field.kind()) {
			case BOOLEAN -> and(valid, atMost(load(MemoryType.BOOLEAN, at), Constant.of(1)));
			case ENUM -> {
				int constants = field.type().getEnumConstants().length;
				yield and(valid, this.code.compare(Comparison.BELOW, load(MemoryType.INT, at), Constant.of(constants)));
			}
			case RECORD -> {
				Register all = valid;
				for (Field inner : field.fields()) {
					all = member(all, inner, at + inner.offset());
				}
				yield all;
			}
			default -> valid;
		};
	}

	/**
	 * An array lies within the message, behind the fixed block. The capacity keeps the
	 * product in range, the check of the offset the difference.
	 */
	private Register array(Field field, int at) {
		Register offset = load(MemoryType.INT, at);
		Register length = load(MemoryType.INT, at + Integer.BYTES);
		int fixed = this.layout.fixedSize();
		Register isEmpty = this.code.compare(Comparison.EQ, length, Constant.ZERO);
		Register inCapacity = atMost(length, Constant.of(field.count()));
		Register isAligned = this.code.compare(Comparison.EQ,
				this.code.binary(Operator.AND, offset, Constant.of(ALIGNMENT - 1)), Constant.ZERO);
		Register begins = atMost(minus(offset, fixed), minus(this.worker.length(), fixed));
		Register bytes = this.code.binary(Operator.MUL, length, Constant.of(elementBytes(field)));
		Register ends = atMost(bytes, this.code.binary(Operator.SUB, this.worker.length(), offset));
		return this.code.binary(Operator.OR, isEmpty, and(and(inCapacity, isAligned), and(begins, ends)));
	}

	private static int elementBytes(Field field) {
		return switch (field.kind()) {
			case STRING -> Byte.BYTES;
			case RECORD -> recordBytes(field.fields());
			default -> Messages.memory(field).bytes();
		};
	}

	/** A record ends behind its last member, at a multiple of its alignment. */
	private static int recordBytes(List<Field> fields) {
		Field last = fields.get(fields.size() - 1);
		int alignment = fields.stream().mapToInt(Field::alignment).max().orElse(1);
		return (last.offset() + last.size() + alignment - 1) / alignment * alignment;
	}

	private Register load(MemoryType as, int at) {
		return this.code.load(as, this.worker.in(), at, false);
	}

	private Register minus(Register value, int bytes) {
		return this.code.binary(Operator.SUB, value, Constant.of(bytes));
	}

	/** As unsigned integers: a negative number is a large one. */
	private Register atMost(Operand value, Operand limit) {
		return this.code.compare(Comparison.NOT_BELOW, limit, value);
	}

	private Register and(Register one, Register other) {
		return this.code.binary(Operator.AND, one, other);
	}

}
