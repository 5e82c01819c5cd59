package io.ringkernel.message;

import io.ringkernel.Capacity;
import io.ringkernel.Length;
import io.ringkernel.exception.CorruptMessageException;
import io.ringkernel.message.Fixtures.Colour;
import io.ringkernel.message.buffer.MessageBuffer;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@ParameterizedClass
@EnumSource(Codecs.class)
class CorruptMessageTests {

	private final Codecs codecs;

	CorruptMessageTests(Codecs codecs) {
		this.codecs = codecs;
	}

	private static final int SIZE = 64;

	private final MessageBuffer buffer = MessageBuffer.allocate(SIZE);

	@Test
	void aBooleanThatIsNeither() {
		this.buffer.bytes().put(0, (byte) 2);
		assertCorrupt(Flag.class, 1).withMessage("Flag.flag holds the byte 2; a boolean is 0 or 1");
		assertCorrupt(Flags.class, 2).withMessageStartingWith("Flags.flags holds the byte 2");
	}

	@Test
	void anOrdinalThatTheEnumLacks() {
		this.buffer.bytes().putInt(0, 3);
		assertCorrupt(Paint.class, 4).withMessage("Paint.colour holds the ordinal 3; the enum has 3 constants");
		this.buffer.bytes().putInt(0, -1);
		assertCorrupt(Paint.class, 4).withMessageContaining("-1");
	}

	@Test
	void aMarkThatIsNeitherPresentNorAbsent() {
		this.buffer.bytes().putInt(0, -2);
		assertCorrupt(Maybe.class, 8).withMessage("Maybe.value is marked present by 4294967294; the mark is 0 or 1");
	}

	@Test
	void aLengthBeyondTheCapacity() {
		describe(16, 5);
		assertCorrupt(Numbers.class, 32).withMessage("Numbers.values has the length 5 elements; its capacity is 4");
		describe(16, -1);
		assertCorrupt(Numbers.class, 32).withMessageContaining("4294967295");
	}

	@Test
	void aPartThatEndsBeyondTheMessage() {
		describe(16, 4);
		assertCorrupt(Numbers.class, 31).withMessageContaining("4 elements at offset 16")
			.withMessageContaining("the message's 31 bytes");
		describe(Integer.MAX_VALUE - 15, 4);
		assertCorrupt(Numbers.class, 32).withMessageContaining("offset 2147483632");
	}

	@Test
	void aPartThatOverlapsTheFixedBlock() {
		describe(0, 1);
		assertCorrupt(Numbers.class, 32).withMessageContaining("from 8 on");
		describe(-16, 1);
		assertCorrupt(Numbers.class, 32).withMessageContaining("offset 4294967280");
	}

	@Test
	void aPartThatIsNotAligned() {
		describe(20, 1);
		assertCorrupt(Numbers.class, 32).withMessageContaining("multiple of 16");
	}

	@Test
	void textThatIsNotUtf8() {
		byte[][] malformed = { { (byte) 0x80 }, { (byte) 0xC0, (byte) 0x80 }, { (byte) 0xED, (byte) 0xA0, (byte) 0x80 },
				{ (byte) 0xF0, (byte) 0x9F, (byte) 0x98 }, { 'a', (byte) 0xFF } };
		for (byte[] bytes : malformed) {
			describe(16, bytes.length);
			this.buffer.put(bytes, 0, bytes.length, 16);
			assertCorrupt(Text.class, 32)
				.withMessageStartingWith("Text.text holds " + bytes.length + " bytes that are");
		}
	}

	@Test
	void aMessageShorterThanItsFixedBlock() {
		assertCorrupt(Numbers.class, 7).withMessage("Numbers has 7 bytes; its layout allows 8 to 32");
		assertCorrupt(Numbers.class, -1);
	}

	@Test
	void aMessageLongerThanItsLayoutAllows() {
		assertCorrupt(Numbers.class, 33).withMessage("Numbers has 33 bytes; its layout allows 8 to 32");
	}

	@Test
	void aMessageThatEndsBeyondTheBuffer() {
		MessageLayout<Numbers> layout = this.codecs.layout(Numbers.class);
		assertThatExceptionOfType(CorruptMessageException.class)
			.isThrownBy(() -> layout.read(this.buffer, SIZE - 16, 32))
			.withMessage("Numbers has 32 bytes at 48; the buffer ends at 64");
		assertThatExceptionOfType(CorruptMessageException.class)
			.isThrownBy(() -> layout.read(this.buffer, Integer.MAX_VALUE - 15, 32));
		assertThatExceptionOfType(CorruptMessageException.class).isThrownBy(() -> layout.read(this.buffer, -16, 32));
	}

	@Test
	void valuesThatTheConstructorRefuses() {
		this.buffer.bytes().putInt(0, -5);
		assertCorrupt(Positive.class, 4).withMessageContaining("negative: -5")
			.satisfies((ex) -> assertThat(ex.getSuppressed()).singleElement()
				.isInstanceOf(IllegalArgumentException.class));
	}

	@Test
	void theOffsetOfAnEmptyPartDoesNotMatter() {
		describe(-1, 0);
		assertThat(this.codecs.layout(Numbers.class).read(this.buffer, 0, 8).values()).isEmpty();
	}

	@Test
	void aLengthRoundedUpIsNotCorrupt() {
		describe(16, 1);
		this.buffer.bytes().put(16, (byte) 'x');
		assertThat(this.codecs.layout(Text.class).read(this.buffer, 0, 32).text()).isEqualTo("x");
	}

	private void describe(int offset, int length) {
		this.buffer.bytes().putInt(0, offset).putInt(4, length);
	}

	private ThrowableAssertAlternative<CorruptMessageException> assertCorrupt(Class<? extends Record> type,
			int length) {
		return assertThatExceptionOfType(CorruptMessageException.class)
			.isThrownBy(() -> this.codecs.layout(type).read(this.buffer, 0, length));
	}

	private record Flag(boolean flag) {
	}

	private record Flags(@Length(2) boolean[] flags) {
	}

	private record Paint(Colour colour) {
	}

	private record Maybe(@Nullable Integer value) {
	}

	private record Numbers(@Capacity(4) int[] values) {
	}

	private record Text(@Capacity(20) String text) {
	}

	private record Positive(int value) {

		Positive {
			if (value < 0) {
				throw new IllegalArgumentException("negative: " + value);
			}
		}

	}

}
