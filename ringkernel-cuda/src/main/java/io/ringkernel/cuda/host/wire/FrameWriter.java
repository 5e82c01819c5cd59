package io.ringkernel.cuda.host.wire;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Writes the body of a frame: big endian, strings as UTF-8 behind their length in bytes,
 * an absent value as {@code false}.
 *
 * @since 0.2.0
 */
public final class FrameWriter {

	private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

	public byte[] toBytes() {
		return this.bytes.toByteArray();
	}

	public FrameWriter writeInt(int value) {
		this.bytes.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(value).array());
		return this;
	}

	public FrameWriter writeLong(long value) {
		this.bytes.writeBytes(ByteBuffer.allocate(Long.BYTES).putLong(value).array());
		return this;
	}

	public FrameWriter writeLongs(long[] values) {
		writeInt(values.length);
		for (long value : values) {
			writeLong(value);
		}
		return this;
	}

	public FrameWriter writeBoolean(boolean value) {
		this.bytes.write(value ? 1 : 0);
		return this;
	}

	public FrameWriter writeDuration(Duration value) {
		return writeLong(value.toNanos());
	}

	public FrameWriter writeString(String value) {
		return writeBytes(value.getBytes(StandardCharsets.UTF_8));
	}

	public FrameWriter writeBytes(byte[] value) {
		writeInt(value.length);
		this.bytes.writeBytes(value);
		return this;
	}

	public FrameWriter writeOptional(@Nullable String value) {
		writeBoolean(value != null);
		return (value != null) ? writeString(value) : this;
	}

	public FrameWriter writeEnum(@Nullable Enum<?> value) {
		return writeOptional((value != null) ? value.name() : null);
	}

	FrameWriter writeStrings(Collection<String> values) {
		writeInt(values.size());
		values.forEach(this::writeString);
		return this;
	}

	FrameWriter writeStrings(Map<String, ?> values) {
		writeInt(values.size());
		values.forEach((name, value) -> writeString(name).writeString(String.valueOf(value)));
		return this;
	}

	/**
	 * Writes values for display: whole numbers stay numbers, and all others become text.
	 */
	public FrameWriter writeValues(Map<String, Object> values) {
		writeInt(values.size());
		values.forEach((name, value) -> {
			writeString(name);
			if (value instanceof Integer number) {
				writeBoolean(true).writeInt(number);
			}
			else {
				writeBoolean(false).writeString(String.valueOf(value));
			}
		});
		return this;
	}

}
