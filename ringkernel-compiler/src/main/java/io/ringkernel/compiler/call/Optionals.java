package io.ringkernel.compiler.call;

import java.util.List;

import io.ringkernel.compiler.ir.Code;
import io.ringkernel.compiler.ir.Comparison;
import io.ringkernel.compiler.ir.Constant;
import io.ringkernel.compiler.ir.Instruction;
import io.ringkernel.compiler.ir.Label;
import io.ringkernel.compiler.ir.Operand;
import io.ringkernel.compiler.ir.Operator;
import io.ringkernel.compiler.ir.Register;
import io.ringkernel.compiler.parallel.Lambdas;
import io.ringkernel.compiler.translation.Compilation;
import io.ringkernel.compiler.translation.Translation;
import io.ringkernel.compiler.value.Shape;
import io.ringkernel.compiler.value.Shapes;
import io.ringkernel.compiler.value.Value;
import org.jspecify.annotations.Nullable;

/**
 * The calls of {@code Optional}, {@code OptionalInt} and their like. None of these
 * objects is made: one is whether there is a value, and the value.
 */
final class Optionals {

	private final Translation translation;

	private final Code code;

	private final Lambdas lambdas;

	Optionals(Compilation compilation, Lambdas lambdas) {
		this.translation = compilation.translation();
		this.code = this.translation.code();
		this.lambdas = lambdas;
	}

	Value call(String type, String name, List<Value> arguments) {
		if (name.equals("empty")) {
			return empty(type);
		}
		Value first = arguments.get(0);
		if (name.equals("of")) {
			Value value = this.translation.constants().placed(first);
			return Value.of(new Shape.OptionalOf(type, value.shape()), List.of(Value.of(1), value));
		}
		if (!(first.shape() instanceof Shape.OptionalOf optional)) {
			throw refused(type, name);
		}
		Operand present = first.scalar();
		return switch (name) {
			case "isPresent" -> Value.of(present);
			case "isEmpty" -> Value.of(this.code.binary(Operator.XOR, present, Constant.of(1)));
			case "get", "getAsInt", "getAsLong", "getAsDouble", "orElseThrow" -> {
				require(present, (arguments.size() > 1) ? arguments.get(1) : null);
				yield value(first, optional);
			}
			case "orElse" ->
				orElse(present, value(first, optional), this.translation.constants().placed(arguments.get(1)));
			default -> throw refused(type, name);
		};
	}

	private RuntimeException refused(String type, String name) {
		return this.translation.refuse("%s.%s is called".formatted(type.replace('/', '.'), name),
				"Use isPresent, isEmpty, get, orElse and orElseThrow of a component of a record, and of and empty to make one.");
	}

	/** The shape of what is not there is known if it is a number. */
	private static Value empty(String type) {
		Shape value = Shapes.optionalNumber(type);
		List<Value> absent = (value == null) ? List.of(Value.of(0))
				: List.of(Value.of(0), new Value(value, List.of(new Constant(value.scalars().get(0), 0))));
		return Value.of(new Shape.OptionalOf(type, value), absent);
	}

	private Value value(Value optional, Shape.OptionalOf shape) {
		if (shape.value() == null) {
			throw this.translation.refuse("the value of an Optional is used that is always empty",
					"Leave that out, or use a value of its own.");
		}
		return new Value(shape.value(), optional.scalars().subList(1, optional.scalars().size()));
	}

	/** Throws if there is no value: what a lambda makes, if there is one. */
	private void require(Operand present, @Nullable Value thrown) {
		if (thrown == null) {
			this.translation.failures()
				.throwIf(this.code.compare(Comparison.EQ, present, Constant.ZERO), "java.util.NoSuchElementException",
						"No value present");
			return;
		}
		Label isPresent = new Label();
		this.code.branch(Comparison.NE, present, Constant.ZERO, isPresent);
		Value made = this.lambdas.run(thrown, List.of());
		if (made != null) {
			this.translation.failures().raise(made);
		}
		this.code.mark(isPresent);
	}

	private Value orElse(Operand present, Value value, Value other) {
		if (!value.shape().equals(other.shape())) {
			throw this.translation.refuse("Optional.orElse gets a value of another kind",
					"Give it one of the kind that the Optional has.");
		}
		Register isPresent = this.code.compare(Comparison.NE, present, Constant.ZERO);
		Value chosen = Value.fresh(value.shape(), this.code);
		for (int i = 0; i < chosen.scalars().size(); i++) {
			this.code.add(new Instruction.Select((Register) chosen.scalars().get(i), isPresent, value.scalars().get(i),
					other.scalars().get(i)));
		}
		return chosen;
	}

}
