package io.ringkernel.compiler.bytecode;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

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
import io.ringkernel.compiler.ir.Type;
import io.ringkernel.message.Field;

/**
 * The request as a value, and a value as the response: members of the fixed blocks as
 * {@link io.ringkernel.message.MessageLayout} lays them out.
 */
final class Messages {

	private final Translation translation;

	private final Code code;

	/** The arrays of the response that are made where they are sent from. */
	private final Set<Field> inPlace;

	Messages(Translation translation, Set<Field> inPlace) {
		this.translation = translation;
		this.code = translation.code;
		this.inPlace = inPlace;
	}

	/** Loads the request. What is not used of it costs nothing: its loads are dropped. */
	Value request(Shape.RecordOf shape, List<Field> fields) {
		return record(shape, fields, 0);
	}

	/** What no code can be made of is so in the shape as well. */
	private Value record(Shape.RecordOf shape, List<Field> fields, int at) {
		List<Value> values = new ArrayList<>();
		List<Shape.Component> components = new ArrayList<>();
		for (int i = 0; i < fields.size(); i++) {
			Shape.Component component = shape.components().get(i);
			Value value = member(component.shape(), fields.get(i), at + fields.get(i).offset());
			values.add(value);
			components.add(new Shape.Component(component.name(), value.shape()));
		}
		return Value.of(new Shape.RecordOf(shape.type(), components), values);
	}

	private Value member(Shape shape, Field field, int at) {
		if (!field.optional()) {
			return value(shape, field, at);
		}
		if (!(shape instanceof Shape.OptionalOf optional) || optional.value() == null) {
			return Value.of(new Shape.Opaque("@Nullable " + field.type().getSimpleName()));
		}
		Value value = value(optional.value(), field, at + field.alignment());
		return Value.of(new Shape.OptionalOf(optional.type(), value.shape()),
				List.of(Value.of(load(MemoryType.INT, at)), value));
	}

	private Value value(Shape shape, Field field, int at) {
		if (shape instanceof Shape.ArrayOf array) {
			return array(array.element(), field, at);
		}
		if (shape instanceof Shape.RecordOf nested) {
			return record(nested, field.fields(), at);
		}
		boolean isSingle = shape instanceof Shape.Scalar || shape instanceof Shape.EnumOf
				|| shape instanceof Shape.BoxOf;
		return isSingle ? new Value(shape, List.of(load(memory(field), at)))
				: Value.of(new Shape.Opaque(field.type().getSimpleName()));
	}

	private Value array(MemoryType element, Field field, int at) {
		if (field.shape() == Field.Shape.FIXED) {
			Register base = this.code.binary(Operator.ADD, this.translation.worker.in(), Constant.of((long) at));
			return this.translation.ofWorker(Value.array(element, base, Constant.of(field.count())));
		}
		Register offset = this.code.convert(Conversion.OFFSET, Type.ADDRESS, load(MemoryType.INT, at));
		Register base = this.code.binary(Operator.ADD, this.translation.worker.in(), offset);
		Register length = load(MemoryType.INT, at + Integer.BYTES);
		this.translation.scratch.hasAtMost(length, field.count());
		return this.translation.ofWorker(Value.array(element, base, length));
	}

	private Register load(MemoryType as, int at) {
		Register value = this.code.register(as.type());
		this.code.add(new Instruction.Load(as, value, this.translation.worker.in(), at, false));
		return value;
	}

	private static MemoryType memory(Field field) {
		return switch (field.kind()) {
			case BOOLEAN -> MemoryType.BOOLEAN;
			case BYTE -> MemoryType.BYTE;
			case SHORT -> MemoryType.SHORT;
			case CHAR -> MemoryType.CHAR;
			case LONG -> MemoryType.LONG;
			case FLOAT -> MemoryType.FLOAT;
			case DOUBLE -> MemoryType.DOUBLE;
			case INT, ENUM, STRING, RECORD -> MemoryType.INT;
		};
	}

	/**
	 * Makes an array where the response has it. It is zero at first.
	 * @param at where its member is
	 */
	Value allocate(Field field, int at, MemoryType element, Operand length) {
		this.translation.failures.throwIf(this.code.compare(Comparison.LT, length, Constant.ZERO), true,
				"java.lang.NegativeArraySizeException", null);
		Comparison comparison = (field.shape() == Field.Shape.FIXED) ? Comparison.EQ : Comparison.LE;
		Label fits = new Label();
		this.code
			.add(new Instruction.Branch(this.code.compare(comparison, length, Constant.of(field.count())), true, fits));
		this.code.add(this.translation.response.invalid());
		this.code.add(new Instruction.Mark(fits));
		Register base = (field.shape() == Field.Shape.FIXED)
				? this.code.binary(Operator.ADD, this.translation.worker.out(), Constant.of((long) at))
				: this.translation.response.array(at, element, length);
		return this.translation.ofWorker(Value.array(element, base, length));
	}

	/** Stores the response. */
	void respond(Value response, List<Field> fields) {
		store(response, fields, 0);
	}

	private void store(Value value, List<Field> fields, int at) {
		if (!(value.shape() instanceof Shape.RecordOf shape)) {
			throw this.translation.refuse("the response is no record that the code makes",
					"Make a record of its type.");
		}
		List<Value> components = value.parts(shape.components().stream().map(Shape.Component::shape).toList());
		for (int i = 0; i < fields.size(); i++) {
			member(components.get(i), fields.get(i), at + fields.get(i).offset());
		}
	}

	private void member(Value value, Field field, int at) {
		if (value.shape() instanceof Shape.OptionalOf optional && field.optional()) {
			optional(value, optional, field, at);
			return;
		}
		if (field.optional()) {
			throw refused(field);
		}
		value(value, field, at);
	}

	/** The bytes of a value that is absent remain zero. */
	private void optional(Value optional, Shape.OptionalOf shape, Field field, int at) {
		Operand present = optional.scalar();
		store(MemoryType.INT, at, present);
		if (shape.value() != null) {
			Label isAbsent = new Label();
			this.code
				.add(new Instruction.Branch(this.code.compare(Comparison.EQ, present, Constant.ZERO), true, isAbsent));
			List<Operand> scalars = optional.scalars();
			value(new Value(shape.value(), scalars.subList(1, scalars.size())), field, at + field.alignment());
			this.code.add(new Instruction.Mark(isAbsent));
		}
	}

	private void value(Value value, Field field, int at) {
		Shape shape = value.shape();
		if (shape instanceof Shape.RecordOf) {
			store(value, field.fields(), at);
		}
		else if (shape instanceof Shape.ArrayOf array) {
			if (!this.inPlace.contains(field)) {
				copy(array.element(), value, field, at);
			}
		}
		else if (shape instanceof Shape.Scalar || shape instanceof Shape.EnumOf || shape instanceof Shape.BoxOf) {
			store(memory(field), at, value.scalar());
		}
		else {
			throw refused(field);
		}
	}

	private RuntimeException refused(Field field) {
		return this.translation.refuse(
				"the response has a component '%s' of type %s".formatted(field.name(), field.type().getSimpleName()),
				"Use primitives, enums, nested records, Optionals, and arrays of primitives.");
	}

	private void store(MemoryType as, int at, Operand value) {
		this.code
			.add(new Instruction.Store(as, this.translation.worker.out(), at, value, false, this.translation.isFirst));
	}

	/** An array that lies elsewhere. */
	private void copy(MemoryType element, Value from, Field field, int at) {
		Operand length = from.scalars().get(1);
		Value to = allocate(field, at, element, length);
		this.code.add(new Instruction.Parallel(true));
		LaneLoop loop = LaneLoop.ofThreads(this.translation, length);
		loop.add(() -> {
			Register value = this.code.register(element.type());
			Register source = ArrayAccess.element(this.code, (Register) from.scalars().get(0), loop.index(), element);
			Register target = ArrayAccess.element(this.code, (Register) to.scalars().get(0), loop.index(), element);
			this.code.add(new Instruction.Load(element, value, source, 0, true));
			this.code.add(new Instruction.Store(element, target, 0, value, true, null));
		});
		this.code.add(new Instruction.Parallel(false));
	}

}
