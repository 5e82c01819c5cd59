package io.ringkernel.compiler.ptx;

import java.util.Locale;

import io.ringkernel.compiler.ir.AtomicOperation;
import io.ringkernel.compiler.ir.Comparison;
import io.ringkernel.compiler.ir.Constant;
import io.ringkernel.compiler.ir.Conversion;
import io.ringkernel.compiler.ir.MemoryType;
import io.ringkernel.compiler.ir.Operator;
import io.ringkernel.compiler.ir.RegisterType;

/**
 * The names of operations and types in PTX. Floating-point arithmetic states its
 * rounding, so that no multiplication is fused with an addition.
 */
final class PtxTypes {

	private PtxTypes() {
	}

	static String of(RegisterType type) {
		return switch (type) {
			case INT -> "s32";
			case LONG -> "s64";
			case FLOAT -> "f32";
			case DOUBLE -> "f64";
			case ADDRESS -> "u64";
			case PREDICATE -> "pred";
		};
	}

	static String prefix(RegisterType type) {
		return switch (type) {
			case INT -> "%r";
			case LONG -> "%l";
			case FLOAT -> "%f";
			case DOUBLE -> "%d";
			case ADDRESS -> "%a";
			case PREDICATE -> "%p";
		};
	}

	static boolean isWide(RegisterType type) {
		return type == RegisterType.LONG || type == RegisterType.DOUBLE || type == RegisterType.ADDRESS;
	}

	static String bits(RegisterType type) {
		return isWide(type) ? "b64" : "b32";
	}

	private static String unsigned(RegisterType type) {
		return isWide(type) ? "u64" : "u32";
	}

	static String memory(MemoryType type) {
		return switch (type) {
			case BOOLEAN -> "u8";
			case BYTE -> "s8";
			case SHORT -> "s16";
			case CHAR -> "u16";
			case INT -> "s32";
			case LONG -> "s64";
			case FLOAT -> "f32";
			case DOUBLE -> "f64";
		};
	}

	static String constant(Constant constant) {
		return switch (constant.type()) {
			case FLOAT -> "0f%08X".formatted((int) constant.bits());
			case DOUBLE -> "0d%016X".formatted(constant.bits());
			default -> Long.toString(constant.bits());
		};
	}

	static String binary(Operator operator, RegisterType type) {
		String rounded = type.isFloating() ? "rn." : "";
		return switch (operator) {
			case ADD -> "add." + rounded + of(type);
			case SUB -> "sub." + rounded + of(type);
			case MUL -> (type.isFloating() ? "mul.rn." : "mul.lo.") + of(type);
			case DIV -> "div." + rounded + of(type);
			case REM -> "rem." + of(type);
			case MIN -> "min." + of(type);
			case MAX -> "max." + of(type);
			case AND, OR, XOR -> operator.name().toLowerCase(Locale.ROOT) + "."
					+ ((type == RegisterType.PREDICATE) ? "pred" : bits(type));
			case SHL -> "shl." + bits(type);
			case SHR -> "shr." + of(type);
			case USHR -> "shr." + unsigned(type);
			default -> throw new IllegalArgumentException(operator + " takes one operand");
		};
	}

	static String unary(Operator operator, RegisterType type) {
		return switch (operator) {
			case NEG -> "neg." + of(type);
			case ABS -> "abs." + of(type);
			case SQRT -> "sqrt.rn." + of(type);
			case FLOOR -> "cvt.rmi.%1$s.%1$s".formatted(of(type));
			case CEIL -> "cvt.rpi.%1$s.%1$s".formatted(of(type));
			case RINT -> "cvt.rni.%1$s.%1$s".formatted(of(type));
			case REVERSE -> "brev." + bits(type);
			case POPULATION -> "popc." + bits(type);
			case LEADING_ZEROS -> "clz." + bits(type);
			case IS_SHARED -> "isspacep.shared";
			default -> throw new IllegalArgumentException(operator + " takes two operands");
		};
	}

	static String atomic(AtomicOperation operation, RegisterType type) {
		return switch (operation) {
			case ADD -> "add." + unsigned(type);
			case MAX -> "max." + of(type);
			case COMPARE_AND_SET -> "cas." + bits(type);
		};
	}

	static String conversion(Conversion conversion, RegisterType to, RegisterType from) {
		return switch (conversion) {
			case TO_BYTE -> "cvt.s32.s8";
			case TO_SHORT -> "cvt.s32.s16";
			case TO_CHAR -> "cvt.u32.u16";
			case BITS -> "mov." + bits(to);
			case OFFSET -> "cvt.u64.u32";
			case NUMERIC -> "cvt%s.%s.%s".formatted(rounding(to, from), of(to), of(from));
		};
	}

	/** Of what may be inexact, and of an integer that becomes a floating-point number. */
	private static String rounding(RegisterType to, RegisterType from) {
		if (to.isFloating()) {
			return (to == RegisterType.DOUBLE && from == RegisterType.FLOAT) ? "" : ".rn";
		}
		return from.isFloating() ? ".rzi" : "";
	}

	static String comparison(Comparison comparison, boolean unordered, RegisterType type) {
		return switch (comparison) {
			case BELOW -> "lt." + unsigned(type);
			case NOT_BELOW -> "ge." + unsigned(type);
			default -> comparison.name().toLowerCase(Locale.ROOT) + (unordered ? "u." : ".") + of(type);
		};
	}

}
