package io.ringkernel.compiler.value;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.ringkernel.compiler.classfile.Called;
import io.ringkernel.compiler.ir.Constant;
import io.ringkernel.compiler.ir.Operand;

/**
 * The values of type {@code float} that are {@link Float#NaN} wherever they are no
 * number: constants, and those made of the bits that {@link Float#floatToIntBits}
 * returns. Half of the bits of such a one are the same on every machine; of another one,
 * they show its sign.
 *
 * @since 0.2.0
 */
public final class CanonicalFloats {

	private static final String FLOAT = "java/lang/Float";

	/** Such floats, and the bits of such. */
	private final Set<Operand> known = new HashSet<>();

	/** Remembers what a method has returned if it is one of these. */
	public void returned(Called called, List<Value> arguments, Value result) {
		if (called.owner().equals(FLOAT) && (called.name().equals("floatToIntBits")
				|| (called.name().equals("intBitsToFloat") && this.known.contains(arguments.get(0).scalar())))) {
			this.known.add(result.scalar());
		}
	}

	/** What is known of a value holds for a copy that is never replaced. */
	public void copied(Value from, Value to) {
		if (from.shape() instanceof Shape.Scalar && this.known.contains(from.scalar())) {
			this.known.add(to.scalar());
		}
	}

	public boolean isOne(Operand number) {
		return this.known.contains(number) || (number instanceof Constant constant
				&& Float.floatToIntBits(Float.intBitsToFloat((int) constant.bits())) == constant.bits());
	}

}
