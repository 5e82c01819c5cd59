package io.ringkernel.compiler.translation;

import io.ringkernel.compiler.ir.Code;
import io.ringkernel.compiler.ir.Comparison;
import io.ringkernel.compiler.ir.Constant;
import io.ringkernel.compiler.ir.Conversion;
import io.ringkernel.compiler.ir.MemoryType;
import io.ringkernel.compiler.ir.Operand;
import io.ringkernel.compiler.ir.Operator;
import io.ringkernel.compiler.ir.Register;
import io.ringkernel.compiler.ir.RegisterType;
import io.ringkernel.compiler.value.Shape;
import io.ringkernel.compiler.value.Value;

/**
 * The elements of arrays: where they lie, and which of them the code may change.
 *
 * @since 0.2.0
 */
public final class ArrayElements {

	private ArrayElements() {
	}

	/** Refuses to write to an array that is a constant. */
	public static void requireChanging(Translation translation, Value array) {
		if (array.shape() instanceof Shape.ArrayOf shape && shape.isConstant()) {
			throw translation.refuse("the array of a static field or of an enum is written",
					"Copy its elements to an array that the handler makes, or make it a field of the handler.");
		}
	}

	/** What an element is in memory. */
	public static MemoryType type(Value array) {
		return ((Shape.ArrayOf) array.shape()).element();
	}

	/** Compared as an unsigned number, a negative index is too large as well. */
	public static void requireWithin(Translation translation, Value array, Operand index) {
		translation.failures()
			.throwIf(translation.code().compare(Comparison.NOT_BELOW, index, array.scalars().get(1)),
					"java.lang.ArrayIndexOutOfBoundsException", null);
	}

	/** The address of an element, whose index is checked. */
	public static Register address(Translation translation, Value array, Operand index) {
		requireWithin(translation, array, index);
		return address(translation.code(), (Register) array.scalars().get(0), index, type(array));
	}

	/** The address of an element whose index is not negative. */
	public static Register address(Code code, Register base, Operand index, MemoryType element) {
		Register offset = code.convert(Conversion.OFFSET, RegisterType.ADDRESS, index);
		int shift = Integer.numberOfTrailingZeros(element.bytes());
		Register scaled = (shift == 0) ? offset : code.binary(Operator.SHL, offset, Constant.of(shift));
		return code.binary(Operator.ADD, base, scaled);
	}

}
