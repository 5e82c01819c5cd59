package io.ringkernel.test.ptx;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.ringkernel.Capacity;
import io.ringkernel.RingKernelHandler;
import io.ringkernel.compiler.HandlerCompiler;
import io.ringkernel.message.MessageLayout;
import io.ringkernel.message.buffer.MessageBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * A handler that is compiled from Java sees requests that are valid, and no other.
 */
class RequestChecksTests {

	private static final MessageLayout<Checked> REQUESTS = MessageLayout.of(Checked.class);

	private static final Checked VALID = new Checked(true, Side.RIGHT, Optional.of(new Inner(true, Side.LEFT)),
			new long[] { 1, 2, 3 }, "text", new Nested(Side.MIDDLE));

	private static final int FLAG = 0;

	private static final int SIDE = 4;

	private static final int PRESENT = 8;

	private static final int INNER_FLAG = 12;

	private static final int INNER_SIDE = 16;

	private static final int NUMBERS = 20;

	private static final int NUMBERS_LENGTH = 24;

	private static final int TEXT = 28;

	private static final int NESTED_SIDE = 36;

	@Test
	void aRequestThatIsValidIsAccepted() throws InterruptedException {
		assertThat(isAccepted(encoded(VALID))).isTrue();
		assertThat(isAccepted(
				encoded(new Checked(false, Side.LEFT, Optional.empty(), new long[0], "", new Nested(Side.RIGHT)))))
			.isTrue();
	}

	@Test
	void whatIsMissingIsNotLookedAt() throws InterruptedException {
		ByteBuffer request = encoded(VALID);
		request.putInt(PRESENT, 0).put(INNER_FLAG, (byte) 2).putInt(INNER_SIDE, 3);
		assertThat(isAccepted(request)).isTrue();
	}

	@Test
	void anArrayWithoutElementsLiesAnywhere() throws InterruptedException {
		assertThat(isAccepted(encoded(VALID).putInt(NUMBERS, 7).putInt(NUMBERS_LENGTH, 0))).isTrue();
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource
	void aRequestThatIsNotIsRejected(String what, Consumer<ByteBuffer> change) throws InterruptedException {
		ByteBuffer request = encoded(VALID);
		change.accept(request);
		assertThat(isAccepted(request)).isFalse();
	}

	static Stream<Arguments> aRequestThatIsNotIsRejected() {
		return Stream.of(change("a boolean of 2", (request) -> request.put(FLAG, (byte) 2)),
				change("an ordinal beyond the last", (request) -> request.putInt(SIDE, 3)),
				change("a negative ordinal", (request) -> request.putInt(SIDE, -1)),
				change("a mark of presence of 2", (request) -> request.putInt(PRESENT, 2)),
				change("a boolean of 2 in an optional record", (request) -> request.put(INNER_FLAG, (byte) 2)),
				change("an ordinal beyond the last in an optional record", (request) -> request.putInt(INNER_SIDE, 3)),
				change("an ordinal beyond the last in a record", (request) -> request.putInt(NESTED_SIDE, 3)),
				change("more elements than the capacity", (request) -> request.putInt(NUMBERS_LENGTH, 8)),
				change("a length whose bytes overflow", (request) -> request.putInt(NUMBERS_LENGTH, 1 << 29)),
				change("a negative length", (request) -> request.putInt(NUMBERS_LENGTH, -1)),
				change("elements in the fixed block", (request) -> request.putInt(NUMBERS, 16)),
				change("elements that are not aligned",
						(request) -> request.putInt(NUMBERS, request.getInt(NUMBERS) + 8)),
				change("elements behind the end", (request) -> request.putInt(NUMBERS, 1 << 20)),
				change("elements at a negative offset", (request) -> request.putInt(NUMBERS, -16)),
				change("elements that reach behind the end", (request) -> request.putInt(TEXT + Integer.BYTES, 9)
					.putInt(TEXT, (request.capacity() - 1) / 16 * 16)));
	}

	@Test
	void aRequestWithoutItsFixedBlockIsRejected() throws InterruptedException {
		ByteBuffer request = encoded(VALID);
		assertThat(isAccepted(request, REQUESTS.fixedSize() - 1)).isFalse();
		assertThat(isAccepted(request, 0)).isFalse();
		assertThat(isAccepted(request, -1)).isFalse();
	}

	@Test
	void aRequestThatIsTooLongIsRejected() throws InterruptedException {
		assertThat(isAccepted(encoded(VALID), REQUESTS.maxSize() + 1)).isFalse();
	}

	private static Arguments change(String what, Consumer<ByteBuffer> change) {
		return arguments(what, change);
	}

	private static ByteBuffer encoded(Checked request) {
		MessageBuffer buffer = MessageBuffer.allocate(REQUESTS.measure(request));
		REQUESTS.write(request, buffer, 0);
		return buffer.bytes().order(ByteOrder.LITTLE_ENDIAN);
	}

	private static boolean isAccepted(ByteBuffer request) throws InterruptedException {
		return isAccepted(request, request.capacity());
	}

	private static boolean isAccepted(ByteBuffer request, int length) throws InterruptedException {
		MessageLayout<Count> responses = MessageLayout.of(Count.class);
		try (HandlerBench<Checked, Count> bench = new HandlerBench<>(
				HandlerCompiler.compile(new Counting(), REQUESTS, responses), REQUESTS, responses)) {
			return bench.handle(request, length, 32).accepted();
		}
	}

	enum Side {

		LEFT, MIDDLE, RIGHT

	}

	record Inner(boolean flag, Side side) {
	}

	record Nested(Side side) {
	}

	record Checked(boolean flag, Side side, Optional<Inner> inner, @Capacity(7) long[] numbers,
			@Capacity(9) String text, Nested nested) {
	}

	record Count(int count) {
	}

	static final class Counting implements RingKernelHandler<Checked, Count> {

		@Override
		public Count handle(Checked request) {
			return new Count(request.numbers().length);
		}

	}

}
