package io.ringkernel.compiler.translation;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

import io.ringkernel.compiler.ir.Code;
import io.ringkernel.compiler.ir.Constant;
import io.ringkernel.compiler.ir.MemoryType;
import io.ringkernel.compiler.ir.Operator;
import io.ringkernel.compiler.ir.Register;
import io.ringkernel.compiler.ir.WorkerCall;
import io.ringkernel.compiler.value.Value;
import io.ringkernel.state.HandlerParts;
import io.ringkernel.state.PartField;
import org.jspecify.annotations.Nullable;

/**
 * What a handler keeps in device memory: where each of its fields lies, and with what it
 * begins. Only what the code uses has a place.
 *
 * @since 0.2.0
 */
public final class State {

	/** A scalar lies at a multiple of the largest one's size. */
	public static final int SCALAR_BYTES = Long.BYTES;

	private static final long ALIGNMENT = 16;

	private final Code code;

	/** Where it begins; {@code null} if there is none. */
	private final @Nullable Register base;

	private final boolean hasFields;

	private final Map<PartField, Long> fields = new HashMap<>();

	/** The handlers that it consists of, each with its path. */
	private final IdentityHashMap<Object, String> parts;

	private final IdentityHashMap<Object, Long> arrays = new IdentityHashMap<>();

	/** Registers that hold where an array lies. */
	private final Set<Register> addresses = new HashSet<>();

	/** What is not zero at first, by its offset. */
	private final TreeMap<Long, ByteBuffer> contents = new TreeMap<>();

	private long bytes;

	/** Creates the state of a handler behind bytes that are not the handler's. */
	State(Code code, WorkerCall worker, Object handler, int reserved) {
		this.code = code;
		this.parts = new HandlerParts(handler).paths();
		this.hasFields = this.parts.keySet().stream().anyMatch((part) -> hasFields(part.getClass()));
		this.base = (this.hasFields || reserved > 0) ? worker.state(code) : null;
		this.bytes = reserved;
	}

	/** Whether a class, or one that it extends, has a field that is not static. */
	private static boolean hasFields(Class<?> handler) {
		for (Class<?> at = handler; at != null; at = at.getSuperclass()) {
			for (Field field : at.getDeclaredFields()) {
				boolean isConstant = Modifier.isFinal(field.getModifiers())
						&& (field.getType().isPrimitive() || field.getType() == String.class);
				if (!Modifier.isStatic(field.getModifiers()) && !isConstant && !HandlerParts.isPart(field)) {
					return true;
				}
			}
		}
		return false;
	}

	/** Whether the handler keeps nothing. */
	boolean isEmpty() {
		return !this.hasFields;
	}

	/** Where it begins, with what is reserved. */
	Register reserved() {
		return Objects.requireNonNull(this.base);
	}

	/** The address of a field, whose scalars lie side by side. */
	public Register field(Object part, Field field, Supplier<List<Constant>> content) {
		PartField key = new PartField(Objects.requireNonNull(this.parts.get(part)), field);
		long at = this.fields.computeIfAbsent(key, (any) -> place(bytesOf(content.get())));
		return address(at);
	}

	/** An array that a field refers to. Fields may share one. */
	public Value array(MemoryType element, Object array) {
		long at = this.arrays.computeIfAbsent(array, (any) -> place(bytesOf(element, array)));
		Register address = address(at);
		this.addresses.add(address);
		return Value.array(element, address, Constant.of(Array.getLength(array)));
	}

	/** Whether an array is known to be one of these. */
	public boolean holds(Value array) {
		return this.addresses.contains((Register) array.scalars().get(0));
	}

	/** Zeros behind the last other byte are not stated: they may be megabytes. */
	private long place(ByteBuffer content) {
		long at = this.bytes;
		int end = content.capacity();
		while (end > 0 && content.get(end - 1) == 0) {
			end--;
		}
		if (end > 0) {
			this.contents.put(at, content.slice(0, end));
		}
		this.bytes = (at + content.capacity() + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
		return at;
	}

	private static ByteBuffer bytes(int size) {
		return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
	}

	private static ByteBuffer bytesOf(List<Constant> constants) {
		ByteBuffer bytes = bytes(constants.size() * SCALAR_BYTES);
		constants.forEach((constant) -> bytes.putLong(constant.bits()));
		return bytes;
	}

	/** The elements of an array; the position is behind them. */
	static ByteBuffer bytesOf(MemoryType element, Object array) {
		int length = Array.getLength(array);
		ByteBuffer bytes = bytes(Math.multiplyExact(length, element.bytes()));
		for (int i = 0; i < length; i++) {
			switch (element) {
				case BOOLEAN -> bytes.put((byte) (Array.getBoolean(array, i) ? 1 : 0));
				case BYTE -> bytes.put(Array.getByte(array, i));
				case SHORT -> bytes.putShort(Array.getShort(array, i));
				case CHAR -> bytes.putChar(Array.getChar(array, i));
				case INT -> bytes.putInt(Array.getInt(array, i));
				case LONG -> bytes.putLong(Array.getLong(array, i));
				case FLOAT -> bytes.putFloat(Array.getFloat(array, i));
				case DOUBLE -> bytes.putDouble(Array.getDouble(array, i));
			}
		}
		return bytes;
	}

	private Register address(long at) {
		return this.code.binary(Operator.ADD, reserved(), Constant.of(at));
	}

	public long bytes() {
		return this.bytes;
	}

	/** Where its fields lie that hold numbers. */
	public Map<PartField, Long> fields() {
		return this.fields;
	}

	/** Where its arrays lie, by identity. */
	public IdentityHashMap<Object, Long> arrays() {
		return this.arrays;
	}

	/** With what it begins: what is not stated is zero. Direct. */
	public ByteBuffer initial() {
		int end = this.contents.isEmpty() ? 0
				: Math.toIntExact(this.contents.lastKey() + this.contents.lastEntry().getValue().capacity());
		ByteBuffer initial = ByteBuffer.allocateDirect(end).order(ByteOrder.LITTLE_ENDIAN);
		this.contents.forEach((at, content) -> initial.put(Math.toIntExact(at), content, 0, content.capacity()));
		return initial.asReadOnlyBuffer();
	}

}
