package io.ringkernel.message;

import java.nio.LongBuffer;
import java.nio.file.Path;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.ringkernel.exception.CorruptMessageException;
import io.ringkernel.message.Fixtures.Point;
import io.ringkernel.message.buffer.MessageBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class PackedCodecTests {

	private static final int TAG = 0xcafe0001;

	/** Where messages are put, in words. */
	private static final int AT = 6;

	private final LongBuffer words = MessageBuffer.allocate(1024).longs();

	private final MessageBuffer bytes = MessageBuffer.allocate(512);

	/**
	 * What the chunks hold, without their tags.
	 */
	private byte[] data(int size) {
		byte[] data = new byte[size];
		for (int i = 0; i < size; i++) {
			int chunk = i / 12;
			int inChunk = i % 12;
			data[i] = (byte) (this.words.get(AT + 2 * chunk + inChunk / 8) >>> 8 * (inChunk % 8));
		}
		return data;
	}

	private static int chunks(int size) {
		return (size + 11) / 12;
	}

	private <T extends Record> void assertMovesAsBytesDo(T message, MessageLayout<T> layout) {
		assertThat(layout.isPacked()).as(layout::describe).isTrue();
		int size = layout.write(message, this.bytes, 0);
		byte[] expected = new byte[size];
		this.bytes.bytes().get(0, expected);
		layout.pack(message, this.words, AT, TAG);
		assertThat(data(size)).as(layout::describe).isEqualTo(expected);
		for (int chunk = 0; chunk < chunks(size); chunk++) {
			assertThat((int) (this.words.get(AT + 2 * chunk + 1) >>> 32)).isEqualTo(TAG);
		}
		assertThat(layout.unpack(this.words, AT, TAG)).isEqualTo(message);
		assertThat(layout.unpack(this.words, AT, TAG + 2)).isNull();
	}

	private <T extends Record> void assertMovesRandomly(Class<T> type, RandomMessages messages) {
		MessageLayout<T> layout = MessageLayout.of(type);
		for (int i = 0; i < 20; i++) {
			assertMovesAsBytesDo(messages.next(type), layout);
		}
	}

	@Test
	void valuesOfEveryTypeAtEveryPlaceMoveAsBytesDo(@TempDir Path directory) throws Exception {
		Random random = new Random(5);
		String[] types = { "int", "long", "float", "double" };
		StringBuilder source = new StringBuilder();
		int count = 40;
		for (int i = 0; i < count; i++) {
			source.append("record R" + i + "(")
				.append(IntStream.rangeClosed(0, i)
					.mapToObj((c) -> types[random.nextInt(types.length)] + " c" + c)
					.collect(Collectors.joining(", ")))
				.append(") {}\n");
		}
		String[] names = IntStream.range(0, count).mapToObj((i) -> "R" + i).toArray(String[]::new);
		RandomMessages messages = new RandomMessages(6);
		for (Class<? extends Record> type : CompiledClasses.records(directory, source.toString(), names)) {
			assertMovesRandomly(type, messages);
		}
	}

	@Test
	void theLargestMessageThatFitsIntoASlotIsPacked(@TempDir Path directory) throws Exception {
		String source = "record Most(" + ints(93) + ") {}\nrecord More(" + ints(94) + ") {}\n";
		var types = CompiledClasses.records(directory, source, "Most", "More");
		assertMovesRandomly(types.get(0), new RandomMessages(7));
		assertThat(MessageLayout.of(types.get(1)).isPacked()).isFalse();
	}

	private static String ints(int count) {
		return IntStream.range(0, count).mapToObj((i) -> "int i" + i).collect(Collectors.joining(", "));
	}

	@Test
	void nothingIsReadWhileAnyChunkHasAnotherTag() {
		MessageLayout<Longs> layout = MessageLayout.of(Longs.class);
		layout.pack(new Longs(-1, -2, -3, -4), this.words, AT, TAG);
		for (int chunk = 0; chunk < chunks(layout.fixedSize()); chunk++) {
			int at = AT + 2 * chunk + 1;
			long word = this.words.get(at);
			this.words.put(at, word ^ 1L << 32 + chunk);
			assertThat(layout.unpack(this.words, AT, TAG)).as("chunk %d", chunk).isNull();
			this.words.put(at, word);
		}
		assertThat(layout.unpack(this.words, AT, TAG)).isEqualTo(new Longs(-1, -2, -3, -4));
	}

	@Test
	void aRecordWithAnAccessorOfItsOwnIsNotPacked() {
		assertThat(MessageLayout.of(Waiting.class).isPacked()).isFalse();
	}

	@Test
	void aRecordWithOtherComponentsIsNotPacked() {
		assertThat(MessageLayout.of(Flagged.class).isPacked()).isFalse();
		assertThat(MessageLayout.of(Nested.class).isPacked()).isFalse();
		assertThatIllegalStateException()
			.isThrownBy(() -> MessageLayout.of(Flagged.class).pack(new Flagged(1, true), this.words, AT, TAG))
			.withMessage("Flagged is not packed");
	}

	@Test
	void aNativeImagePacksNothing() {
		assertThat(Codecs.GENERATED.layout(Longs.class).isPacked()).isTrue();
		assertThat(Codecs.REFLECTIVE.layout(Longs.class).isPacked()).isFalse();
	}

	@Test
	void whatAConstructorRefusesIsCorrupt() {
		MessageLayout<Longs> longs = MessageLayout.of(Longs.class);
		longs.pack(new Longs(-1, 0, 0, 0), this.words, AT, TAG);
		MessageLayout<Positive> layout = MessageLayout.of(Positive.class);
		assertThatExceptionOfType(CorruptMessageException.class).isThrownBy(() -> layout.unpack(this.words, AT, TAG))
			.withMessageContaining("its constructor refuses");
	}

	record Longs(long a, long b, long c, long d) {
	}

	record Positive(long a, long b, long c, long d) {

		Positive {
			if (a < 0) {
				throw new IllegalArgumentException("a is negative");
			}
		}

	}

	record Waiting(long a, long b) {

		@Override
		public long b() {
			return Math.max(0, this.b);
		}

	}

	record Flagged(long a, boolean b) {
	}

	record Nested(Point from, Point to) {
	}

}
