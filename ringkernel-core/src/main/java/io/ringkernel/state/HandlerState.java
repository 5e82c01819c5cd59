package io.ringkernel.state;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import io.ringkernel.exception.SnapshotException;
import io.ringkernel.message.buffer.MessageBuffer;

/**
 * The state that a handler in Java keeps in its fields, in the heap: the fields that are
 * neither static nor transient. A number, an enum or a record of them is state unless its
 * field is final; the elements of an array of numbers are, in any field.
 *
 * @since 0.2.0
 */
public final class HandlerState implements KernelMemory {

	private final String kernelId;

	private final List<Entry> entries = new ArrayList<>();

	/**
	 * Finds the state of a handler.
	 * @param kernelId the kernel
	 * @param handler its handler
	 * @throws SnapshotException if it has a field that cannot be saved
	 */
	public HandlerState(String kernelId, Object handler) {
		this.kernelId = kernelId;
		new HandlerParts(handler).paths().forEach(this::addPart);
		this.entries.sort(Comparator.comparing((entry) -> entry.field().name()));
	}

	private void addPart(Object part, String path) {
		for (Class<?> at = part.getClass(); at != Object.class; at = at.getSuperclass()) {
			String prefix = (at != part.getClass()) ? at.getSimpleName() + "." : "";
			for (Field field : at.getDeclaredFields()) {
				if (!Modifier.isStatic(field.getModifiers()) && !Modifier.isTransient(field.getModifiers())
						&& !HandlerParts.isPart(field)) {
					add(path, path + prefix + field.getName(), field, part);
				}
			}
		}
	}

	private void add(String path, String name, Field field, Object owner) {
		Class<?> type = field.getType();
		boolean isFinal = Modifier.isFinal(field.getModifiers());
		if (isFinal && (type.isPrimitive() || type == String.class || type.isEnum())) {
			return;
		}
		Object content = content(name, field, owner);
		if (type.isArray() && type.getComponentType().isPrimitive()) {
			this.entries.add(new ArrayEntry(name, content));
		}
		else if (isFinal && type.isRecord()) {
			for (Field component : type.getDeclaredFields()) {
				if (!Modifier.isStatic(component.getModifiers())) {
					add(path, name + "." + component.getName(), component, content);
				}
			}
		}
		else if (!isFinal && Scalars.consistsOf(type)) {
			this.entries.add(new ScalarEntry(name, new PartField(path, field), owner));
		}
		else {
			throw new SnapshotException(this.kernelId,
					"the field '%s' of its handler is a %s".formatted(name, type.getTypeName()),
					"Keep state in numbers, enums, records of them and arrays of numbers. Declare the field transient if it is no state.",
					null);
		}
	}

	private Object content(String name, Field field, Object owner) {
		try {
			field.setAccessible(true);
			Object content = field.get(owner);
			if (content == null) {
				throw new SnapshotException(this.kernelId, "the field '%s' of its handler is null".formatted(name),
						"Set it in the constructor.", null);
			}
			return content;
		}
		catch (IllegalAccessException | InaccessibleObjectException ex) {
			throw inaccessible(name, ex);
		}
	}

	private SnapshotException inaccessible(String name, Exception cause) {
		return new SnapshotException(this.kernelId, "the field '%s' of its handler is not accessible".formatted(name),
				"Open its package to ringkernel-core.", cause);
	}

	@Override
	public List<StateField> fields() {
		return this.entries.stream().map(Entry::field).toList();
	}

	/**
	 * {@return what a field of the state is in Java, by which a compiler knows it: the
	 * array, or a {@link PartField}}
	 * @param field the index of the field
	 */
	public Object key(int field) {
		return this.entries.get(field).key();
	}

	@Override
	public void read(int field, long offset, ByteBuffer target) {
		this.entries.get(field).read(offset, target);
	}

	@Override
	public void write(int field, long offset, ByteBuffer source) {
		this.entries.get(field).write(offset, source);
	}

	private interface Entry {

		StateField field();

		Object key();

		void read(long offset, ByteBuffer target);

		void write(long offset, ByteBuffer source);

	}

	private record ArrayEntry(String name, Object array, int elementBytes) implements Entry {

		ArrayEntry(String name, Object array) {
			this(name, array, elementBytes(array.getClass().getComponentType()));
		}

		private static int elementBytes(Class<?> element) {
			return switch (element.getName()) {
				case "boolean", "byte" -> Byte.BYTES;
				case "short", "char" -> Short.BYTES;
				case "int", "float" -> Integer.BYTES;
				default -> Long.BYTES;
			};
		}

		@Override
		public StateField field() {
			long bytes = (long) Array.getLength(this.array) * this.elementBytes;
			return new StateField(this.name, this.array.getClass().getTypeName(), bytes);
		}

		@Override
		public Object key() {
			return this.array;
		}

		@Override
		public void read(long offset, ByteBuffer target) {
			int first = index(offset);
			if (this.array instanceof boolean[] flags) {
				for (int i = first; target.hasRemaining(); i++) {
					target.put((byte) (flags[i] ? 1 : 0));
				}
			}
			else {
				elements(target).put(this.array, first, count(target), 0);
			}
		}

		@Override
		public void write(long offset, ByteBuffer source) {
			int first = index(offset);
			if (this.array instanceof boolean[] flags) {
				for (int i = first; source.hasRemaining(); i++) {
					flags[i] = source.get() != 0;
				}
			}
			else {
				elements(source).get(this.array, first, count(source), 0);
			}
		}

		private int index(long offset) {
			return Math.toIntExact(offset / this.elementBytes);
		}

		private int count(ByteBuffer piece) {
			return piece.remaining() / this.elementBytes;
		}

		private static MessageBuffer elements(ByteBuffer piece) {
			return MessageBuffer.wrap(piece.slice());
		}

	}

	private final class ScalarEntry implements Entry {

		private final String name;

		private final PartField key;

		private final Object owner;

		ScalarEntry(String name, PartField key, Object owner) {
			this.name = name;
			this.key = key;
			this.owner = owner;
		}

		@Override
		public StateField field() {
			Class<?> type = this.key.field().getType();
			return new StateField(this.name, Scalars.describe(type), Scalars.bytes(type));
		}

		@Override
		public Object key() {
			return this.key;
		}

		@Override
		public void read(long offset, ByteBuffer target) {
			try {
				Scalars.put(this.key.field().getType(), content(this.name, this.key.field(), this.owner), target);
			}
			catch (ReflectiveOperationException ex) {
				throw inaccessible(this.name, ex);
			}
		}

		@Override
		public void write(long offset, ByteBuffer source) {
			try {
				this.key.field().set(this.owner, Scalars.get(this.key.field().getType(), source));
			}
			catch (ReflectiveOperationException ex) {
				throw inaccessible(this.name, ex);
			}
		}

	}

}
