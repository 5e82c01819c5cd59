package io.ringkernel.spring.ai.embedding.model;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import org.jspecify.annotations.Nullable;

/**
 * The fields of an ONNX tensor while they are read.
 */
final class OnnxTensorFields {

	private static final int DIMENSIONS = 1;

	private static final int TYPE = 2;

	private static final int FLOATS = 4;

	private static final int INTEGERS = 5;

	private static final int LONGS = 7;

	private static final int NAME = 8;

	private static final int RAW = 9;

	private static final int LOCATION = 14;

	private final CodedInputStream in;

	private final List<Integer> dimensions = new ArrayList<>();

	private String name = "";

	private int type;

	private boolean elsewhere;

	private @Nullable ByteBuffer raw;

	/** Elements that are not raw: each takes as many bytes as its type has. */
	private List<Long> integers = List.of();

	OnnxTensorFields(CodedInputStream in) {
		this.in = in;
	}

	void field(int field) throws IOException {
		switch (field) {
			case DIMENSIONS -> dimension();
			case TYPE -> this.type = this.in.readInt32();
			// Packed floats are as raw ones.
			case FLOATS, RAW -> this.raw = this.in.readByteBuffer();
			case INTEGERS, LONGS -> this.integers = packed();
			case NAME -> this.name = this.in.readStringRequireUtf8();
			case LOCATION -> this.elsewhere = this.in.readEnum() != 0;
			default -> this.in.skipField(this.in.getLastTag());
		}
	}

	/** One, or all of them packed. */
	private void dimension() throws IOException {
		if (WireFormat.getTagWireType(this.in.getLastTag()) == WireFormat.WIRETYPE_LENGTH_DELIMITED) {
			packed().forEach(this::dimension);
		}
		else {
			dimension(this.in.readInt64());
		}
	}

	private void dimension(long size) {
		if (size < 0 || size > Integer.MAX_VALUE) {
			throw new InvalidEncoderException("A dimension of a tensor is %d. Take a file where it is 0 to %d."
				.formatted(size, Integer.MAX_VALUE));
		}
		this.dimensions.add((int) size);
	}

	private List<Long> packed() throws IOException {
		List<Long> values = new ArrayList<>();
		int limit = this.in.pushLimit(this.in.readRawVarint32());
		while (this.in.getBytesUntilLimit() > 0) {
			values.add(this.in.readInt64());
		}
		this.in.popLimit(limit);
		return values;
	}

	/** The tensor, unless its elements are of a type that no weights have. */
	Optional<Tensor> tensor() {
		if (this.elsewhere) {
			throw new InvalidEncoderException(
					"%s is in another file. Take a model that has all its weights in one file.".formatted(this.name));
		}
		return format()
			.map((format) -> new Tensor(this.name, this.dimensions.stream().mapToInt(Integer::intValue).toArray(),
					format, (this.raw != null) ? this.raw : bytes(format)));
	}

	private Optional<ElementFormat> format() {
		return Optional.ofNullable(switch (this.type) {
			case 1 -> ElementFormat.FLOAT32;
			case 2 -> ElementFormat.UINT8;
			case 3 -> ElementFormat.INT8;
			case 7 -> ElementFormat.INT64;
			case 10 -> ElementFormat.FLOAT16;
			case 16 -> ElementFormat.BFLOAT16;
			default -> null;
		});
	}

	private ByteBuffer bytes(ElementFormat format) {
		ByteBuffer bytes = ByteBuffer.allocate(this.integers.size() * format.bytes()).order(ByteOrder.LITTLE_ENDIAN);
		for (long value : this.integers) {
			switch (format.bytes()) {
				case Byte.BYTES -> bytes.put((byte) value);
				case Short.BYTES -> bytes.putShort((short) value);
				case Long.BYTES -> bytes.putLong(value);
				default -> throw new InvalidEncoderException(
						"%s has floats, but stores them as integers. Take a file that stores them as floats."
							.formatted(this.name));
			}
		}
		return bytes.flip();
	}

}
