package io.ringkernel.message;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

import io.ringkernel.message.Fixtures.Colour;
import io.ringkernel.message.Fixtures.FixedArrays;
import io.ringkernel.message.Fixtures.Floats;
import io.ringkernel.message.Fixtures.Inner;
import io.ringkernel.message.Fixtures.Nullables;
import io.ringkernel.message.Fixtures.Optionals;
import io.ringkernel.message.Fixtures.Outer;
import io.ringkernel.message.Fixtures.Painted;
import io.ringkernel.message.Fixtures.Point;
import io.ringkernel.message.Fixtures.Primitives;
import io.ringkernel.message.Fixtures.Sample;
import io.ringkernel.message.Fixtures.Samples;
import io.ringkernel.message.Fixtures.Text;
import io.ringkernel.message.Fixtures.VariableArrays;
import io.ringkernel.message.Fixtures.Wide;
import io.ringkernel.message.buffer.MessageBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

@ParameterizedClass
@EnumSource(Codecs.class)
class MessageLayoutRoundTripTests {

	private final Codecs codecs;

	MessageLayoutRoundTripTests(Codecs codecs) {
		this.codecs = codecs;
	}

	private static final int OFFSET = 48;

	@Test
	void primitivesKeepTheirExtremeValues() {
		assertRoundTrip(new Primitives(Byte.MIN_VALUE, Short.MIN_VALUE, Character.MIN_VALUE, Integer.MIN_VALUE,
				Long.MIN_VALUE, Float.MIN_VALUE, Double.MIN_VALUE, false));
		assertRoundTrip(new Primitives(Byte.MAX_VALUE, Short.MAX_VALUE, Character.MAX_VALUE, Integer.MAX_VALUE,
				Long.MAX_VALUE, Float.MAX_VALUE, Double.MAX_VALUE, true));
		assertRoundTrip(new Primitives((byte) -1, (short) -1, '\uD800', -1, -1, -0f, Double.NaN, true));
		assertRoundTrip(new Primitives((byte) 0, (short) 0, 'x', 0, 0, Float.NEGATIVE_INFINITY,
				Double.POSITIVE_INFINITY, false));
	}

	@Test
	void fixedArraysKeepTheirElements() {
		assertRoundTrip(new FixedArrays(new byte[] { -1, 2, 3 }, new short[] { Short.MIN_VALUE },
				new char[] { 'a', '\uFFFF' }, new int[] { 1, Integer.MIN_VALUE }, new long[] { Long.MIN_VALUE },
				new float[] { Float.NaN, 1.5f }, new double[] { -0.0, Double.MAX_VALUE }, new boolean[] { true, false },
				new Point[] { new Point(1, 2), new Point(3, 4) }));
	}

	@Test
	void variableArraysKeepTheirElements() {
		assertRoundTrip(new VariableArrays(new byte[] { 1 }, new short[] { 2, 3 }, new char[] { 'x' },
				new int[] { 4, 5, 6 }, new long[] { 7 }, new float[] { 8, 9 }, new double[] { 10, 11, 12 },
				new boolean[] { true, true, false }, new Point[] { new Point(-1, 1) }));
	}

	@Test
	void emptyVariableArraysStayEmpty() {
		assertRoundTrip(new VariableArrays(new byte[0], new short[0], new char[0], new int[0], new long[0],
				new float[0], new double[0], new boolean[0], new Point[0]));
	}

	@Test
	void largeArraysKeepTheirElements() {
		float[] values = new float[100_000];
		for (int i = 0; i < values.length; i++) {
			values[i] = i;
		}
		assertRoundTrip(new Floats(values));
	}

	@Test
	void textKeepsEveryKindOfCharacter() {
		for (String text : new String[] { "", "ascii", "\0", "grün", "漢字", "a😀b", "\uFFFD", "\uFFFF",
				"\u07FF\u0800" }) {
			assertRoundTrip(new Text(text));
		}
	}

	@Test
	void enumsKeepTheirConstant() {
		for (Colour colour : Colour.values()) {
			assertRoundTrip(new Painted(colour));
		}
	}

	@Test
	void nestedRecordsKeepTheirVariableParts() {
		assertRoundTrip(new Outer((byte) 1, new Inner("left", new int[] { 1, 2 }), new Inner("right", new int[0]),
				new double[] { 3 }));
	}

	@Test
	void optionalComponentsArePresent() {
		assertRoundTrip(new Optionals(Optional.of(new Point(1, 2)), Optional.of(Colour.BLUE), Optional.of("text"),
				Optional.of(Long.MIN_VALUE), OptionalInt.of(-1), OptionalLong.of(Long.MAX_VALUE),
				OptionalDouble.of(0.5)));
	}

	@Test
	void optionalComponentsAreAbsent() {
		assertRoundTrip(new Optionals(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(),
				OptionalInt.empty(), OptionalLong.empty(), OptionalDouble.empty()));
	}

	@Test
	void nullableComponentsArePresent() {
		assertRoundTrip(new Nullables(new Point(1, 2), Colour.RED, "text", 1, true, 'c', new float[] { 1 },
				new int[] { 1, 2 }, new Inner("inner", new int[] { 3 })));
	}

	@Test
	void nullableComponentsAreAbsent() {
		assertRoundTrip(new Nullables(null, null, null, null, null, null, null, null, null));
	}

	@Test
	void optionalElementsOfAnArrayKeepTheirPlace() {
		assertRoundTrip(new Samples(new Sample[] { new Sample(1, null), new Sample(2, 2.0), new Sample(3, null) }));
	}

	@Test
	void aRecordWithManyComponentsKeepsThemAll() {
		assertRoundTrip(new Wide(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24,
				25, 26, 27, 28, 29, 30, 31, 32));
	}

	@Test
	void aHeapBufferServesAsWell() {
		Outer message = new Outer((byte) 1, new Inner("left", new int[] { 1 }), new Inner("", new int[0]),
				new double[] { 3 });
		MessageLayout<Outer> layout = this.codecs.layout(Outer.class);
		MessageBuffer buffer = MessageBuffer.wrap(ByteBuffer.allocate(layout.maxSize()));
		layout.write(message, buffer, 0);
		assertThat(RecordValues.of(layout.read(buffer, 0, layout.measure(message))))
			.isEqualTo(RecordValues.of(message));
	}

	@SuppressWarnings("unchecked")
	private <T extends Record> void assertRoundTrip(T message) {
		MessageLayout<T> layout = this.codecs.layout((Class<T>) message.getClass());
		int size = layout.measure(message);
		assertThat(size).isBetween(layout.fixedSize(), layout.maxSize());
		byte[] expected = new byte[OFFSET + size];
		layout.write(message, MessageBuffer.wrap(ByteBuffer.wrap(expected)), OFFSET);
		ByteBuffer partOfAnArray = ByteBuffer.allocate(OFFSET + size + 1).slice(1, OFFSET + size);
		for (MessageBuffer buffer : List.of(MessageBuffer.allocate(OFFSET + size), MessageBuffer.wrap(partOfAnArray),
				MessageBuffer.wrap(ByteBuffer.allocate(OFFSET + size)))) {
			layout.write(message, buffer, OFFSET);
			assertThat(buffer.bytes().mismatch(ByteBuffer.wrap(expected))).isNegative();
			assertThat(RecordValues.of(layout.read(buffer, OFFSET, size))).isEqualTo(RecordValues.of(message));
		}
	}

}
