package io.ringkernel.message;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.RecordComponent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;

import io.ringkernel.exception.UnsupportedMessageTypeException;

/**
 * Turns a record class into a {@link RecordType}, or says what is wrong with it.
 */
final class LayoutBuilder {

	/** Keeps every position in a message and in the slot of a ring an {@code int}. */
	static final long MAX_SIZE = 1L << 30;

	/** Counted with nested ones: each becomes code and constants of a codec. */
	private static final int MAX_COMPONENTS = 4096;

	/** The JVM argument slots (a {@code long} takes two) that a method handle passes. */
	private static final int MAX_SLOTS = 240;

	private final Deque<Class<?>> enclosing = new ArrayDeque<>();

	private int components;

	static long aligned(long offset, int alignment) {
		return (offset + alignment - 1) / alignment * alignment;
	}

	/** Lays a record out, or throws an {@link UnsupportedMessageTypeException}. */
	RecordType record(Class<?> type) {
		requireSupported(type);
		this.enclosing.push(type);
		MethodHandles.Lookup lookup = lookup(type);
		List<RecordType.Member> members = new ArrayList<>();
		long end = 0;
		int alignment = 1;
		for (RecordComponent component : type.getRecordComponents()) {
			FieldType fieldType = fieldType(new Declaration(component));
			long offset = aligned(end, fieldType.alignment());
			end = offset + fieldType.size();
			requireSize(type, end);
			alignment = Math.max(alignment, fieldType.alignment());
			members.add(member(lookup, component, fieldType, (int) offset));
		}
		this.enclosing.pop();
		return new RecordType(type, List.copyOf(members), (int) aligned(end, alignment), alignment,
				constructor(lookup, type));
	}

	static void requireSize(Class<?> type, long size) {
		if (size > MAX_SIZE) {
			throw new UnsupportedMessageTypeException(type, type.getSimpleName() + " takes " + size
					+ " bytes or more; a message has at most " + MAX_SIZE + ": lower its @Capacity and @Length");
		}
	}

	private void requireSupported(Class<?> type) {
		if (!type.isRecord()) {
			throw unsupported(type, "is no record; declare it as a record, whose components become the message");
		}
		if (this.enclosing.contains(type)) {
			throw unsupported(type, "contains itself by way of " + this.enclosing.peek().getSimpleName()
					+ "; a message has a fixed size: write the nested elements as an array of another record");
		}
		if (type.getTypeParameters().length > 0) {
			throw unsupported(type, "is generic; declare a record whose components have concrete types");
		}
		RecordComponent[] own = type.getRecordComponents();
		if (own.length == 0) {
			throw unsupported(type, "has no components; C has no empty struct: give it one, such as a boolean");
		}
		this.components += own.length;
		if (this.components > MAX_COMPONENTS) {
			throw unsupported(type, "brings the message to " + this.components + " components with nested ones, of "
					+ MAX_COMPONENTS + " at most: write repeated records as an array");
		}
		int slots = Stream.of(own)
			.mapToInt((component) -> (component.getType() == long.class || component.getType() == double.class) ? 2 : 1)
			.sum();
		if (slots > MAX_SLOTS) {
			throw unsupported(type, "has " + own.length + " components, too many to read at once (" + MAX_SLOTS
					+ ", where a long or double counts twice): group them in nested records");
		}
	}

	private static UnsupportedMessageTypeException unsupported(Class<?> type, String problem) {
		return new UnsupportedMessageTypeException(type, type.getSimpleName() + " " + problem);
	}

	private static MethodHandles.Lookup lookup(Class<?> type) {
		try {
			return MethodHandles.privateLookupIn(type, MethodHandles.lookup());
		}
		catch (IllegalAccessException ex) {
			Module reader = LayoutBuilder.class.getModule();
			throw unsupported(type,
					"cannot be read: " + type.getModule() + " does not open " + type.getPackageName() + "; add 'opens "
							+ type.getPackageName() + (reader.isNamed() ? " to " + reader.getName() : "")
							+ ";' to its module-info");
		}
	}

	private static RecordType.Member member(MethodHandles.Lookup lookup, RecordComponent component, FieldType type,
			int offset) {
		try {
			return new RecordType.Member(component.getName(), type, offset,
					erased(lookup.unreflect(component.getAccessor())));
		}
		catch (IllegalAccessException ex) {
			throw new IllegalStateException("a private lookup reads every accessor", ex);
		}
	}

	private static MethodHandle constructor(MethodHandles.Lookup lookup, Class<?> type) {
		Class<?>[] parameters = Stream.of(type.getRecordComponents())
			.map(RecordComponent::getType)
			.toArray(Class<?>[]::new);
		try {
			return erased(lookup.findConstructor(type, MethodType.methodType(void.class, parameters)));
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException("every record has its canonical constructor", ex);
		}
	}

	/** References as {@link Object}: codecs cannot name the classes of a message. */
	static MethodHandle erased(MethodHandle handle) {
		return handle.asType(handle.type().erase());
	}

	private FieldType fieldType(Declaration declaration) {
		Class<?> type = declaration.type();
		Wrapper wrapper = Wrapper.of(type);
		if (declaration.isNullable()) {
			if (wrapper != null || type.isPrimitive()) {
				throw declaration.unsupported(
						"is @Nullable and " + withArticle(type) + ", which should never be null: remove @Nullable");
			}
			wrapper = Wrapper.NULLABLE;
		}
		if (wrapper == null) {
			return valueType(declaration, type);
		}
		Class<?> value = switch (wrapper) {
			case NULLABLE -> unboxed(type);
			case OPTIONAL -> unboxed(declaration.typeArgument());
			case INT -> int.class;
			case LONG -> long.class;
			case DOUBLE -> double.class;
		};
		return new OptionalType(wrapper, valueType(declaration, value));
	}

	/** Returns {@code int} for {@link Integer} and so on, and any other type itself. */
	private static Class<?> unboxed(Class<?> type) {
		return MethodType.methodType(type).unwrap().returnType();
	}

	private FieldType valueType(Declaration declaration, Class<?> type) {
		if (type.isArray() || type == String.class) {
			return sequenceType(declaration, type);
		}
		if (declaration.capacity() != null || declaration.length() != null) {
			throw declaration
				.unsupported("is " + withArticle(type) + ", to which @Capacity and @Length do not apply: remove them");
		}
		if (type.isPrimitive()) {
			return PrimitiveType.of(type);
		}
		if (type.isEnum()) {
			return new EnumType(type);
		}
		if (type.isRecord()) {
			return record(type);
		}
		throw declaration.unsupported("is " + withArticle(type) + ", " + remedy(type));
	}

	private static String withArticle(Class<?> type) {
		String name = type.getSimpleName();
		return (("AEIOUaeiou".indexOf(name.charAt(0)) >= 0) ? "an " : "a ") + name;
	}

	private static String remedy(Class<?> type) {
		Class<?> unboxed = unboxed(type);
		if (unboxed.isPrimitive()) {
			return "which could be null: write " + unboxed + ", or @Nullable " + type.getSimpleName();
		}
		if (Iterable.class.isAssignableFrom(type)) {
			return "which has no fixed layout: write an array with @Capacity";
		}
		return "which has no fixed layout: write a primitive, an enum, a record, or an array or String with @Capacity";
	}

	private FieldType sequenceType(Declaration declaration, Class<?> type) {
		Integer capacity = declaration.capacity();
		Integer length = declaration.length();
		if (capacity != null && length != null) {
			throw declaration.unsupported("has both @Capacity and @Length: keep one");
		}
		if (type == String.class) {
			if (capacity == null) {
				throw declaration
					.unsupported("is a String without a bound: write @Capacity(n) String, n in UTF-8 bytes");
			}
			return new SequenceType(new StringType(), capacity, true);
		}
		ElementType element = elementType(declaration, type.getComponentType());
		if (length != null) {
			requireSize(declaration.component().getDeclaringRecord(), (long) length * element.size());
			return new SequenceType(element, length, false);
		}
		if (capacity == null) {
			String array = type.getSimpleName();
			throw declaration.unsupported("is " + withArticle(type) + " without a bound: write @Capacity(n) " + array
					+ " for up to n elements, or @Length(n) " + array + " for exactly n");
		}
		return new SequenceType(element, capacity, true);
	}

	private ElementType elementType(Declaration declaration, Class<?> type) {
		if (type.isPrimitive()) {
			return PrimitiveType.of(type);
		}
		if (!type.isRecord()) {
			throw declaration.unsupported("is an array of " + type.getSimpleName()
					+ "; elements are primitives or records: wrap the element in a record");
		}
		RecordType element = record(type);
		if (element.extend(0) != 0) {
			throw declaration.unsupported("is an array of " + type.getSimpleName()
					+ ", which has components with @Capacity; elements have a fixed size: use @Length there");
		}
		return element;
	}

}
