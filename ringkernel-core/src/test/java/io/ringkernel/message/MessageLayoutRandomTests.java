package io.ringkernel.message;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

import io.ringkernel.TestShare;
import io.ringkernel.exception.CorruptMessageException;
import io.ringkernel.message.buffer.MessageBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

@ParameterizedClass
@EnumSource(Codecs.class)
@Tag("every-platform")
class MessageLayoutRandomTests {

	private final Codecs codecs;

	MessageLayoutRandomTests(Codecs codecs) {
		this.codecs = codecs;
	}

	private static final int OFFSET = 32;

	private static final int MARGIN = 64;

	static List<Class<? extends Record>> types() {
		return Fixtures.ALL;
	}

	@ParameterizedTest
	@MethodSource("types")
	<T extends Record> void randomMessagesRoundTrip(Class<T> type) {
		MessageLayout<T> layout = this.codecs.layout(type);
		RandomMessages messages = new RandomMessages(1);
		for (int i = 0; i < TestShare.of(2_000); i++) {
			T message = messages.next(type);
			MessageBuffer buffer = filled(OFFSET + layout.maxSize() + MARGIN, (byte) 0x55);
			int size = layout.measure(message);
			layout.write(message, buffer, OFFSET);
			assertThat(RecordValues.of(layout.read(buffer, OFFSET, size))).isEqualTo(RecordValues.of(message));
		}
	}

	@ParameterizedTest
	@MethodSource("types")
	<T extends Record> void writesExactlyTheMeasuredBytes(Class<T> type) {
		MessageLayout<T> layout = this.codecs.layout(type);
		RandomMessages messages = new RandomMessages(2);
		for (int i = 0; i < TestShare.of(500); i++) {
			T message = messages.next(type);
			MessageBuffer ones = filled(OFFSET + layout.maxSize() + MARGIN, (byte) 0xFF);
			MessageBuffer zeros = filled(OFFSET + layout.maxSize() + MARGIN, (byte) 0);
			layout.write(message, ones, OFFSET);
			layout.write(message, zeros, OFFSET);
			int size = layout.measure(message);
			assertThat(slice(ones, OFFSET, size)).isEqualTo(slice(zeros, OFFSET, size));
			assertThat(ones.bytes().slice(0, OFFSET)).isEqualTo(filled(OFFSET, (byte) 0xFF).bytes());
			int rest = ones.capacity() - OFFSET - size;
			assertThat(slice(ones, OFFSET + size, rest)).isEqualTo(filled(rest, (byte) 0xFF).bytes());
		}
	}

	@ParameterizedTest
	@MethodSource("types")
	<T extends Record> void flippedBitsAreDecodedOrReportedAsCorrupt(Class<T> type) {
		MessageLayout<T> layout = this.codecs.layout(type);
		RandomMessages messages = new RandomMessages(3);
		Random random = new Random(3);
		for (int i = 0; i < TestShare.of(10_000); i++) {
			T message = messages.next(type);
			byte[] encoded = encode(layout, message);
			for (int flips = 1 + random.nextInt(4); flips > 0; flips--) {
				int bit = random.nextInt(encoded.length * 8);
				encoded[bit / 8] ^= (byte) (1 << (bit % 8));
			}
			assertDecodedOrCorrupt(layout, encoded);
		}
	}

	@ParameterizedTest
	@MethodSource("types")
	<T extends Record> void randomWordsAreDecodedOrReportedAsCorrupt(Class<T> type) {
		MessageLayout<T> layout = this.codecs.layout(type);
		RandomMessages messages = new RandomMessages(4);
		Random random = new Random(4);
		int[] telling = { 0, 1, 2, 16, 48, layout.fixedSize(), -1, -16, Integer.MAX_VALUE, Integer.MIN_VALUE,
				Integer.MAX_VALUE - 15 };
		for (int i = 0; i < TestShare.of(10_000); i++) {
			byte[] encoded = encode(layout, messages.next(type));
			ByteBuffer words = MessageBuffer.wrap(ByteBuffer.wrap(encoded)).bytes();
			for (int changes = random.nextInt(4); changes >= 0 && encoded.length >= 4; changes--) {
				int word = random.nextInt(encoded.length / 4) * 4;
				words.putInt(word, random.nextBoolean() ? telling[random.nextInt(telling.length)] : random.nextInt());
			}
			assertDecodedOrCorrupt(layout, encoded);
		}
	}

	@ParameterizedTest
	@MethodSource("types")
	<T extends Record> void noiseIsDecodedOrReportedAsCorrupt(Class<T> type) {
		MessageLayout<T> layout = this.codecs.layout(type);
		Random random = new Random(5);
		for (int i = 0; i < TestShare.of(5_000); i++) {
			byte[] noise = new byte[random.nextInt(layout.maxSize() + 32)];
			random.nextBytes(noise);
			assertDecodedOrCorrupt(layout, noise);
		}
	}

	@ParameterizedTest
	@MethodSource("types")
	<T extends Record> void shortenedMessagesAreDecodedOrReportedAsCorrupt(Class<T> type) {
		MessageLayout<T> layout = this.codecs.layout(type);
		byte[] encoded = encode(layout, new RandomMessages(6).next(type));
		for (int length = 0; length < encoded.length; length++) {
			assertDecodedOrCorrupt(layout, Arrays.copyOf(encoded, length));
		}
	}

	/**
	 * Decodes the bytes twice, in different surroundings: what lies outside the message
	 * has no influence, so it is not read.
	 */
	private static void assertDecodedOrCorrupt(MessageLayout<?> layout, byte[] encoded) {
		Object amongZeros = decode(layout, encoded, (byte) 0);
		Object amongOnes = decode(layout, encoded, (byte) 0xFF);
		assertThat(amongZeros).isEqualTo(amongOnes);
	}

	private static Object decode(MessageLayout<?> layout, byte[] encoded, byte surroundings) {
		MessageBuffer buffer = filled(OFFSET + encoded.length + MARGIN, surroundings);
		buffer.bytes().put(OFFSET, encoded);
		try {
			return RecordValues.of(layout.read(buffer, OFFSET, encoded.length));
		}
		catch (CorruptMessageException ex) {
			assertThat(ex.getSuppressed()).as("refused by the layout, not by a constructor").isEmpty();
			return ex.getMessage();
		}
	}

	private static <T extends Record> byte[] encode(MessageLayout<T> layout, T message) {
		byte[] encoded = new byte[layout.measure(message)];
		layout.write(message, MessageBuffer.wrap(ByteBuffer.wrap(encoded)), 0);
		return encoded;
	}

	private static ByteBuffer slice(MessageBuffer buffer, int offset, int length) {
		return buffer.bytes().slice(offset, length);
	}

	private static MessageBuffer filled(int size, byte value) {
		byte[] bytes = new byte[size];
		Arrays.fill(bytes, value);
		return MessageBuffer.wrap(ByteBuffer.wrap(bytes));
	}

}
