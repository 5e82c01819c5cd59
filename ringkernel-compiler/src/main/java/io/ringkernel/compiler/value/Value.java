package io.ringkernel.compiler.value;

import java.util.ArrayList;
import java.util.List;

import io.ringkernel.compiler.ir.Code;
import io.ringkernel.compiler.ir.Constant;
import io.ringkernel.compiler.ir.MemoryType;
import io.ringkernel.compiler.ir.Operand;
import io.ringkernel.compiler.ir.Register;
import io.ringkernel.compiler.ir.RegisterType;

/**
 * A value: its shape, and where its scalars are.
 *
 * @since 0.2.0
 */
public record Value(Shape shape, List<Operand> scalars) {

	public static Value of(Operand scalar) {
		return new Value(new Shape.Scalar(scalar.type()), List.of(scalar));
	}

	public static Value of(int constant) {
		return of(Constant.of(constant));
	}

	public static Value array(MemoryType element, Register base, Operand length) {
		return new Value(new Shape.ArrayOf(element), List.of(base, length));
	}

	/** A value whose shape has no scalars. */
	public static Value of(Shape shape) {
		return new Value(shape, List.of());
	}

	/** A record, or a lambda: the scalars of all parts in order. */
	public static Value of(Shape shape, List<Value> parts) {
		return new Value(shape, parts.stream().flatMap((part) -> part.scalars().stream()).toList());
	}

	/** A value in registers that nothing else uses. */
	public static Value fresh(Shape shape, Code code) {
		return new Value(shape, shape.scalars().stream().<Operand>map(code::register).toList());
	}

	/** The parts that a record or a lambda was made of. */
	public List<Value> parts(List<Shape> shapes) {
		List<Value> parts = new ArrayList<>();
		int at = 0;
		for (Shape part : shapes) {
			int end = at + part.scalars().size();
			parts.add(new Value(part, this.scalars.subList(at, end)));
			at = end;
		}
		return parts;
	}

	/** The only scalar. */
	public Operand scalar() {
		return this.scalars.get(0);
	}

	/** How many places it takes on the stack of the JVM. */
	public boolean isWide() {
		return this.shape instanceof Shape.Scalar scalar
				&& (scalar.type() == RegisterType.LONG || scalar.type() == RegisterType.DOUBLE);
	}

	/**
	 * A place that has room for a value of another shape as well; the place itself if it
	 * has, or if no place has.
	 */
	public Value widened(Shape other, Code code) {
		if (this.shape.accepts(other) || !other.accepts(this.shape)) {
			return this;
		}
		List<Operand> widened = new ArrayList<>(this.scalars);
		List<RegisterType> types = other.scalars();
		types.subList(widened.size(), types.size()).forEach((type) -> widened.add(code.register(type)));
		return new Value(other, widened);
	}

	/** Copies the scalars to the registers of a place that accepts the value. */
	public void moveTo(Value target, Code code) {
		if (target.shape instanceof Shape.Refused) {
			return;
		}
		for (int i = 0; i < this.scalars.size(); i++) {
			code.move((Register) target.scalars.get(i), this.scalars.get(i));
		}
	}

}
