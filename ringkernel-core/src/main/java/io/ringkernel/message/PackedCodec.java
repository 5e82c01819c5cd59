package io.ringkernel.message;

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
	 * Writes a record as chunks with a tag, which is the upper half of a word. Calls no
	 * code of the record's but accessors that return a field, so it cannot fail. All
	 * first words are stored before a release fence, and those with tags behind it.
	 */
	void pack(int at, Object value, LongBuffer target, long lap);

	/**
	 * Reads a record from chunks that have a tag; {@code null} if one has another. It
	 * holds primitives alone, of which any value is valid. The loads of the tags come
	 * first, and a fence keeps the others behind them: they find what was stored with the
	 * tags. One method does it all, so what the compiler of the JVM makes of it depends
	 * on nothing around it.
	 * @throws Throwable what the record's constructor throws
	 */
	@Nullable Object unpack(LongBuffer source, int at, long lap) throws Throwable;

}
