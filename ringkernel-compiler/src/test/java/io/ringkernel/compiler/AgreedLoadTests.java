package io.ringkernel.compiler;

import io.ringkernel.RingKernelHandler;
import io.ringkernel.compiler.ir.WorkerCall;
import io.ringkernel.message.MessageLayout;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Threads agree on what they load outside of parallel loops, unless no other worker
 * reaches it: another one may write it while they load.
 */
class AgreedLoadTests {

	/** Of the call, which is in shared memory. */
	private static final String EXCHANGE = "[%%s0+%d]".formatted(WorkerCall.EXCHANGE);

	@Test
	void anElementOfTheState() {
		assertThat(ptx(new OfState())).contains(EXCHANGE);
	}

	@Test
	void anElementOfAnArrayOfTheWorker() {
		assertThat(ptx(new OfWorker())).doesNotContain(EXCHANGE);
	}

	@Test
	void anElementOfAParameterThatMayBeAnArrayOfTheWorker() {
		assertThat(ptx(new OfEither())).contains(EXCHANGE);
	}

	private static String ptx(RingKernelHandler<Number, Number> handler) {
		MessageLayout<Number> layout = MessageLayout.of(Number.class);
		return HandlerCompiler.compile(handler, layout, layout).ptx();
	}

	record Number(int value) {
	}

	static final class OfState implements RingKernelHandler<Number, Number> {

		private final int[] numbers = new int[1];

		@Override
		public Number handle(Number request) {
			return new Number(this.numbers[0]);
		}

	}

	static final class OfWorker implements RingKernelHandler<Number, Number> {

		private final int[] numbers = new int[1];

		@Override
		public Number handle(Number request) {
			int[] own = new int[2];
			this.numbers[0] = request.value();
			return new Number(own[1]);
		}

	}

	static final class OfEither implements RingKernelHandler<Number, Number> {

		private final int[] numbers = new int[1];

		@Override
		public Number handle(Number request) {
			return new Number(first(this.numbers, request.value()));
		}

		private static int first(int[] numbers, int value) {
			if (value > 1) {
				numbers = new int[2];
			}
			return numbers[0];
		}

	}

}
