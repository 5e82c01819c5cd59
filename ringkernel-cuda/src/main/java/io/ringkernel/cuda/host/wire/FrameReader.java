package io.ringkernel.cuda.host.wire;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Reads the body of a frame that may come from anywhere: nothing is read beyond its end,
 * and nothing is allocated that its bytes do not back.
 *
 * @since 0.2.0
 */
public final class FrameReader {

	private final ByteBuffer body;

	public FrameReader(byte[] body) {
		this.body = ByteBuffer.wrap(body);
	}

	public int readInt() throws MalformedFrameException {
		require(Integer.BYTES);
		return this.body.getInt();
	}

	public long readLong() throws MalformedFrameException {
		require(Long.BYTES);
		return this.body.getLong();
	}

	public boolean readBoolean() throws MalformedFrameException {
		require(Byte.BYTES);
		byte value = this.body.get();
		if (value != 0 && value != 1) {
			throw new MalformedFrameException("a boolean is " + value);
		}
		return value == 1;
	}

	public Duration readDuration() throws MalformedFrameException {
		return Duration.ofNanos(readLong());
	}

	public String readString() throws MalformedFrameException {
		int length = readInt();
		require(length);
		ByteBuffer text = this.body.slice(this.body.position(), length);
		this.body.position(this.body.position() + length);
		try {
			return StandardCharsets.UTF_8.newDecoder().decode(text).toString();
		}
		catch (CharacterCodingException ex) {
			throw new MalformedFrameException("a string is no UTF-8");
		}
	}

	public byte[] readBytes() throws MalformedFrameException {
		byte[] bytes = new byte[readCount(Byte.BYTES)];
		this.body.get(bytes);
		return bytes;
	}

	public @Nullable String readOptional() throws MalformedFrameException {
		return readBoolean() ? readString() : null;
	}

	<E extends Enum<E>> @Nullable E readOptional(Class<E> type) throws MalformedFrameException {
		String name = readOptional();
		try {
			return (name != null) ? Enum.valueOf(type, name) : null;
		}
		catch (IllegalArgumentException ex) {
			throw new MalformedFrameException("'%s' is no %s".formatted(name, type.getSimpleName()));
		}
	}

	public <E extends Enum<E>> E readEnum(Class<E> type) throws MalformedFrameException {
		E value = readOptional(type);
		if (value == null) {
			throw new MalformedFrameException("a %s is missing".formatted(type.getSimpleName()));
		}
		return value;
	}

	List<String> readStrings() throws MalformedFrameException {
		int count = readCount(Integer.BYTES);
		List<String> values = new ArrayList<>(count);
		for (int i = 0; i < count; i++) {
			values.add(readString());
		}
		return values;
	}

	Map<String, String> readMap() throws MalformedFrameException {
		int count = readCount(2 * Integer.BYTES);
		Map<String, String> values = new LinkedHashMap<>();
		for (int i = 0; i < count; i++) {
			values.put(readString(), readString());
		}
		return values;
	}

	public Map<String, Object> readValues() throws MalformedFrameException {
		int count = readCount(2 * Integer.BYTES);
		Map<String, Object> values = new LinkedHashMap<>();
		for (int i = 0; i < count; i++) {
			String name = readString();
			values.put(name, readBoolean() ? readInt() : readString());
		}
		return values;
	}

	public long[] readLongs() throws MalformedFrameException {
		long[] values = new long[readCount(Long.BYTES)];
		for (int i = 0; i < values.length; i++) {
			values[i] = readLong();
		}
		return values;
	}

	/** How many things follow, each of so many bytes at least. */
	int readCount(int bytesEach) throws MalformedFrameException {
		int count = readInt();
		if (count < 0 || (long) count * bytesEach > this.body.remaining()) {
			throw new MalformedFrameException("%d things do not fit into %d B".formatted(count, this.body.remaining()));
		}
		return count;
	}

	/** Checks that the body has been read to its end. */
	public void end() throws MalformedFrameException {
		if (this.body.hasRemaining()) {
			throw new MalformedFrameException("%d B follow the end".formatted(this.body.remaining()));
		}
	}

	private void require(int bytes) throws MalformedFrameException {
		if (bytes < 0 || bytes > this.body.remaining()) {
			throw new MalformedFrameException(
					"%d B are stated, and %d are left".formatted(bytes, this.body.remaining()));
		}
	}

}
