package io.ringkernel.message;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.ringkernel.Capacity;
import io.ringkernel.Length;
import io.ringkernel.message.Fixtures.Colour;
import io.ringkernel.message.Fixtures.Point;
import io.ringkernel.message.buffer.MessageBuffer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.tuple;

class MessageLayoutTests {

	@Test
	void membersAreNaturallyAlignedInTheOrderOfTheComponents() {
		assertThat(MessageLayout.of(Padded.class).fields()).extracting(Field::name, Field::offset, Field::size)
			.containsExactly(tuple("a", 0, 1), tuple("b", 8, 8), tuple("c", 16, 2), tuple("d", 20, 4));
	}

	@Test
	void theFixedBlockIsPaddedToItsAlignment() {
		MessageLayout<Tail> layout = MessageLayout.of(Tail.class);
		assertThat(layout.alignment()).isEqualTo(8);
		assertThat(layout.fixedSize()).isEqualTo(16);
	}

	@Test
	void aMessageWithoutVariablePartsHasOneSize() {
		MessageLayout<Padded> layout = MessageLayout.of(Padded.class);
		assertThat(layout.maxSize()).isEqualTo(layout.fixedSize());
		assertThat(layout.measure(new Padded((byte) 1, 2, (short) 3, 4))).isEqualTo(layout.fixedSize());
	}

	@Test
	void variablePartsStartAtMultiplesOf16AndTheLastOneEndsTheMessage() {
		MessageLayout<TwoArrays> layout = MessageLayout.of(TwoArrays.class);
		TwoArrays message = new TwoArrays(new float[] { 1, 2, 3 }, new byte[] { 7, 8 });
		MessageBuffer buffer = MessageBuffer.allocate(layout.maxSize());
		layout.write(message, buffer, 0);
		assertThat(layout.fixedSize()).isEqualTo(16);
		assertThat(layout.measure(message)).isEqualTo(34);
		assertThat(words(buffer, 7)).containsExactly(16, 3, 32, 2, bits(1), bits(2), bits(3));
		assertThat(buffer.bytes().get(32)).isEqualTo((byte) 7);
		assertThat(buffer.bytes().get(33)).isEqualTo((byte) 8);
	}

	@Test
	void anEmptyArrayHasNoPart() {
		MessageLayout<TwoArrays> layout = MessageLayout.of(TwoArrays.class);
		TwoArrays message = new TwoArrays(new float[0], new byte[] { 7 });
		MessageBuffer buffer = MessageBuffer.allocate(layout.maxSize());
		layout.write(message, buffer, 0);
		assertThat(layout.measure(message)).isEqualTo(17);
		assertThat(words(buffer, 4)).containsExactly(0, 0, 16, 1);
	}

	@Test
	void theLargestSizeIsThatOfAMessageAtCapacity() {
		MessageLayout<TwoArrays> layout = MessageLayout.of(TwoArrays.class);
		assertThat(layout.maxSize()).isEqualTo(16 + 64 + 5);
		assertThat(layout.measure(new TwoArrays(new float[15], new byte[5]))).isEqualTo(layout.maxSize());
	}

	@Test
	void anOptionalMemberIsAMarkAndAValue() {
		MessageLayout<Maybe> layout = MessageLayout.of(Maybe.class);
		assertThat(layout.fields()).extracting(Field::optional, Field::offset, Field::size, Field::alignment)
			.containsExactly(tuple(true, 0, 16, 8), tuple(true, 16, 8, 4));
		MessageBuffer buffer = MessageBuffer.allocate(layout.maxSize());
		layout.write(new Maybe(-1L, null), buffer, 0);
		assertThat(words(buffer, 6)).containsExactly(1, 0, -1, -1, 0, 0);
	}

	@Test
	void absentValuesOverwriteWhatWasThere() {
		MessageLayout<Maybe> layout = MessageLayout.of(Maybe.class);
		MessageBuffer buffer = MessageBuffer.allocate(layout.maxSize());
		layout.write(new Maybe(-1L, (byte) -1), buffer, 0);
		layout.write(new Maybe(null, null), buffer, 0);
		assertThat(words(buffer, 6)).containsOnly(0);
	}

	@Test
	void fieldsSayAllThatAStructNeeds() {
		List<Field> fields = MessageLayout.of(Everything.class).fields();
		assertThat(fields).extracting(Field::kind, Field::shape, Field::type, Field::count)
			.containsExactly(tuple(Field.Kind.ENUM, Field.Shape.SINGLE, Colour.class, 1),
					tuple(Field.Kind.STRING, Field.Shape.VARIABLE, String.class, 9),
					tuple(Field.Kind.CHAR, Field.Shape.FIXED, char.class, 3),
					tuple(Field.Kind.RECORD, Field.Shape.VARIABLE, Point.class, 2));
		assertThat(fields.get(3).fields()).extracting(Field::name, Field::offset)
			.containsExactly(tuple("x", 0), tuple("y", 8));
	}

	@Test
	void describesItselfAsATable() {
		assertThat(MessageLayout.of(Everything.class).describe()).isEqualTo("""
				Everything: fixed block of 28 bytes, alignment 4, at most 80 bytes in all
				  offset    size  align  component
				       0       4      4  colour enum(RED|GREEN|BLUE)
				       4       8      4  name utf8[<=9]
				      12       6      2  code uint16[3]
				      20       8      4  points struct[<=2]
				       0       4      4  points[].x int32
				       8       8      8  points[].y double
				""");
	}

	@Test
	void theFingerprintIsTheSameInEveryProcess() {
		assertThat(MessageLayout.of(Padded.class).fingerprint()).isEqualTo(0xecde7a03708d2e28L);
	}

	@Test
	void theFingerprintTellsLayoutsApart() {
		List<Class<? extends Record>> types = new ArrayList<>(Fixtures.ALL);
		types.addAll(List.of(Padded.class, Tail.class, TwoArrays.class, OtherCapacity.class, OtherName.class,
				Maybe.class, Everything.class));
		assertThat(types).extracting((type) -> MessageLayout.of(type).fingerprint()).doesNotHaveDuplicates();
	}

	@Test
	void theFingerprintIgnoresNamesOfClasses() {
		assertThat(MessageLayout.of(SameAsTwoArrays.class).fingerprint())
			.isEqualTo(MessageLayout.of(TwoArrays.class).fingerprint());
	}

	@Test
	void aLayoutIsComputedOnce() {
		assertThat(MessageLayout.of(Padded.class)).isSameAs(MessageLayout.of(Padded.class));
		assertThat(MessageLayout.of(Padded.class).type()).isEqualTo(Padded.class);
	}

	@Test
	void messagesStartAtMultiplesOf16() {
		MessageLayout<Padded> layout = MessageLayout.of(Padded.class);
		MessageBuffer buffer = MessageBuffer.allocate(64);
		Padded message = new Padded((byte) 1, 2, (short) 3, 4);
		assertThatIllegalArgumentException().isThrownBy(() -> layout.write(message, buffer, 8))
			.withMessageContaining("8")
			.withMessageContaining("16");
		assertThatIllegalArgumentException().isThrownBy(() -> layout.read(buffer, 8, layout.fixedSize()));
	}

	@Test
	void componentsAreReadThroughTheirAccessors() {
		MessageLayout<Doubling> layout = MessageLayout.of(Doubling.class);
		MessageBuffer buffer = MessageBuffer.allocate(16);
		layout.write(new Doubling(21), buffer, 0);
		assertThat(buffer.bytes().getInt(0)).isEqualTo(42);
	}

	private static int[] words(MessageBuffer buffer, int count) {
		int[] words = new int[count];
		buffer.get(words, 0, words.length, 0);
		return words;
	}

	private static int bits(float value) {
		return Float.floatToRawIntBits(value);
	}

	private record Padded(byte a, long b, short c, float d) {
	}

	private record Tail(double a, boolean b) {
	}

	private record TwoArrays(@Capacity(15) float[] a, @Capacity(5) byte[] b) {
	}

	private record SameAsTwoArrays(@Capacity(15) float[] a, @Capacity(5) byte[] b) {
	}

	private record OtherCapacity(@Capacity(16) float[] a, @Capacity(5) byte[] b) {
	}

	private record OtherName(@Capacity(15) float[] a, @Capacity(5) byte[] c) {
	}

	private record Maybe(@Nullable Long a, @Nullable Byte b) {
	}

	private record Everything(Colour colour, @Capacity(9) String name, @Length(3) char[] code,
			@Capacity(2) Point[] points) {
	}

	private record Doubling(int value) {

		@Override
		public int value() {
			return this.value * 2;
		}

	}

	@Test
	void tellsWhereAComponentLies() {
		MessageLayout<Placed> layout = MessageLayout.of(Placed.class);
		assertThat(layout.offset("flag", boolean.class)).isZero();
		assertThat(layout.offset("pair.right", double.class)).isEqualTo(16);
		assertThat(layout.offset("three", int.class)).isEqualTo(24);
		assertThat(layout.offset("unit", TimeUnit.class)).isEqualTo(36);
	}

	@ParameterizedTest
	@ValueSource(strings = { "missing", "flag", "pair", "pair.middle", "three", "name", "perhaps", "flag.x",
			"pairs.right", "" })
	void aComponentThatDoesNotAlwaysLieThereIsRefused(String component) {
		MessageLayout<Placed> layout = MessageLayout.of(Placed.class);
		assertThatIllegalArgumentException().isThrownBy(() -> layout.offset(component, long.class))
			.withMessageContaining("Placed has no component '" + component + "' of type long in place")
			.withMessageContaining("three int32[3]");
	}

	record Sides(float left, double right) {
	}

	record Placed(boolean flag, Sides pair, @Length(3) int[] three, TimeUnit unit, @Capacity(8) String name,
			@Capacity(8) long[] longs, @Nullable Long perhaps, @Length(2) Sides[] pairs) {
	}

}
