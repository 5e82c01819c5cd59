package io.ringkernel.compiler.translation;

import java.io.ByteArrayOutputStream;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

import io.ringkernel.compiler.ir.Constant;
import io.ringkernel.compiler.ir.ConstantData;
import io.ringkernel.compiler.ir.MemoryType;
import io.ringkernel.compiler.ir.Operator;
import io.ringkernel.compiler.ir.Register;
import io.ringkernel.compiler.ir.RegisterType;
import io.ringkernel.compiler.value.Shape;
import io.ringkernel.compiler.value.Value;

/**
 * The constants that lie in memory. A text that the code chooses at run time is one of
 * them: its address tells which one.
 *
 * @since 0.2.0
 */
public final class Constants {

	/** All of them are part of the text that the driver compiles. */
	private static final int MAX_BYTES = 1 << 20;

	private final Translation translation;

	private final Register address;

	private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

	private final IdentityHashMap<Object, Long> arrays = new IdentityHashMap<>();

	private final Map<String, Long> texts = new LinkedHashMap<>();

	Constants(Translation translation) {
		this.translation = translation;
		this.address = this.translation.code().register(RegisterType.ADDRESS);
	}

	public ConstantData data() {
		return new ConstantData(this.address, this.bytes.toByteArray());
	}

	/** Whether a value is a text that is known, or has one. */
	public static boolean hasText(Value value) {
		return hasText(value.shape());
	}

	private static boolean hasText(Shape shape) {
		if (shape instanceof Shape.RecordOf record) {
			return record.components().stream().anyMatch((component) -> hasText(component.shape()));
		}
		return shape instanceof Shape.Text text && text.isWhole();
	}

	/** A text where one that is not known may be, which lies in memory. */
	public Value placed(Value value) {
		if (!hasText(value)) {
			return value;
		}
		if (value.shape() instanceof Shape.RecordOf record) {
			List<Value> components = value.parts(record.shapes()).stream().map(this::placed).toList();
			return Value.of(record.with(components), components);
		}
		String text = ((Shape.Text) value.shape()).constant();
		ByteBuffer content = utf8(text);
		Long at = this.texts.get(text);
		if (at == null) {
			at = add(content);
			this.texts.put(text, at);
		}
		Value array = at(MemoryType.BYTE, at, content.remaining());
		return new Value(new Shape.Utf8(),
				List.of(array.scalar(), Constant.of(content.remaining()), Constant.of(text.length())));
	}

	/** An array as it is now. */
	public Value array(MemoryType element, Object array) {
		Long at = this.arrays.get(array);
		if (at == null) {
			at = add(State.bytesOf(element, array).rewind());
			this.arrays.put(array, at);
		}
		Value value = at(element, at, Array.getLength(array));
		return new Value(new Shape.ArrayOf(element, true), value.scalars());
	}

	public boolean holds(Object array) {
		return this.arrays.containsKey(array);
	}

	/** The texts that are there now, each with its address. */
	void forEachText(BiConsumer<String, Register> action) {
		this.texts.forEach((text, at) -> action.accept(text, place(at)));
	}

	public ByteBuffer utf8(String text) {
		try {
			return StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
		}
		catch (CharacterCodingException ex) {
			throw this.translation.refuse("a text has an unpaired surrogate (%s)".formatted(ex.getMessage()),
					"Use a text that UTF-8 can express.");
		}
	}

	private Value at(MemoryType element, long at, int length) {
		return this.translation.ofWorker(Value.array(element, place(at), Constant.of(length)));
	}

	private Register place(long at) {
		return this.translation.code().binary(Operator.ADD, this.address, Constant.of(at));
	}

	private long add(ByteBuffer content) {
		int at = this.bytes.size();
		if (at + content.remaining() > MAX_BYTES) {
			throw this.translation.refuse(
					"the constant texts and arrays of the handler need %d bytes".formatted(at + content.remaining()),
					"Up to %d bytes are possible. Keep arrays in fields of the handler.".formatted(MAX_BYTES));
		}
		// Each has an address of its own, also an empty one.
		int size = Math.max(1, content.remaining());
		this.bytes.write(content.array(), content.arrayOffset() + content.position(), content.remaining());
		for (int end = at + content.remaining(); end % ConstantData.ALIGNMENT != 0 || end < at + size; end++) {
			this.bytes.write(0);
		}
		return at;
	}

}
