package io.ringkernel.message;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

import io.ringkernel.Capacity;
import io.ringkernel.Length;
import io.ringkernel.exception.UnsupportedMessageTypeException;
import io.ringkernel.message.Fixtures.Colour;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class UnsupportedMessageTypeTests {

	@Test
	void anArrayWithoutABound() {
		assertUnsupported(Unbounded.class)
			.withMessage("Unbounded.values is a float[] without a bound: write @Capacity(n) float[] for up to n "
					+ "elements, or @Length(n) float[] for exactly n")
			.satisfies((ex) -> assertThat(ex.messageType()).isEqualTo(Unbounded.class));
	}

	@Test
	void aStringWithoutABound() {
		assertUnsupported(UnboundedText.class)
			.withMessage("UnboundedText.text is a String without a bound: write @Capacity(n) String, n in UTF-8 bytes");
	}

	@Test
	void aStringOfFixedLength() {
		assertUnsupported(FixedText.class).withMessageContaining("@Capacity(n) String");
	}

	@Test
	void bothBounds() {
		assertUnsupported(Both.class).withMessage("Both.values has both @Capacity and @Length: keep one");
	}

	@Test
	void aBoundBelowOne() {
		assertUnsupported(Zero.class).withMessage("Zero.values has @Capacity(0); it must be at least 1");
		assertUnsupported(Negative.class).withMessage("Negative.values has @Length(-1); it must be at least 1");
	}

	@Test
	void aBoundWithoutAnArray() {
		assertUnsupported(BoundedNumber.class).withMessageStartingWith("BoundedNumber.value is an int, to which");
	}

	@Test
	void collections() {
		assertUnsupported(Listed.class)
			.withMessage("Listed.values is a List, which has no fixed layout: write an array with @Capacity");
		assertUnsupported(Mapped.class).withMessageStartingWith("Mapped.values is a Map, which has no fixed layout");
	}

	@Test
	void classesAndInterfaces() {
		assertUnsupported(Foreign.class).withMessageStartingWith("Foreign.value is a StringBuilder, which has");
		assertUnsupported(Abstract.class).withMessageStartingWith("Abstract.value is a Comparable, which has");
		assertUnsupported(Anything.class).withMessageStartingWith("Anything.value is an Object, which has");
	}

	@Test
	void aBoxedPrimitiveThatIsNotNullable() {
		assertUnsupported(Boxed.class)
			.withMessage("Boxed.value is an Integer, which could be null: write int, or @Nullable Integer");
	}

	@Test
	void arraysOfAnythingButPrimitivesAndRecords() {
		assertUnsupported(Texts.class).withMessageContaining("wrap the element in a record");
		assertUnsupported(Matrix.class).withMessageContaining("wrap the element in a record");
		assertUnsupported(Colours.class).withMessageContaining("wrap the element in a record");
	}

	@Test
	void arraysOfRecordsWithVariableParts() {
		assertUnsupported(Nested.class).withMessageContaining("Bounded, which has components with @Capacity");
	}

	@Test
	void recursiveRecords() {
		assertUnsupported(Tree.class).withMessageStartingWith("Tree contains itself by way of Branch");
		assertUnsupported(Self.class).withMessageStartingWith("Self contains itself by way of Self");
	}

	@Test
	void genericRecords() {
		assertUnsupported(Generic.class).withMessageStartingWith("Generic is generic");
		assertUnsupported(HasGeneric.class).withMessageStartingWith("Generic is generic");
	}

	@Test
	void emptyRecords() {
		assertUnsupported(Empty.class).withMessageStartingWith("Empty has no components");
	}

	@Test
	void optionalsOfUnknownType() {
		assertUnsupported(Raw.class).withMessageContaining("write the type argument");
		assertUnsupported(Wild.class).withMessageContaining("write the type argument");
	}

	@Test
	void nullableWhereNullMakesNoSense() {
		assertUnsupported(NullableOptional.class).withMessageContaining("remove @Nullable");
	}

	@Test
	void moreThanOneGibibyte() {
		assertUnsupported(Huge.class).withMessageStartingWith("Huge takes 1073741840 bytes or more");
		assertUnsupported(HugeSum.class).withMessageStartingWith("HugeSum takes");
		assertUnsupported(HugeBlock.class).withMessageStartingWith("HugeBlock takes 17179869176 bytes");
	}

	@Test
	void moreComponentsThanCanBeRead() {
		assertUnsupported(Book.class).withMessageContaining("4096 at most");
	}

	@Test
	@SuppressWarnings("unchecked")
	void anythingButARecord() {
		assertThatExceptionOfType(UnsupportedMessageTypeException.class)
			.isThrownBy(() -> MessageLayout.of((Class<Row>) (Class<?>) String.class))
			.withMessage("String is no record; declare the message as a record");
	}

	@Test
	void recordsOfAModuleThatIsClosed(@TempDir Path directory) throws Exception {
		Class<? extends Record> type = CompiledClasses.module(directory, "closed", "Message");
		assertUnsupported(type).withMessage("Message cannot be read: module closed does not open closed; "
				+ "add 'opens closed;' to its module-info");
	}

	private static ThrowableAssertAlternative<UnsupportedMessageTypeException> assertUnsupported(
			Class<? extends Record> type) {
		return assertThatExceptionOfType(UnsupportedMessageTypeException.class)
			.isThrownBy(() -> MessageLayout.of(type));
	}

	private record Unbounded(float[] values) {
	}

	private record UnboundedText(String text) {
	}

	private record FixedText(@Length(3) String text) {
	}

	private record Both(@Capacity(1) @Length(1) int[] values) {
	}

	private record Zero(@Capacity(0) int[] values) {
	}

	private record Negative(@Length(-1) int[] values) {
	}

	private record BoundedNumber(@Capacity(1) int value) {
	}

	private record Listed(List<String> values) {
	}

	private record Mapped(Map<String, String> values) {
	}

	private record Foreign(StringBuilder value) {
	}

	private record Abstract(Comparable<String> value) {
	}

	private record Anything(Object value) {
	}

	private record Boxed(Integer value) {
	}

	private record Texts(@Capacity(1) String[] values) {
	}

	private record Matrix(@Capacity(1) int[][] values) {
	}

	private record Colours(@Capacity(1) Colour[] values) {
	}

	private record Bounded(@Capacity(1) int[] values) {
	}

	private record Nested(@Capacity(1) Bounded[] values) {
	}

	private record Tree(Branch branch) {
	}

	private record Branch(@Nullable Tree left) {
	}

	private record Self(Optional<Self> self) {
	}

	private record Generic<T>(int value) {
	}

	private record HasGeneric(Generic<String> value) {
	}

	private record Empty() {
	}

	@SuppressWarnings("rawtypes")
	private record Raw(Optional value) {
	}

	private record Wild(Optional<?> value) {
	}

	private record NullableOptional(@Nullable OptionalInt value) {
	}

	private record Huge(@Capacity(1 << 27) long[] values) {
	}

	private record HugeSum(@Capacity(1 << 29) byte[] a, @Capacity(1 << 29) byte[] b) {
	}

	private record HugeBlock(@Length(Integer.MAX_VALUE) long[] values) {
	}

	private record Row(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j, int k, int l, int m, int n,
			int o, int p) {
	}

	private record Rows(Row a, Row b, Row c, Row d, Row e, Row f, Row g, Row h) {
	}

	private record Page(Rows a, Rows b, Rows c, Rows d, Rows e, Rows f, Rows g, Rows h) {
	}

	private record Pages(Page a, Page b, Page c, Page d) {
	}

	private record Book(Pages a, Pages b) {
	}

}
