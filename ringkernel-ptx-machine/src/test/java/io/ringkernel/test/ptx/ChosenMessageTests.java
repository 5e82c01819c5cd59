package io.ringkernel.test.ptx;

import io.ringkernel.Capacity;
import io.ringkernel.Parallel;
import io.ringkernel.RingKernelHandler;
import io.ringkernel.compiler.HandlerCompiler;
import io.ringkernel.message.MessageLayout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The caller sees the message that the code has chosen at run time. A text of the request
 * is left out of it.
 */
class ChosenMessageTests {

	private static final MessageLayout<Question> LAYOUT = MessageLayout.of(Question.class);

	@ParameterizedTest
	@CsvSource({ "0, zero", "1, small", "5, large", "2, few", "6, sixth", "8, " })
	void theMessageIsTheOneThatIsChosen(int number, String message) throws InterruptedException {
		try (HandlerBench<Question, Question> bench = new HandlerBench<>(
				HandlerCompiler.compile(new Throwing(), LAYOUT, LAYOUT), LAYOUT, LAYOUT)) {
			assertThat(bench.handle(new Question(number, "of the request"), 64).failure().message()).isEqualTo(message);
		}
	}

	record Question(int number, @Capacity(16) String text) {
	}

	static final class Throwing implements RingKernelHandler<Question, Question> {

		@Override
		public Question handle(Question request) {
			int number = request.number();
			String message = "zero";
			for (int i = 0; i < number; i++) {
				if (number == 2 && i == 1) {
					throw new IllegalStateException(message);
				}
				message = (i < 4) ? "few" : "large";
			}
			String thrown = (number == 1) ? "small" : message;
			Parallel.range(10, (i) -> {
				if (number == 6 && i > 5) {
					throw new IllegalStateException((i > 6) ? "seventh" : "sixth");
				}
			});
			throw new IllegalArgumentException((number == 8) ? request.text() : thrown);
		}

	}

}
