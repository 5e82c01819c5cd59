package io.ringkernel.compiler.handler;

import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import io.ringkernel.compiler.ir.Constant;
import io.ringkernel.compiler.ir.Instruction;
import io.ringkernel.compiler.ir.MemoryType;
import io.ringkernel.compiler.ir.Operand;
import io.ringkernel.compiler.ir.Register;
import io.ringkernel.compiler.ir.RegisterType;
import io.ringkernel.compiler.translation.Compilation;
import io.ringkernel.compiler.translation.State;
import io.ringkernel.compiler.translation.Translation;
import io.ringkernel.compiler.value.Shape;
import io.ringkernel.compiler.value.Value;
import io.ringkernel.state.HandlerParts;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.FieldInsnNode;

/**
 * The fields of the handler, and static fields. A final field is a constant: the value
 * that it has now. What a field may change to is state: a number, an enum or a record in
 * a field that is not final, and the elements of an array.
 *
 * @since 0.2.0
 */
public final class HandlerFields {

	private static final String KINDS = "Use numbers, enums, records of them, and arrays of numbers.";

	/** The field that javac adds to a class with an {@code assert}. */
	private static final String NO_ASSERTIONS = "$assertionsDisabled";

	private final Compilation compilation;

	private final Translation translation;

	public HandlerFields(Compilation compilation) {
		this.compilation = compilation;
		this.translation = compilation.translation();
	}

	public Value read(Object part, FieldInsnNode accessed) {
		Field field = field(accessed);
		Object content = content(field, part);
		if (HandlerParts.isPart(field)) {
			return Value.of(new Shape.Part(present(content)));
		}
		Shape shape = shape(accessed);
		if (Modifier.isFinal(field.getModifiers()) || shape instanceof Shape.ArrayOf) {
			return fixed(shape, content, false);
		}
		return changing(part, field, shape, content);
	}

	/** What a lambda that is the handler has captured. */
	Value captured(Object lambda, Field field) {
		Shape shape = this.compilation.shapes().of(Type.getType(field.getType()));
		if (shape instanceof Shape.Opaque) {
			throw this.translation.refuse(
					"the handler is a lambda that captures an object of %s".formatted(field.getType().getName()),
					"Let it capture numbers, texts, enums, records and arrays, or write the handler as a class.");
		}
		return fixed(shape, content(field, lambda), false);
	}

	public Value readStatic(FieldInsnNode accessed) {
		if (accessed.name.equals(NO_ASSERTIONS) && this.translation.isInPlatform()) {
			return Value.of(1);
		}
		Field field = field(accessed);
		if (!Modifier.isFinal(field.getModifiers())) {
			throw notFinal(field.getName());
		}
		if (field.isSynthetic() && content(field, null) instanceof int[] branches) {
			return Value.of(new Shape.SwitchMap(Arrays.stream(branches).boxed().toList()));
		}
		Shape shape = shape(accessed);
		boolean isOfPlatform = field.getDeclaringClass().getName().startsWith("java.");
		if (shape instanceof Shape.Scalar || shape instanceof Shape.EnumOf || shape instanceof Shape.Utf8
				|| ((shape instanceof Shape.ArrayOf || shape instanceof Shape.RecordOf) && !isOfPlatform)) {
			return fixed(shape, content(field, null), true);
		}
		return Value.of(opaque(shape, isOfPlatform ? null : content(field, null)));
	}

	public Value readOfEnum(Value constant, FieldInsnNode accessed) {
		Field field = field(accessed);
		if (!Modifier.isFinal(field.getModifiers())) {
			throw changingOfEnum(field.getName());
		}
		Shape shape = shape(accessed);
		return new EnumFields(this.translation).read(constant, field,
				(each) -> fixed(shape, content(field, each), true));
	}

	public RuntimeException changingOfEnum(String field) {
		return this.translation.refuse("the field %s of an enum is not final".formatted(field), "Make it final.");
	}

	public RuntimeException notFinal(String field) {
		return this.translation.refuse("the static field %s is not final".formatted(field),
				"Make it final, or make it a field of the handler.");
	}

	/** One thread stores for all. */
	public void write(Object part, FieldInsnNode accessed, Value value) {
		Field field = field(accessed);
		Shape shape = shape(accessed);
		if (!isKept(shape) || !shape.equals(value.shape())) {
			throw this.translation.refuse("the field %s is given another object".formatted(field.getName()),
					"Change the elements of its array. " + KINDS);
		}
		if (this.translation.isParallel()) {
			throw this.translation.refuse("the field %s is written by a parallel loop".formatted(field.getName()),
					"Write it behind the loop, or use an element of an array and Parallel.atomicAdd.");
		}
		Register place = place(part, field, shape, content(field, part));
		Register guard = this.translation.guard();
		int at = 0;
		for (Operand scalar : value.scalars()) {
			MemoryType memory = MemoryType.of(scalar.type());
			this.translation.code().add(new Instruction.Store(memory, place, at, scalar, true, guard));
			at += State.SCALAR_BYTES;
		}
	}

	private Value changing(Object part, Field field, Shape shape, @Nullable Object content) {
		if (!isKept(shape)) {
			return Value.of(new Shape.Opaque(field.getType().getName()));
		}
		Register place = place(part, field, shape, content);
		List<Operand> scalars = new ArrayList<>();
		for (RegisterType type : shape.scalars()) {
			MemoryType memory = MemoryType.of(type);
			int at = scalars.size() * State.SCALAR_BYTES;
			scalars.add(this.translation.agreed(memory, this.translation.code().load(memory, place, at, true)));
		}
		return new Value(shape, scalars);
	}

	private Register place(Object part, Field field, Shape shape, @Nullable Object content) {
		return this.translation.state()
			.field(part, field,
					() -> fixed(shape, content, false).scalars().stream().map(Constant.class::cast).toList());
	}

	/** Whether it consists of numbers alone, and so may be replaced as a whole. */
	private static boolean isKept(Shape shape) {
		return shape instanceof Shape.Scalar || shape instanceof Shape.EnumOf
				|| (shape instanceof Shape.RecordOf record && record.shapes().stream().allMatch(HandlerFields::isKept));
	}

	/**
	 * An object as it is now.
	 * @param isConstant whether that is true of its arrays, too; else their elements may
	 * change
	 */
	@SuppressWarnings("EnumOrdinal")
	private Value fixed(Shape shape, @Nullable Object content, boolean isConstant) {
		if (shape instanceof Shape.ArrayOf array) {
			return array(array.element(), present(content), isConstant);
		}
		if (shape instanceof Shape.RecordOf record) {
			Object owner = present(content);
			List<Value> components = record.components()
				.stream()
				.map((component) -> fixed(component, owner, isConstant))
				.toList();
			return Value.of(record.with(components), components);
		}
		if (shape instanceof Shape.EnumOf) {
			return new Value(shape, List.of(Constant.of(((Enum<?>) present(content)).ordinal())));
		}
		if (shape instanceof Shape.OptionalOf || shape instanceof Shape.BoxOf || shape instanceof Shape.RecordsOf
				|| shape instanceof Shape.RowsOf) {
			return Value.of(new Shape.Opaque(present(content).getClass().getName()));
		}
		if (shape instanceof Shape.Utf8 || content instanceof String) {
			return Value.of(new Shape.Text((String) present(content), true));
		}
		Value number = number(content);
		return (number != null) ? number : Value.of((shape instanceof Shape.Opaque) ? opaque(shape, content) : shape);
	}

	/** Of an object, the class alone. */
	private static Shape opaque(Shape shape, @Nullable Object content) {
		String what = (shape instanceof Shape.Opaque opaque) ? opaque.what() : shape.toString();
		return new Shape.Opaque(what, (content != null) ? Type.getInternalName(content.getClass()) : null);
	}

	private Object present(@Nullable Object content) {
		if (content == null) {
			throw this.translation.refuse("a field is null", "Set it where it is declared, or in the constructor.");
		}
		return content;
	}

	private Value array(MemoryType element, Object array, boolean isConstant) {
		if (isConstant ? this.translation.state().arrays().containsKey(array)
				: this.translation.constants().holds(array)) {
			throw this.translation.refuse("an array of the handler is that of a static field or of an enum as well",
					"Give the handler an array of its own.");
		}
		return isConstant ? this.translation.constants().array(element, array)
				: this.translation.state().array(element, array);
	}

	private Value fixed(Shape.Component component, Object record, boolean isConstant) {
		try {
			return fixed(component.shape(), content(record.getClass().getDeclaredField(component.name()), record),
					isConstant);
		}
		catch (NoSuchFieldException ex) {
			throw new IllegalStateException("a record has a field for each component", ex);
		}
	}

	/** A boxed number as a constant; {@code null} if it is none. */
	public static @Nullable Value number(@Nullable Object constant) {
		if (constant instanceof Long number) {
			return Value.of(Constant.of((long) number));
		}
		if (constant instanceof Float number) {
			return Value.of(Constant.of((float) number));
		}
		if (constant instanceof Double number) {
			return Value.of(Constant.of((double) number));
		}
		if (constant instanceof Boolean bool) {
			return Value.of(bool ? 1 : 0);
		}
		if (constant instanceof Character character) {
			return Value.of(character);
		}
		return (constant instanceof Number number) ? Value.of(number.intValue()) : null;
	}

	private Shape shape(FieldInsnNode accessed) {
		return this.compilation.shapes().of(Type.getType(accessed.desc));
	}

	private Field field(FieldInsnNode accessed) {
		try {
			Field field = field(this.translation.classes().load(accessed.owner), accessed.name);
			if (field == null) {
				throw unreadable(accessed.name, new NoSuchFieldException(accessed.name));
			}
			return field;
		}
		catch (ClassNotFoundException ex) {
			throw unreadable(accessed.name, ex);
		}
	}

	/** A field of a class, of its interfaces, or of what it extends, as the JVM does. */
	private static @Nullable Field field(Class<?> type, String name) {
		return Stream.concat(Arrays.stream(type.getDeclaredFields()).filter((field) -> field.getName().equals(name)),
				Stream.concat(Arrays.stream(type.getInterfaces()), Stream.ofNullable(type.getSuperclass()))
					.map((above) -> field(above, name))
					.filter(Objects::nonNull))
			.findFirst()
			.orElse(null);
	}

	private @Nullable Object content(Field field, @Nullable Object owner) {
		try {
			field.setAccessible(true);
			return field.get(owner);
		}
		catch (IllegalAccessException | InaccessibleObjectException ex) {
			throw unreadable(field.getName(), ex);
		}
	}

	private RuntimeException unreadable(String field, Exception cause) {
		return this.translation.refuse("the field %s cannot be read (%s)".formatted(field, cause),
				"Declare it in the class of the handler.");
	}

}
