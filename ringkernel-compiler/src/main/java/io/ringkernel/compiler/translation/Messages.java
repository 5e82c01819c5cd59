package io.ringkernel.compiler.translation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;

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
import io.ringkernel.compiler.value.Shape;
import io.ringkernel.compiler.value.Value;
import io.ringkernel.exception.HandlerRefusedException;
import io.ringkernel.message.Field;
import org.jspecify.annotations.Nullable;

/**
 * The request as a value, and a value as the response: members of the fixed blocks as
 * {@link io.ringkernel.message.MessageLayout} lays them out.
 *
 * @since 0.2.0
 */
public final class Messages {

	/** What an element of a record is copied by, by its alignment. */
	private static final Map<Integer, MemoryType> WORDS = Map.of(1, MemoryType.BYTE, 2, MemoryType.SHORT, 4,
			MemoryType.INT, 8, MemoryType.LONG);

	private final Translation translation;

	private final Code code;

	/** The lengths of the texts of the request in units, each with that in bytes. */
	private final Map<Register, Operand> texts = new LinkedHashMap<>();

	/** Where these texts lie. */
	private final Map<Register, Register> addresses = new HashMap<>();

	/** How much code there is when the request is loaded. */
	private int loaded;

	/** The arrays of the response that are made where they are sent from. */
	private final Set<Field> inPlace;

	public Messages(Translation translation, Set<Field> inPlace) {
		this.translation = translation;
		this.code = translation.code();
		this.inPlace = inPlace;
	}

	/** Loads the request. What is not used of it costs nothing: its loads are dropped. */
	public Value request(Shape.RecordOf shape, List<Field> fields) {
		Value request = record(shape, fields, new Source(this.translation.worker().in(), 0, false));
		this.loaded = this.code.instructions().size();
		return request;
	}

	/** Loads an element of an array of records, whose index is within the array. */
	public Value element(Shape.RecordsOf array, Register base, Operand index) {
		Register distance = this.code.binary(Operator.MUL,
				this.code.convert(Conversion.OFFSET, RegisterType.ADDRESS, index), Constant.of((long) array.stride()));
		Register address = this.code.binary(Operator.ADD, base, distance);
		return record(array.element(), array.fields(), new Source(address, 0, true));
	}

	/** What no code can be made of is so in the shape as well. */
	private Value record(Shape.RecordOf shape, List<Field> fields, Source from) {
		List<Value> values = new ArrayList<>();
		for (int i = 0; i < fields.size(); i++) {
			Field field = fields.get(i);
			values.add(member(shape.components().get(i).shape(), field, from.plus(field.offset())));
		}
		return Value.of(shape.with(values), values);
	}

	private Value member(Shape shape, Field field, Source from) {
		if (!field.optional()) {
			return value(shape, field, from);
		}
		if (!(shape instanceof Shape.OptionalOf optional) || optional.value() == null) {
			return Value.of(new Shape.Opaque("@Nullable " + field.type().getSimpleName()));
		}
		Register mark = load(MemoryType.INT, from);
		Value value = value(optional.value(), field, from.plus(field.alignment()));
		if (value.shape() instanceof Shape.Utf8) {
			// All texts are measured, and what is absent is unchecked.
			this.texts.put((Register) value.scalars().get(2), this.code
				.select(this.code.compare(Comparison.NE, mark, Constant.ZERO), value.scalars().get(1), Constant.ZERO));
		}
		return Value.of(new Shape.OptionalOf(optional.type(), value.shape()), List.of(Value.of(mark), value));
	}

	private Value value(Shape shape, Field field, Source from) {
		if (shape instanceof Shape.ArrayOf || shape instanceof Shape.RecordsOf) {
			return array(shape, field, from);
		}
		if (shape instanceof Shape.Utf8) {
			return text(array(new Shape.ArrayOf(MemoryType.BYTE), field, from), field);
		}
		if (shape instanceof Shape.RecordOf nested) {
			return record(nested, field.fields(), from);
		}
		boolean isSingle = shape instanceof Shape.Scalar || shape instanceof Shape.EnumOf
				|| shape instanceof Shape.BoxOf;
		return isSingle ? new Value(shape, List.of(load(memory(field), from)))
				: Value.of(new Shape.Opaque(field.type().getSimpleName()));
	}

	private Value array(Shape shape, Field field, Source from) {
		if (field.shape() == Field.Shape.FIXED) {
			Register base = this.code.binary(Operator.ADD, from.base(), Constant.of((long) from.offset()));
			return this.translation.ofWorker(new Value(shape, List.of(base, Constant.of(field.count()))));
		}
		Register offset = this.code.convert(Conversion.OFFSET, RegisterType.ADDRESS, load(MemoryType.INT, from));
		Register base = this.code.binary(Operator.ADD, from.base(), offset);
		Register length = load(MemoryType.INT, from.plus(Integer.BYTES));
		this.translation.scratch().hasAtMost(length, field.count());
		return this.translation.ofWorker(new Value(shape, List.of(base, length)));
	}

	private Value text(Value bytes, Field field) {
		Register units = this.code.register(RegisterType.INT);
		this.translation.scratch().hasAtMost(units, field.count());
		this.texts.put(units, bytes.scalars().get(1));
		this.addresses.put(units, (Register) bytes.scalar());
		return new Value(new Shape.Utf8(), List.of(bytes.scalar(), bytes.scalars().get(1), units));
	}

	/**
	 * Measures the texts of the request whose length is asked for. Called when all code
	 * is there, but for what failures do.
	 */
	public void measureTexts(Function<Value, Operand> measured) {
		int end = this.code.instructions().size();
		this.texts.forEach((units, bytes) -> {
			if (this.code.reads(units)) {
				Register base = Objects.requireNonNull(this.addresses.get(units));
				this.code.move(units, measured.apply(Value.array(MemoryType.BYTE, base, bytes)));
			}
		});
		this.code.insert(this.loaded, this.code.cut(end));
	}

	private Register load(MemoryType as, Source from) {
		return this.code.load(as, from.base(), from.offset(), from.shared());
	}

	static MemoryType memory(Field field) {
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
	 * Makes an array. It is zero at first.
	 * @param member the array of the response that it is, which is made where the
	 * response has it; {@code null} if it is gone with the request
	 */
	public Value make(@Nullable Field member, MemoryType element, Operand length) {
		if (member == null || this.translation.isParallel()) {
			return this.translation.scratch().allocate(element, length);
		}
		Register base = allocate(member, member.offset(), element.bytes(), length);
		return this.translation.ofWorker(Value.array(element, base, length));
	}

	private Register allocate(Field field, int at, int elementBytes, Operand length) {
		boolean isFixed = field.shape() == Field.Shape.FIXED;
		if (isFixed || this.translation.scratch().least(length) < 0) {
			this.translation.failures().throwIfNegative(length);
		}
		if (isFixed || this.translation.scratch().greatest(length) > field.count()) {
			Comparison comparison = isFixed ? Comparison.EQ : Comparison.LE;
			Label fits = new Label();
			this.code.branch(comparison, length, Constant.of(field.count()), fits);
			this.code.add(Response.invalid());
			this.code.mark(fits);
		}
		return isFixed ? this.code.binary(Operator.ADD, this.translation.worker().out(), Constant.of((long) at))
				: this.translation.response().array(at, elementBytes, length);
	}

	public void respond(Value response, List<Field> fields) {
		store(response, fields, 0);
	}

	private void store(Value value, List<Field> fields, int at) {
		if (value.shape() instanceof Shape.Refused) {
			return;
		}
		if (!(value.shape() instanceof Shape.RecordOf shape)) {
			throw this.translation.refuse("the response is no record that the code makes",
					"Make a record of its type.");
		}
		List<Value> components = value.parts(shape.shapes());
		for (int i = 0; i < fields.size(); i++) {
			Field field = fields.get(i);
			try {
				member(components.get(i), field, at + field.offset());
			}
			catch (HandlerRefusedException ex) {
				this.translation.refusals().goOn(ex);
			}
		}
	}

	private void member(Value value, Field field, int at) {
		if (value.shape() instanceof Shape.OptionalOf optional && field.optional()) {
			optional(value, optional, field, at);
			return;
		}
		if (value.shape() instanceof Shape.Refused) {
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
			this.code.branch(Comparison.EQ, present, Constant.ZERO, isAbsent);
			List<Operand> scalars = optional.scalars();
			value(new Value(shape.value(), scalars.subList(1, scalars.size())), field, at + field.alignment());
			this.code.mark(isAbsent);
		}
	}

	private void value(Value value, Field field, int at) {
		Shape shape = value.shape();
		if (shape instanceof Shape.RecordOf) {
			store(value, field.fields(), at);
		}
		else if (shape instanceof Shape.ArrayOf array) {
			if (!this.inPlace.contains(field)) {
				copy(value, array.element(), 1, field, at);
			}
		}
		else if (shape instanceof Shape.Utf8) {
			copy(value, MemoryType.BYTE, 1, field, at);
		}
		else if (shape instanceof Shape.RecordsOf records) {
			MemoryType word = Objects.requireNonNull(WORDS.get(records.alignment()));
			copy(value, word, records.stride() / word.bytes(), field, at);
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
				"the response has a component '%s' of type %s%s".formatted(field.name(), field.type().getSimpleName(),
						(field.shape() == Field.Shape.SINGLE) ? "" : "[]"),
				"Use primitives, texts, enums, nested records, Optionals, and arrays.");
	}

	private void store(MemoryType as, int at, Operand value) {
		this.code.add(new Instruction.Store(as, this.translation.worker().out(), at, value, false,
				this.translation.isFirst()));
	}

	/** An array that lies elsewhere, whose elements have as many words. */
	private void copy(Value from, MemoryType word, int words, Field field, int at) {
		Operand length = from.scalars().get(1);
		Register to = allocate(field, at, words * word.bytes(), length);
		Operand count = (words == 1) ? length : this.code.binary(Operator.MUL, length, Constant.of(words));
		LaneLoop.over(this.translation, count, (index) -> {
			Register value = this.code.register(word.type());
			Register source = ArrayElements.address(this.code, (Register) from.scalar(), index, word);
			Register target = ArrayElements.address(this.code, to, index, word);
			this.code.add(new Instruction.Load(word, value, source, 0, true));
			this.code.add(new Instruction.Store(word, target, 0, value, true, null));
		});
	}

	/** Where a member is, and whether the handler might write there. */
	private record Source(Register base, int offset, boolean shared) {

		Source plus(int bytes) {
			return new Source(this.base, this.offset + bytes, this.shared);
		}

	}

}
