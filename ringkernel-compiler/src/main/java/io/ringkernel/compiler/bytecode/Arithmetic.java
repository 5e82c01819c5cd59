package io.ringkernel.compiler.bytecode;

import io.ringkernel.compiler.ir.Code;
import io.ringkernel.compiler.ir.Comparison;
import io.ringkernel.compiler.ir.Constant;
import io.ringkernel.compiler.ir.Conversion;
import io.ringkernel.compiler.ir.Operand;
import io.ringkernel.compiler.ir.Operator;
import io.ringkernel.compiler.ir.Register;
import io.ringkernel.compiler.ir.RegisterType;
import io.ringkernel.compiler.translation.Translation;
import org.objectweb.asm.Opcodes;

/**
 * The opcodes that compute, with the semantics of Java.
 */
final class Arithmetic {

	private static final RegisterType[] TYPES = { RegisterType.INT, RegisterType.LONG, RegisterType.FLOAT,
			RegisterType.DOUBLE };

	private final Translation translation;

	private final Code code;

	private final StackFrame frame;

	Arithmetic(Translation translation, StackFrame frame) {
		this.translation = translation;
		this.code = translation.code();
		this.frame = frame;
	}

	void translate(int opcode) {
		switch (opcode) {
			case Opcodes.IADD, Opcodes.LADD, Opcodes.FADD, Opcodes.DADD -> binary(Operator.ADD);
			case Opcodes.ISUB, Opcodes.LSUB, Opcodes.FSUB, Opcodes.DSUB -> binary(Operator.SUB);
			case Opcodes.IMUL, Opcodes.LMUL, Opcodes.FMUL, Opcodes.DMUL -> binary(Operator.MUL);
			case Opcodes.FDIV, Opcodes.DDIV -> binary(Operator.DIV);
			case Opcodes.IAND, Opcodes.LAND -> binary(Operator.AND);
			case Opcodes.IOR, Opcodes.LOR -> binary(Operator.OR);
			case Opcodes.IXOR, Opcodes.LXOR -> binary(Operator.XOR);
			case Opcodes.ISHL, Opcodes.LSHL -> shift(Operator.SHL);
			case Opcodes.ISHR, Opcodes.LSHR -> shift(Operator.SHR);
			case Opcodes.IUSHR, Opcodes.LUSHR -> shift(Operator.USHR);
			case Opcodes.IDIV, Opcodes.LDIV -> divide(Operator.DIV);
			case Opcodes.IREM, Opcodes.LREM -> divide(Operator.REM);
			case Opcodes.INEG, Opcodes.LNEG, Opcodes.FNEG, Opcodes.DNEG ->
				this.frame.push(this.code.unary(Operator.NEG, this.frame.popScalar()));
			case Opcodes.I2B -> narrow(Conversion.TO_BYTE);
			case Opcodes.I2C -> narrow(Conversion.TO_CHAR);
			case Opcodes.I2S -> narrow(Conversion.TO_SHORT);
			case Opcodes.LCMP -> compare(false, false);
			case Opcodes.FCMPL, Opcodes.DCMPL -> compare(false, true);
			case Opcodes.FCMPG, Opcodes.DCMPG -> compare(true, false);
			default -> convert(opcode);
		}
	}

	static Constant constant(int opcode) {
		return switch (opcode) {
			case Opcodes.LCONST_0, Opcodes.LCONST_1 -> Constant.of((long) (opcode - Opcodes.LCONST_0));
			case Opcodes.FCONST_0, Opcodes.FCONST_1, Opcodes.FCONST_2 ->
				Constant.of((float) (opcode - Opcodes.FCONST_0));
			case Opcodes.DCONST_0, Opcodes.DCONST_1 -> Constant.of((double) (opcode - Opcodes.DCONST_0));
			default -> Constant.of(opcode - Opcodes.ICONST_0);
		};
	}

	private void binary(Operator operator) {
		Operand right = this.frame.popScalar();
		this.frame.push(this.code.binary(operator, this.frame.popScalar(), right));
	}

	/** Java takes the distance modulo the width. */
	private void shift(Operator operator) {
		Operand distance = this.frame.popScalar();
		Operand value = this.frame.popScalar();
		int mask = (value.type() == RegisterType.LONG) ? Long.SIZE - 1 : Integer.SIZE - 1;
		this.frame.push(this.code.binary(operator, value,
				(distance instanceof Constant constant) ? Constant.of((int) constant.bits() & mask)
						: this.code.binary(Operator.AND, distance, Constant.of(mask))));
	}

	/** A device does not define what 0 and -1 divide to. */
	private void divide(Operator operator) {
		Operand divisor = this.frame.popScalar();
		Operand dividend = this.frame.popScalar();
		if (divisor instanceof Constant constant && constant.bits() != 0 && constant.bits() != -1) {
			this.frame.push(this.code.binary(operator, dividend, divisor));
			return;
		}
		Constant zero = new Constant(divisor.type(), 0);
		this.translation.failures()
			.throwIf(this.code.compare(Comparison.EQ, divisor, zero), "java.lang.ArithmeticException", "/ by zero");
		Register isMinusOne = this.code.compare(Comparison.EQ, divisor, new Constant(divisor.type(), -1));
		Operand defined = this.code.select(isMinusOne, new Constant(divisor.type(), 1), divisor);
		Register result = this.code.binary(operator, dividend, defined);
		Operand otherwise = (operator == Operator.REM) ? zero : this.code.unary(Operator.NEG, dividend);
		this.frame.push(this.code.select(isMinusOne, otherwise, result));
	}

	private void narrow(Conversion conversion) {
		this.frame.push(this.code.convert(conversion, RegisterType.INT, this.frame.popScalar()));
	}

	/** I2L to D2F: from each type to each other one. */
	private void convert(int opcode) {
		int others = TYPES.length - 1;
		int from = (opcode - Opcodes.I2L) / others;
		int to = (opcode - Opcodes.I2L) % others;
		this.frame.push(numeric(this.frame.popScalar(), TYPES[(to < from) ? to : to + 1]));
	}

	private Operand numeric(Operand from, RegisterType type) {
		Register result = this.code.convert(Conversion.NUMERIC, type, from);
		if (!from.type().isFloating() || type.isFloating()) {
			return result;
		}
		Register isNoNumber = this.code.compare(Comparison.NE, true, from, from);
		return this.code.select(isNoNumber, new Constant(type, 0), result);
	}

	/** -1, 0 or 1 as the first is less, equal or greater. */
	private void compare(boolean unorderedIsGreater, boolean unorderedIsLess) {
		Operand right = this.frame.popScalar();
		Operand left = this.frame.popScalar();
		Register greater = this.code.compare(Comparison.GT, unorderedIsGreater, left, right);
		Register less = this.code.compare(Comparison.LT, unorderedIsLess, left, right);
		Register result = this.code.select(greater, Constant.of(1), Constant.ZERO);
		this.frame.push(this.code.select(less, Constant.of(-1), result));
	}

}
