package io.ringkernel.message;

import java.lang.invoke.VarHandle;
import java.nio.LongBuffer;

import org.jspecify.annotations.Nullable;

/**
 * Moves a record straight in and out of chunks: pairs of 8-byte words of which the upper
 * half of the second is a tag, so that two words hold twelve bytes of the message. The
 * record's values go from its accessors to their places in the words, and from there to
 * its constructor, without contiguous memory in between. {@link PackedCode} generates the
 * methods.
 */
interface PackedCodec extends Codec {

	/** What two words hold of a message. */
	int CHUNK_DATA_BYTES = 12;

	/**
	 * Writes a record as chunks with a tag. Calls no code of the record's but accessors
	 * that return a field, so it cannot fail. All first words are stored before a release
	 * fence, and those with tags behind it.
	 * @param at where the first word goes
	 * @param value the record, which is not {@code null}
	 * @param lap the tag, as the upper half of a word
	 */
	void pack(int at, Object value, LongBuffer target, long lap);

	/**
	 * How the tags of chunks differ from one.
	 * @param lap the tag, as the upper half of a word
	 * @return bits of which the upper half is zero if none differs
	 */
	long differences(LongBuffer source, int at, long lap);

	/**
	 * Reads a record from chunks, whatever their tags are. It holds primitives alone, of
	 * which any value is valid.
	 * @throws Throwable what the record's constructor throws
	 */
	Object unpack(LongBuffer source, int at) throws Throwable;

	/**
	 * Reads a record from chunks that have a tag. The loads of the tags come first, and
	 * the fence keeps the others behind them: they find what was stored with the tags.
	 * @return the record, or {@code null} if a chunk has another tag
	 * @throws Throwable what the record's constructor throws
	 */
	default @Nullable Object unpackTagged(LongBuffer source, int at, long lap) throws Throwable {
		long differences = differences(source, at, lap);
		VarHandle.acquireFence();
		return (differences >>> Integer.SIZE == 0) ? unpack(source, at) : null;
	}

}
