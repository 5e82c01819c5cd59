package io.ringkernel.message;

import java.util.Optional;

import io.ringkernel.Capacity;
import io.ringkernel.Length;
import io.ringkernel.exception.InvalidMessageException;
import io.ringkernel.message.Fixtures.Point;
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
class InvalidMessageTests {

	private final Codecs codecs;

	InvalidMessageTests(Codecs codecs) {
		this.codecs = codecs;
	}

	@Test
	void anArrayBeyondItsCapacity() {
		assertInvalid(new Numbers(new int[5]), "values")
			.withMessage("Numbers.values has 5 elements; its capacity is 4: send less, or raise @Capacity");
	}

	@Test
	void aTextBeyondItsCapacityInBytes() {
		assertInvalid(new Text("ü漢"), "text")
			.withMessage("Text.text has 5 UTF-8 bytes; its capacity is 4: send less, or raise @Capacity");
	}

	@Test
	void aTextWithAnUnpairedSurrogate() {
		for (String text : new String[] { "ab\uD83D", "ab\uDE00", "ab\uD83Dx", "ab\uDE00\uD83D" }) {
			assertInvalid(new Text(text), "text").withMessageContaining("unpaired surrogate at index 2");
		}
	}

	@Test
	void aFixedArrayOfAnotherLength() {
		assertInvalid(new Three(new byte[2]), "values")
			.withMessage("Three.values has 2 elements; @Length requires exactly 3: fill the array up, "
					+ "or declare it with @Capacity");
		assertInvalid(new Three(new byte[4]), "values").withMessageContaining("has 4 elements");
	}

	@Test
	@SuppressWarnings("NullAway")
	void aNullMessage() {
		MessageLayout<Numbers> layout = this.codecs.layout(Numbers.class);
		String problem = "Numbers is null; pass a record: a component may be @Nullable or Optional, a message may not";
		assertThatExceptionOfType(InvalidMessageException.class).isThrownBy(() -> layout.measure(null))
			.withMessage(problem);
		assertThatExceptionOfType(InvalidMessageException.class)
			.isThrownBy(() -> layout.write(null, MessageBuffer.allocate(32), 0))
			.withMessage(problem);
	}

	@Test
	@SuppressWarnings("NullAway")
	void aNullComponent() {
		assertInvalid(new Numbers(null), "values")
			.withMessage("Numbers.values is null; set it, or mark the component @Nullable or make it Optional");
		assertInvalid(new Text(null), "text");
		assertInvalid(new Three(null), "values");
		assertInvalid(new Corner(null), "corner");
		assertInvalid(new Choice(null), "choice");
	}

	@Test
	@SuppressWarnings("NullAway")
	void aNullElement() {
		assertInvalid(new Points(new Point[] { new Point(1, 2), null }), "points[1]").withMessageContaining("Point");
	}

	@Test
	void aComponentOfANestedRecord() {
		assertInvalid(new Envelope(new Numbers(new int[9]), null), "body.values").withMessageContaining("9");
		assertInvalid(new Envelope(new Numbers(new int[0]), new Text("12345")), "note.text").withMessageContaining("5");
	}

	@Test
	void aComponentOfAnElement() {
		assertInvalid(new Triples(new Three[] { new Three(new byte[1]) }), "triples[].values");
	}

	@Test
	void isReportedByWriteAsWellBeforeTheComponentIsWritten() {
		MessageBuffer buffer = MessageBuffer.allocate(256);
		assertThatExceptionOfType(InvalidMessageException.class)
			.isThrownBy(() -> this.codecs.layout(Numbers.class).write(new Numbers(new int[5]), buffer, 0));
		assertThat(buffer.bytes().mismatch(MessageBuffer.allocate(256).bytes())).isNegative();
	}

	@Test
	void anAccessorThatGrowsItsArrayCannotWriteBeyondTheLargestSize() {
		MessageLayout<Growing> layout = this.codecs.layout(Growing.class);
		MessageBuffer buffer = MessageBuffer.allocate(layout.maxSize());
		Growing message = new Growing(new int[1], new int[] { 2 });
		assertThat(layout.measure(message)).isEqualTo(16 + 2 * Integer.BYTES);
		assertThatExceptionOfType(InvalidMessageException.class).isThrownBy(() -> layout.write(message, buffer, 0));
	}

	@SuppressWarnings("unchecked")
	private <T extends Record> ThrowableAssertAlternative<InvalidMessageException> assertInvalid(T message,
			String component) {
		MessageLayout<T> layout = this.codecs.layout((Class<T>) message.getClass());
		return assertThatExceptionOfType(InvalidMessageException.class).isThrownBy(() -> layout.measure(message))
			.withMessageStartingWith(message.getClass().getSimpleName() + "." + component + " ")
			.satisfies((ex) -> assertThat(ex.recordType()).isEqualTo(message.getClass()))
			.satisfies((ex) -> assertThat(ex.component()).isEqualTo(component));
	}

	private record Numbers(@Capacity(4) int[] values) {
	}

	private record Text(@Capacity(4) String text) {
	}

	private record Three(@Length(3) byte[] values) {
	}

	private record Triples(@Capacity(4) Three[] triples) {
	}

	private record Points(@Capacity(4) Point[] points) {
	}

	private record Corner(Point corner) {
	}

	private record Choice(Optional<Point> choice) {
	}

	private record Envelope(Numbers body, @Nullable Text note) {
	}

	private record Growing(@Capacity(2) int[] values, @Length(1) int[] calls) {

		@Override
		public int[] values() {
			return new int[this.calls[0]++];
		}

	}

}
