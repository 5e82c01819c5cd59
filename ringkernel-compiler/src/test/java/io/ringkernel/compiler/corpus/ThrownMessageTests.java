package io.ringkernel.compiler.corpus;

import io.ringkernel.RingKernelHandler;
import io.ringkernel.backend.FailurePoint;
import io.ringkernel.compiler.HandlerCompiler;
import io.ringkernel.compiler.corpus.Failing.OwnExceptions.Coded;
import io.ringkernel.compiler.corpus.Failing.OwnExceptions.Reworded;
import io.ringkernel.compiler.corpus.Failing.OwnExceptions.TooLarge;
import io.ringkernel.compiler.corpus.Failing.OwnExceptions.Unknown;
import io.ringkernel.message.MessageLayout;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An exception has the message that its constructor hands to {@code super} as it is.
 */
class ThrownMessageTests {

	@Test
	void aMessageIsWhatTheConstructorsHandOn() {
		MessageLayout<Number> layout = MessageLayout.of(Number.class);
		assertThat(HandlerCompiler.compile(new Throwing(), layout, layout).failures()).extracting(FailurePoint::message)
			.containsExactly("the reason", "unknown", null, null, "plain");
	}

	record Number(int number) {
	}

	static final class Throwing implements RingKernelHandler<Number, Number> {

		@Override
		public Number handle(Number request) {
			switch (request.number()) {
				case 0 -> throw new Coded("kind", 3L, "the reason");
				case 1 -> throw new Unknown("index", 5);
				case 2 -> throw new TooLarge("amount");
				case 3 -> throw new Reworded("what is handed on");
				default -> throw new IllegalStateException("plain");
			}
		}

	}

}
