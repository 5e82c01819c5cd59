package io.ringkernel.message;

import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;

import io.ringkernel.exception.CorruptMessageException;
import io.ringkernel.exception.InvalidMessageException;
import io.ringkernel.exception.UnsupportedMessageTypeException;
import io.ringkernel.message.buffer.MessageBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The binary layout of a record, and the codec for it. A layout is immutable; any number
 * of threads may use it.
 *
 * <p>
 * A message is little endian: <pre>
 *  0                fixedSize                                            encoded size
 *  +----------------+-------+----------------+-------+------------------+
 *  | fixed block    | 0 … 0 | variable part  | 0 … 0 | variable part  … |
 *  +----------------+-------+----------------+-------+------------------+
 *                           ^ multiple of 16         ^ multiple of 16
 * </pre> The fixed block is a C struct: a member for each component in order, naturally
 * aligned, padded to its alignment; a nested record is a nested struct. An array or
 * string with {@link io.ringkernel.Capacity @Capacity} is {@code struct { uint32_t
 * offset; uint32_t length; }} there, the offset in bytes from the message's start, the
 * length in elements or UTF-8 bytes, and its elements are a variable part; an empty one
 * is {@code {0, 0}} and has no part. An array with {@link io.ringkernel.Length @Length}
 * is an array member. An optional component ({@code @Nullable},
 * {@link java.util.Optional}, {@link java.util.OptionalInt} and its like) is
 * {@code struct { uint32_t present; T value; }}. Enums are {@code int32_t} ordinals,
 * booleans bytes of 0 or 1. All padding is zero.
 *
 * @param <T> the record type
 * @since 0.1.0
 */
public final class MessageLayout<T extends Record> {

	/** Set in a native image, where no class can be defined. */
	static final String IMAGE_CODE = "org.graalvm.nativeimage.imagecode";

	private static final ClassValue<MessageLayout<?>> LAYOUTS = new ClassValue<>() {

		@Override
		protected MessageLayout<?> computeValue(Class<?> type) {
			return new MessageLayout<>(type.asSubclass(Record.class));
		}

	};

	private final Class<T> type;

	private final RecordType struct;

	private final int maxSize;

	private final List<Field> fields;

	private final long fingerprint;

	private final Codec codec;

	private final @Nullable PackedCodec packed;

	private MessageLayout(Class<T> type) {
		this(type, records());
	}

	/** Lays a record out. The function makes the codec of a record. */
	MessageLayout(Class<T> type, Function<RecordCodec, Codec> records) {
		this.type = type;
		this.struct = new LayoutBuilder().record(type);
		long size = this.struct.extend(this.struct.size());
		LayoutBuilder.requireSize(type, size);
		this.maxSize = (int) size;
		this.fields = this.struct.fields();
		this.fingerprint = new LayoutTable(this.struct).fingerprint();
		Site message = new Site(type, "", 0, this.struct.size());
		this.codec = this.struct.codec(message, records);
		this.packed = (this.codec instanceof PackedCodec moves) ? moves : null;
	}

	static Function<RecordCodec, Codec> records() {
		return (System.getProperty(IMAGE_CODE) != null) ? (codec) -> codec : GeneratedCodec::of;
	}

	/**
	 * Returns the layout of a record, which is computed once.
	 * @param <T> the record type
	 * @param type the record class, of any visibility; neither it nor a record nested in
	 * it may be generic, recursive or empty
	 * @return the layout
	 * @throws UnsupportedMessageTypeException if the record cannot be laid out, or takes
	 * more than 1 GiB; the message names the component and what to write instead
	 */
	@SuppressWarnings("unchecked")
	public static <T extends Record> MessageLayout<T> of(Class<T> type) {
		if (!type.isRecord()) {
			throw new UnsupportedMessageTypeException(type,
					type.getSimpleName() + " is no record; declare the message as a record");
		}
		return (MessageLayout<T>) LAYOUTS.get(type);
	}

	/**
	 * {@return the record class that is laid out}
	 */
	public Class<T> type() {
		return this.type;
	}

	/**
	 * {@return the size of the fixed block in bytes, a multiple of {@link #alignment()}}
	 */
	public int fixedSize() {
		return this.struct.size();
	}

	/**
	 * {@return the alignment of the fixed block, that of its most aligned member: 1, 2, 4
	 * or 8 bytes}
	 */
	public int alignment() {
		return this.struct.alignment();
	}

	/**
	 * {@return the encoded size, in bytes, of a message whose variable parts all have the
	 * length of their capacity}
	 */
	public int maxSize() {
		return this.maxSize;
	}

	/**
	 * {@return the members of the fixed block in order, each with its nested ones; not
	 * modifiable}
	 */
	public List<Field> fields() {
		return this.fields;
	}

	/**
	 * {@return where a component lies, in bytes, in the fixed block or in each element of
	 * an array of these records}
	 * @param component its name; that of a component of a nested record behind the name
	 * of that record and a dot
	 * @param type the Java type of the component, or of one element of an array with
	 * {@link io.ringkernel.Length @Length}, whose elements lie one behind the other
	 * @throws IllegalArgumentException if no such component of that type always lies
	 * there: one that is optional, or an array or string with
	 * {@link io.ringkernel.Capacity @Capacity}, does not
	 * @since 0.2.0
	 */
	public int offset(String component, Class<?> type) {
		return this.struct.offset(component, type);
	}

	/**
	 * A hash of the layout: the paths, types, offsets, sizes and capacities of all
	 * members and the names of enum constants, but no names of classes. Two layouts with
	 * the same fingerprint may be taken to be the same; it is the same in every JVM.
	 * @return 64-bit FNV-1a
	 */
	public long fingerprint() {
		return this.fingerprint;
	}

	/**
	 * Describes the layout as a table with one member a line, to be read by people.
	 * @return several lines of text, each ended by a line feed
	 */
	public String describe() {
		return String.format(Locale.ROOT, "%s: fixed block of %d bytes, alignment %d, at most %d bytes in all\n%s",
				this.type.getSimpleName(), fixedSize(), alignment(), this.maxSize, new LayoutTable(this.struct).text());
	}

	/**
	 * Validates a message and measures it.
	 * @param message the message
	 * @return its encoded size in bytes
	 * @throws InvalidMessageException if the message or a component is {@code null}, or a
	 * component has the wrong length or exceeds its capacity
	 */
	public int measure(T message) {
		try {
			return this.codec.measure(fixedSize(), message);
		}
		catch (Throwable ex) {
			throw propagate(ex);
		}
	}

	/**
	 * Validates and encodes a message. It writes as many bytes as {@link #measure
	 * measure(message)} returns, unless the record's accessors return something else the
	 * second time, and never more than {@link #maxSize()}.
	 * @param message the message
	 * @param target the buffer to write to
	 * @param offset where the message starts, a multiple of 16
	 * @return the encoded size in bytes
	 * @throws InvalidMessageException if the message or a component is {@code null}, or a
	 * component has the wrong length, exceeds its capacity or ends beyond the target;
	 * part of the message may be written by then
	 * @throws IllegalArgumentException if the offset is not a multiple of 16
	 * @throws IndexOutOfBoundsException if the target is too small for the fixed block
	 */
	public int write(T message, MessageBuffer target, int offset) {
		requireAligned(offset);
		try {
			int end = this.codec.write(fixedSize(), message, target, offset);
			assert end <= this.maxSize;
			return end;
		}
		catch (Throwable ex) {
			throw propagate(ex);
		}
	}

	/**
	 * Decodes a message that may come from anywhere: everything that is read is checked
	 * against the layout before it is used, and nothing outside the message is read.
	 * @param source the buffer to read from
	 * @param offset where the message starts, a multiple of 16
	 * @param length the encoded size of the message, which may be rounded up to a
	 * multiple of 16
	 * @return the message
	 * @throws CorruptMessageException if the bytes are no message of this layout, or the
	 * record's constructor refuses the values
	 * @throws IllegalArgumentException if the offset is not a multiple of 16
	 */
	public T read(MessageBuffer source, int offset, int length) {
		requireAligned(offset);
		requireLength(length);
		if (offset < 0 || offset > source.capacity() - length) {
			throw corrupt("has " + length + " bytes at " + offset + "; the buffer ends at " + source.capacity());
		}
		Object message;
		try {
			message = Objects.requireNonNull(this.codec.read(source, offset, length));
		}
		catch (CorruptMessageException ex) {
			throw ex;
		}
		catch (RuntimeException ex) {
			throw refused(ex);
		}
		catch (Throwable ex) {
			throw propagate(ex);
		}
		return this.type.cast(message);
	}

	/**
	 * Checks the encoded size of a message, which may be rounded up.
	 * @param length the size in bytes
	 * @throws CorruptMessageException if no message of this layout has that size
	 * @since 0.2.0
	 */
	public void requireLength(int length) {
		if (length < fixedSize() || length > MessageBuffer.aligned(this.maxSize)) {
			throw corrupt("has " + length + " bytes; its layout allows " + fixedSize() + " to " + this.maxSize);
		}
	}

	/**
	 * {@return the components that are arrays or strings of variable length and always
	 * there, in their order}
	 * @since 0.2.0
	 */
	public List<VariableArray> variableArrays() {
		Site message = new Site(this.type, "", 0, fixedSize());
		List<VariableArray> arrays = new ArrayList<>();
		for (RecordType.Member member : this.struct.members()) {
			Site site = message.member(member.name(), member.offset());
			if (member.type().codec(site, records()) instanceof SequenceCodec codec && codec.variable()) {
				arrays.add(new VariableArray(member.name(), codec));
			}
		}
		return arrays;
	}

	/**
	 * Whether messages can be moved straight in and out of chunks: pairs of 8-byte words,
	 * of which the upper half of the second is a tag and the rest twelve bytes of the
	 * message. That holds for a record of {@code int}, {@code long}, {@code float} and
	 * {@code double} components with at most 372 bytes whose accessors are not written
	 * out.
	 * @return whether {@link #pack} and {@link #unpack} may be called
	 * @since 0.2.0
	 */
	public boolean isPacked() {
		return this.packed != null;
	}

	/**
	 * Encodes a message as chunks that all have the same tag. It does not fail, and
	 * neither waits nor allocates. The first words of all chunks are stored before a
	 * release fence, and those with the tags behind it.
	 * @param message the message
	 * @param target the words to write to
	 * @param at the index of the first word
	 * @param tag the tag
	 * @throws IllegalStateException if the layout is not {@linkplain #isPacked packed}
	 * @since 0.2.0
	 */
	public void pack(T message, LongBuffer target, int at, int tag) {
		requirePacked().pack(at, message, target, (long) tag << Integer.SIZE);
	}

	/**
	 * Decodes a message from chunks that all have the same tag.
	 * @param source the words to read from
	 * @param at the index of the first word
	 * @param tag the tag
	 * @return the message; {@code null} if a chunk has another tag
	 * @throws CorruptMessageException if the record's constructor refuses the values
	 * @throws IllegalStateException if the layout is not {@linkplain #isPacked packed}
	 * @since 0.2.0
	 */
	@SuppressWarnings("unchecked") // The codec calls the constructor of this type alone.
	public @Nullable T unpack(LongBuffer source, int at, int tag) {
		Object message;
		try {
			message = requirePacked().unpack(source, at, (long) tag << Integer.SIZE);
		}
		catch (RuntimeException ex) {
			throw refused(ex);
		}
		catch (Throwable ex) {
			throw propagate(ex);
		}
		return (T) message;
	}

	private PackedCodec requirePacked() {
		PackedCodec codec = this.packed;
		if (codec == null) {
			throw new IllegalStateException(this.type.getSimpleName() + " is not packed");
		}
		return codec;
	}

	private CorruptMessageException refused(RuntimeException ex) {
		CorruptMessageException corrupt = corrupt("holds values that its constructor refuses: " + ex);
		corrupt.addSuppressed(ex);
		return corrupt;
	}

	private CorruptMessageException corrupt(String problem) {
		return new CorruptMessageException(this.type.getSimpleName() + " " + problem);
	}

	private static void requireAligned(int offset) {
		if (offset % MessageBuffer.ALIGNMENT != 0) {
			throw new IllegalArgumentException(
					"offset is " + offset + "; messages start at multiples of " + MessageBuffer.ALIGNMENT);
		}
	}

	private static RuntimeException propagate(Throwable ex) {
		if (ex instanceof Error error) {
			throw error;
		}
		if (ex instanceof RuntimeException runtimeException) {
			return runtimeException;
		}
		return new IllegalStateException("a record accessor or constructor threw a checked exception", ex);
	}

}
