package io.ringkernel.compiler.value;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.ringkernel.compiler.ir.MemoryType;
import io.ringkernel.compiler.ir.RegisterType;
import io.ringkernel.message.Field;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Type;

/**
 * What is known of a value while it is translated. At run time, a value consists of the
 * scalars of its shape.
 *
 * @since 0.2.0
 */
public sealed interface Shape {

	/** The types of the scalars, in order. */
	default List<RegisterType> scalars() {
		return List.of();
	}

	/** Whether a place of this shape has room for a value of another one. */
	default boolean accepts(Shape other) {
		return equals(other) || other instanceof Refused;
	}

	/** An object whose class is known. */
	sealed interface ObjectOf extends Shape {

		/** The internal name of its class. */
		String type();

	}

	/** A number, a boolean or a character. */
	record Scalar(RegisterType type) implements Shape {

		public static final Scalar INT = new Scalar(RegisterType.INT);

		@Override
		public List<RegisterType> scalars() {
			return List.of(this.type);
		}

	}

	/**
	 * An array: its address and its length.
	 *
	 * @param isConstant whether nothing may write to it
	 */
	record ArrayOf(MemoryType element, boolean isConstant) implements Shape {

		public ArrayOf(MemoryType element) {
			this(element, false);
		}

		@Override
		public boolean accepts(Shape other) {
			return equals(other) || other instanceof Refused
					|| (this.isConstant && other.equals(new ArrayOf(this.element)));
		}

		@Override
		public List<RegisterType> scalars() {
			return List.of(RegisterType.ADDRESS, RegisterType.INT);
		}

	}

	/**
	 * An array of arrays of the same length, which lie one behind another: its address,
	 * how many they are, and their length.
	 */
	record RowsOf(MemoryType element) implements Shape {

		@Override
		public List<RegisterType> scalars() {
			return List.of(RegisterType.ADDRESS, RegisterType.INT, RegisterType.INT);
		}

	}

	/**
	 * An array of records as a message has it: its address and its length.
	 *
	 * @param fields where the components of an element are
	 * @param stride the distance from one element to the next, in bytes
	 * @param alignment what the address is a multiple of
	 */
	record RecordsOf(RecordOf element, List<Field> fields, int stride, int alignment) implements Shape {

		@Override
		public List<RegisterType> scalars() {
			return List.of(RegisterType.ADDRESS, RegisterType.INT);
		}

	}

	/** A record: the scalars of its components. */
	record RecordOf(String type, List<Component> components) implements ObjectOf {

		public List<Shape> shapes() {
			return this.components.stream().map(Component::shape).toList();
		}

		/** A record whose components have been found to be something else. */
		public RecordOf with(List<Value> values) {
			return new RecordOf(this.type,
					IntStream.range(0, values.size())
						.mapToObj((i) -> new Component(this.components.get(i).name(), values.get(i).shape()))
						.toList());
		}

		@Override
		public List<RegisterType> scalars() {
			return shapes().stream().flatMap((shape) -> shape.scalars().stream()).toList();
		}

	}

	record Component(String name, Shape shape) {
	}

	/** A boxed number: the number. */
	record BoxOf(String type, Scalar number) implements Shape {

		@Override
		public List<RegisterType> scalars() {
			return this.number.scalars();
		}

	}

	/**
	 * An {@code Optional} or one of its like: whether there is a value, and its scalars.
	 * What becomes of an empty one is known where it meets another one.
	 */
	record OptionalOf(String type, @Nullable Shape value) implements Shape {

		@Override
		public List<RegisterType> scalars() {
			return (this.value == null) ? List.of(RegisterType.INT)
					: Stream.concat(Stream.of(RegisterType.INT), this.value.scalars().stream()).toList();
		}

		@Override
		public boolean accepts(Shape other) {
			return equals(other) || other instanceof Refused || (other instanceof OptionalOf optional
					&& optional.value == null && optional.type.equals(this.type));
		}

	}

	/** A constant of an enum: its ordinal. */
	record EnumOf(String type) implements ObjectOf {

		@Override
		public List<RegisterType> scalars() {
			return List.of(RegisterType.INT);
		}

	}

	/**
	 * What the compiler makes of a {@code switch} over an enum: the number of the branch
	 * by the ordinal.
	 */
	record SwitchMap(List<Integer> branches) implements Shape {

	}

	/**
	 * A lambda: what it captures.
	 *
	 * @param of the interface
	 * @param method the name of the method of the interface that the body is
	 * @param type what it takes and returns; the method that a reference names may take
	 * and return other numbers
	 */
	record LambdaOf(String of, String method, Handle body, Type type, List<Shape> captured) implements Shape {

		@Override
		public List<RegisterType> scalars() {
			return this.captured.stream().flatMap((shape) -> shape.scalars().stream()).toList();
		}

	}

	/** The handler, or a part of it, by identity. */
	record Part(Object handler) implements ObjectOf {

		@Override
		public String type() {
			return Type.getInternalName(this.handler.getClass());
		}

		@Override
		@SuppressWarnings("ReferenceEquality") // A part is the object that it is.
		public boolean equals(@Nullable Object other) {
			return other instanceof Part part && part.handler == this.handler;
		}

		@Override
		public int hashCode() {
			return System.identityHashCode(this.handler);
		}

	}

	/** A text in UTF-8: its address, its bytes, and its length in units of UTF-16. */
	record Utf8() implements Shape {

		@Override
		public List<RegisterType> scalars() {
			return List.of(RegisterType.ADDRESS, RegisterType.INT, RegisterType.INT);
		}

	}

	/** A text that is known; unless it is whole, values are inserted at run time. */
	record Text(String constant, boolean isWhole) implements Shape {

	}

	/** An exception; it has the address of a message that is chosen at run time. */
	record Failing(String type, @Nullable String message, boolean isChosen) implements Shape {

		@Override
		public List<RegisterType> scalars() {
			return this.isChosen ? List.of(RegisterType.ADDRESS) : List.of();
		}

	}

	/** What the handler is refused for, and what depends on it: no code has it. */
	record Refused() implements Shape {

		@Override
		public boolean accepts(Shape other) {
			return true;
		}

	}

	/** What a {@code finally} block throws again: the code of the failure. */
	record Thrown() implements Shape {

		@Override
		public List<RegisterType> scalars() {
			return List.of(RegisterType.INT);
		}

	}

	/**
	 * What no code can be made of; it may be handed on, and its methods may be called.
	 *
	 * @param what what it is, in words
	 * @param type its class; {@code null} if that is not known
	 */
	record Opaque(String what, @Nullable String type) implements Shape {

		public Opaque(String what) {
			this(what, null);
		}

	}

}
