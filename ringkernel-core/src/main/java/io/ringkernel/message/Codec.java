package io.ringkernel.message;

import io.ringkernel.message.buffer.MessageBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Moves one value between Java and a message. {@code at} is where the message, or the
 * array element that the value is part of, starts in the buffer. An {@code end} is where
 * the message ends so far, counted from there: variable parts are added at the end.
 * <p>
 * The codec of a record exists twice: {@link RecordCodec} calls accessors and constructor
 * reflectively, {@link GeneratedCodec} defines a class that does the same.
 */
interface Codec {

	/**
	 * Validates a value.
	 * @return the end of the message once the value's variable parts are added
	 * @throws Throwable an {@link io.ringkernel.exception.InvalidMessageException}, or
	 * what a record's accessor throws
	 */
	int measure(int end, @Nullable Object value) throws Throwable;

	/**
	 * Validates and writes a value.
	 * @return the same end
	 * @throws Throwable as {@link #measure} does
	 */
	int write(int end, @Nullable Object value, MessageBuffer target, int at) throws Throwable;

	/**
	 * Validates and reads a value. Nothing that lies in the message is trusted.
	 * @param length the length of the message
	 * @throws Throwable a {@link io.ringkernel.exception.CorruptMessageException}, or
	 * what a record's constructor throws
	 */
	@Nullable Object read(MessageBuffer source, int at, int length) throws Throwable;

}
