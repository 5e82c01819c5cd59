package io.ringkernel.compiler;

import java.util.Arrays;

import io.ringkernel.Capacity;
import io.ringkernel.Parallel;
import io.ringkernel.RingKernelHandler;
import io.ringkernel.exception.HandlerRefusedException;
import io.ringkernel.message.MessageLayout;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The arrays of static fields and of enums are taken as they are. What might change them
 * is refused, by whatever name they go.
 */
class StaticRefusalTests {

	private static final String WRITTEN = "the array of a static field or of an enum is written. Copy its elements";

	@Test
	void elementsThatAreWritten() {
		refused(new Writing()).withMessageContaining(WRITTEN);
	}

	@Test
	void elementsThatAreWrittenByAnotherName() {
		refused(new WritingElsewhere()).withMessageContaining(WRITTEN);
	}

	@Test
	void elementsThatAreWrittenInAParallelLoop() {
		refused(new WritingInALoop()).withMessageContaining(WRITTEN);
	}

	@Test
	void elementsThatAreChangedInOneStep() {
		refused(new Adding()).withMessageContaining(WRITTEN);
	}

	@Test
	void elementsThatAreFilled() {
		refused(new Filling()).withMessageContaining(WRITTEN);
	}

	@Test
	void elementsThatAreCopiedTo() {
		refused(new CopyingTo()).withMessageContaining(WRITTEN);
	}

	@Test
	void elementsOfTheArrayOfARecord() {
		refused(new WritingToARecord()).withMessageContaining(WRITTEN);
	}

	@Test
	void elementsOfTheArrayOfAnEnum() {
		refused(new WritingToAnEnum()).withMessageContaining(WRITTEN);
	}

	@Test
	void arraysThatRecordsGet() {
		refused(new Answering()).withMessageContaining("the component values gets the array of a static field. Copy");
	}

	@Test
	void arraysThatTheHandlerHasAsWell() {
		refused(new Sharing()).withMessageContaining(
				"an array of the handler is that of a static field or of an enum as well. Give the handler an array of its own.");
	}

	@Test
	void locks() {
		refused(new Locking()).withMessageContaining("the lock is no array that is a field of the handler");
	}

	@Test
	void arraysThatAreTooLarge() {
		refused(new Large()).withMessageContaining(
				"the constant texts and arrays of the handler need 1200000 bytes. Up to 1048576 bytes are possible.");
	}

	@Test
	void arraysThatAreNull() {
		refused(new Null()).withMessageContaining("a field is null");
	}

	@Test
	void textsThatAreNull() {
		refused(new NullText()).withMessageContaining("a field is null. Set it where it is declared");
	}

	@Test
	void textsOfARecordThatAreNull() {
		refused(new NullTextOfARecord()).withMessageContaining("a field is null. Set it where it is declared");
	}

	@Test
	void fieldsOfAnEnumThatChange() {
		refused(new Changing()).withMessageContaining("the field count of an enum is not final. Make it final.");
	}

	private static ThrowableAssertAlternative<HandlerRefusedException> refused(
			RingKernelHandler<Numbers, Numbers> handler) {
		MessageLayout<Numbers> layout = MessageLayout.of(Numbers.class);
		return assertThatExceptionOfType(HandlerRefusedException.class)
			.isThrownBy(() -> HandlerCompiler.compile(handler, layout, layout))
			.satisfies((ex) -> {
				assertThat(ex.line()).isPositive();
				assertThat(ex.refusals()).hasSize(1);
			});
	}

	record Numbers(@Capacity(16) int[] values) {
	}

	record Held(int[] values) {
	}

	static final int[] TABLE = { 1, 2, 3 };

	static final class Filling implements RingKernelHandler<Numbers, Numbers> {

		@Override
		public Numbers handle(Numbers request) {
			Arrays.fill(TABLE, 1);
			return request;
		}

	}

	static final class CopyingTo implements RingKernelHandler<Numbers, Numbers> {

		@Override
		public Numbers handle(Numbers request) {
			System.arraycopy(request.values(), 0, TABLE, 0, 1);
			return request;
		}

	}

	enum Op {

		ADD, MUL;

		private final int[] table = { 1, 2 };

		private int count;

		int next() {
			return this.count++;
		}

	}

	static final class Writing implements RingKernelHandler<Numbers, Numbers> {

		@Override
		public Numbers handle(Numbers request) {
			TABLE[1] = 3;
			return request;
		}

	}

	static final class WritingElsewhere implements RingKernelHandler<Numbers, Numbers> {

		@Override
		public Numbers handle(Numbers request) {
			int[] first = request.values();
			int[] table = (first.length > 3) ? TABLE : first;
			clear(table);
			return request;
		}

		private static void clear(int[] values) {
			values[0] = 0;
		}

	}

	static final class WritingInALoop implements RingKernelHandler<Numbers, Numbers> {

		@Override
		public Numbers handle(Numbers request) {
			int[] table = TABLE;
			Parallel.range(3, (i) -> table[i] += 1);
			return request;
		}

	}

	static final class Adding implements RingKernelHandler<Numbers, Numbers> {

		@Override
		public Numbers handle(Numbers request) {
			return new Numbers(new int[Parallel.atomicAdd(TABLE, 0, 1) & 7]);
		}

	}

	static final class WritingToARecord implements RingKernelHandler<Numbers, Numbers> {

		private static final Held HELD = new Held(new int[4]);

		@Override
		public Numbers handle(Numbers request) {
			HELD.values()[2]++;
			return request;
		}

	}

	static final class WritingToAnEnum implements RingKernelHandler<Numbers, Numbers> {

		@Override
		public Numbers handle(Numbers request) {
			Op op = (request.values().length > 3) ? Op.ADD : Op.MUL;
			op.table[1] = 3;
			return request;
		}

	}

	static final class Answering implements RingKernelHandler<Numbers, Numbers> {

		@Override
		public Numbers handle(Numbers request) {
			return new Numbers(TABLE);
		}

	}

	static final class Sharing implements RingKernelHandler<Numbers, Numbers> {

		private final int[] own = TABLE;

		@Override
		public Numbers handle(Numbers request) {
			this.own[0] = 7;
			return new Numbers(new int[TABLE[0] & 7]);
		}

	}

	static final class Locking implements RingKernelHandler<Numbers, Numbers> {

		private static final int[] LOCK = new int[1];

		@Override
		public Numbers handle(Numbers request) {
			return Parallel.exclusive(LOCK, () -> request);
		}

	}

	static final class Large implements RingKernelHandler<Numbers, Numbers> {

		private static final double[] VALUES = new double[150_000];

		@Override
		public Numbers handle(Numbers request) {
			return new Numbers(new int[(int) VALUES[request.values().length] & 7]);
		}

	}

	static final class Null implements RingKernelHandler<Numbers, Numbers> {

		private static final int @Nullable [] NONE = none();

		@Override
		public Numbers handle(Numbers request) {
			return new Numbers(new int[NONE.length & 7]);
		}

		private static int @Nullable [] none() {
			return null;
		}

	}

	static final class NullText implements RingKernelHandler<Numbers, Numbers> {

		private final @Nullable String text = null;

		@Override
		public Numbers handle(Numbers request) {
			return new Numbers(new int[this.text.length() & 7]);
		}

	}

	record Config(int limit, @Nullable String name) {
	}

	static final class NullTextOfARecord implements RingKernelHandler<Numbers, Numbers> {

		private final Config config = new Config(5, null);

		@Override
		public Numbers handle(Numbers request) {
			return new Numbers(new int[this.config.limit() & 7]);
		}

	}

	static final class Changing implements RingKernelHandler<Numbers, Numbers> {

		@Override
		public Numbers handle(Numbers request) {
			Op op = (request.values().length > 3) ? Op.ADD : Op.MUL;
			return new Numbers(new int[op.next() & 7]);
		}

	}

}
