package io.ringkernel.compiler.value;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

import io.ringkernel.compiler.ir.Code;
import io.ringkernel.compiler.ir.Comparison;
import io.ringkernel.compiler.ir.Constant;
import io.ringkernel.compiler.ir.Conversion;
import io.ringkernel.compiler.ir.Instruction;
import io.ringkernel.compiler.ir.Operand;
import io.ringkernel.compiler.ir.Operator;
import io.ringkernel.compiler.ir.Register;
import io.ringkernel.compiler.ir.RegisterType;
import org.jspecify.annotations.Nullable;

/**
 * Methods of the JDK that a device has an instruction for, or a few. All of them give
 * what Java specifies, to the bit.
 *
 * @since 0.2.0
 */
public final class Intrinsics {

	private static final Map<String, BiFunction<Code, List<Operand>, Operand>> KNOWN = known();

	private Intrinsics() {
	}

	/** Calls a method; {@code null} if it is none of these. */
	public static @Nullable Value call(Code code, String owner, String signature, List<Value> arguments) {
		BiFunction<Code, List<Operand>, Operand> known = KNOWN.get(owner + "." + signature);
		if (known == null || arguments.stream().anyMatch((argument) -> argument.scalars().size() != 1)) {
			return null;
		}
		return Value.of(known.apply(code, arguments.stream().map(Value::scalar).toList()));
	}

	private static Map<String, BiFunction<Code, List<Operand>, Operand>> known() {
		Map<String, BiFunction<Code, List<Operand>, Operand>> known = new HashMap<>();
		for (String math : List.of("java/lang/Math", "java/lang/StrictMath")) {
			for (String integer : List.of("I", "J")) {
				known.put("%s.min(%2$s%2$s)%2$s".formatted(math, integer), binary(Operator.MIN));
				known.put("%s.max(%2$s%2$s)%2$s".formatted(math, integer), binary(Operator.MAX));
			}
			for (String floating : List.of("F", "D")) {
				known.put("%s.min(%2$s%2$s)%2$s".formatted(math, floating), ordered(Operator.MIN));
				known.put("%s.max(%2$s%2$s)%2$s".formatted(math, floating), ordered(Operator.MAX));
				known.put("%s.abs(%2$s)%2$s".formatted(math, floating), unary(Operator.ABS));
				known.put("%s.fma(%2$s%2$s%2$s)%2$s".formatted(math, floating), Intrinsics::fma);
			}
			known.put(math + ".sqrt(D)D", unary(Operator.SQRT));
			known.put(math + ".floor(D)D", unary(Operator.FLOOR));
			known.put(math + ".ceil(D)D", unary(Operator.CEIL));
			known.put(math + ".rint(D)D", unary(Operator.RINT));
		}
		known.put("java/lang/Float.floatToRawIntBits(F)I", bits(RegisterType.INT));
		known.put("java/lang/Float.intBitsToFloat(I)F", bits(RegisterType.FLOAT));
		known.put("java/lang/Double.doubleToRawLongBits(D)J", bits(RegisterType.LONG));
		known.put("java/lang/Double.longBitsToDouble(J)D", bits(RegisterType.DOUBLE));
		known.put("java/lang/Integer.reverse(I)I", unary(Operator.REVERSE));
		known.put("java/lang/Long.reverse(J)J", unary(Operator.REVERSE));
		known.put("java/lang/Integer.bitCount(I)I", count(Operator.POPULATION));
		known.put("java/lang/Long.bitCount(J)I", count(Operator.POPULATION));
		known.put("java/lang/Integer.numberOfLeadingZeros(I)I", count(Operator.LEADING_ZEROS));
		known.put("java/lang/Long.numberOfLeadingZeros(J)I", count(Operator.LEADING_ZEROS));
		known.put("java/lang/Enum.ordinal()I", (code, arguments) -> arguments.get(0));
		return Map.copyOf(known);
	}

	private static BiFunction<Code, List<Operand>, Operand> binary(Operator operator) {
		return (code, arguments) -> code.binary(operator, arguments.get(0), arguments.get(1));
	}

	private static BiFunction<Code, List<Operand>, Operand> unary(Operator operator) {
		return (code, arguments) -> code.unary(operator, arguments.get(0));
	}

	private static BiFunction<Code, List<Operand>, Operand> bits(RegisterType type) {
		return (code, arguments) -> code.convert(Conversion.BITS, type, arguments.get(0));
	}

	private static BiFunction<Code, List<Operand>, Operand> count(Operator operator) {
		return (code, arguments) -> {
			Register count = code.register(RegisterType.INT);
			code.add(new Instruction.Unary(operator, count, arguments.get(0)));
			return count;
		};
	}

	/** The device takes the other operand if one is no number; Java takes none. */
	private static BiFunction<Code, List<Operand>, Operand> ordered(Operator operator) {
		return (code, arguments) -> {
			Operand left = arguments.get(0);
			Operand right = arguments.get(1);
			Register isOrdered = code.compare(Comparison.EQ, left, left);
			Register areOrdered = code.binary(Operator.AND, isOrdered, code.compare(Comparison.EQ, right, right));
			Operand none = (left.type() == RegisterType.FLOAT) ? Constant.of(Float.NaN) : Constant.of(Double.NaN);
			return code.select(areOrdered, code.binary(operator, left, right), none);
		};
	}

	private static Operand fma(Code code, List<Operand> arguments) {
		Register to = code.register(arguments.get(0).type());
		code.add(new Instruction.FusedMultiplyAdd(to, arguments.get(0), arguments.get(1), arguments.get(2)));
		return to;
	}

}
