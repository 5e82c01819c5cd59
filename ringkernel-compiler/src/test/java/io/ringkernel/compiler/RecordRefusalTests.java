package io.ringkernel.compiler;

import io.ringkernel.Capacity;
import io.ringkernel.RingKernelHandler;
import io.ringkernel.exception.HandlerRefusedException;
import io.ringkernel.message.MessageLayout;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What a handler cannot do with the texts and records of its messages.
 */
class RecordRefusalTests {

	@Test
	void otherMethodsOfAText() {
		refused(new Shouting()).withMessageContaining("java.lang.String.indexOf is called. Use length, isEmpty");
	}

	@Test
	void textsThatArePutTogether() {
		refused(new Joining()).withMessageContaining("the component text gets a value of another kind");
	}

	@Test
	void arraysOfRecordsThatAreMade() {
		refused(new Making()).withMessageContaining("an array of objects of")
			.withMessageContaining("Make an array of a primitive type for each of their components.");
	}

	@Test
	void elementsOfAnArrayOfRecordsThatAreReplaced() {
		refused(new Placing()).withMessageContaining("an element of an array of records is replaced");
	}

	private static ThrowableAssertAlternative<HandlerRefusedException> refused(
			RingKernelHandler<Names, Names> handler) {
		MessageLayout<Names> layout = MessageLayout.of(Names.class);
		return assertThatExceptionOfType(HandlerRefusedException.class)
			.isThrownBy(() -> HandlerCompiler.compile(handler, layout, layout));
	}

	record Pair(int one, int other) {
	}

	record Names(@Capacity(16) String text, @Capacity(4) Pair[] pairs) {
	}

	static final class Shouting implements RingKernelHandler<Names, Names> {

		@Override
		public Names handle(Names request) {
			return (request.text().indexOf('a') > 0) ? request : new Names("", request.pairs());
		}

	}

	static final class Joining implements RingKernelHandler<Names, Names> {

		@Override
		public Names handle(Names request) {
			return new Names(request.text() + "!", request.pairs());
		}

	}

	static final class Making implements RingKernelHandler<Names, Names> {

		@Override
		public Names handle(Names request) {
			return new Names(request.text(), new Pair[3]);
		}

	}

	static final class Placing implements RingKernelHandler<Names, Names> {

		@Override
		public Names handle(Names request) {
			request.pairs()[0] = new Pair(1, 2);
			return request;
		}

	}

}
