package io.ringkernel.compiler;

import io.ringkernel.Parallel;
import io.ringkernel.RingKernelHandler;
import io.ringkernel.Capacity;
import io.ringkernel.message.MessageLayout;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An array of the response is set to zero, unless nobody could tell.
 */
class OverwrittenArrayTests {

	@Test
	void anArrayThatALoopOverwritesIsNotSetToZero() {
		assertThat(isCleared(new Overwritten())).isFalse();
	}

	@Test
	void anArrayIsOverwrittenAlsoIfTheBodyBranches() {
		assertThat(isCleared(new Branching())).isFalse();
	}

	@Test
	void aLoopThatMayNotRunLeavesTheArrayZero() {
		assertThat(isCleared(new Conditional())).isTrue();
	}

	@Test
	void aLoopThatEndsEarlierLeavesTheLastElementsZero() {
		assertThat(isCleared(new Shorter())).isTrue();
	}

	@Test
	void aBodyThatMayNotStoreLeavesItsElementZero() {
		assertThat(isCleared(new Sparse())).isTrue();
	}

	@Test
	void aBodyThatStoresElsewhereLeavesElementsZero() {
		assertThat(isCleared(new Elsewhere())).isTrue();
	}

	@Test
	void anArrayThatIsReadBeforeIsZero() {
		assertThat(isCleared(new ReadBefore())).isTrue();
	}

	@Test
	void anArrayThatTheBodyReadsIsZero() {
		assertThat(isCleared(new ReadInBody())).isTrue();
	}

	@Test
	void anArrayThatAFinallyBlockMayReadIsZero() {
		assertThat(isCleared(new ReadInFinally())).isTrue();
	}

	@Test
	void anArrayThatAFinallyBlockOfACallerMayReadIsZero() {
		assertThat(isCleared(new ReadInFinallyOfCaller())).isTrue();
	}

	private static boolean isCleared(RingKernelHandler<Numbers, Numbers> handler) {
		MessageLayout<Numbers> layout = MessageLayout.of(Numbers.class);
		return HandlerCompiler.compile(handler, layout, layout).ptx().contains("st.v4.b32 [place]");
	}

	record Numbers(int number, @Capacity(1024) int[] values) {
	}

	static final class Overwritten implements RingKernelHandler<Numbers, Numbers> {

		@Override
		public Numbers handle(Numbers request) {
			int[] out = new int[request.values().length];
			Parallel.range(out.length, (i) -> out[i] = request.values()[i] + 1);
			return new Numbers(0, out);
		}

	}

	static final class Branching implements RingKernelHandler<Numbers, Numbers> {

		@Override
		public Numbers handle(Numbers request) {
			int[] out = new int[request.values().length];
			int first = request.values()[0];
			Parallel.range(out.length, (i) -> {
				int steps = 0;
				for (int n = request.values()[i]; n > first; n /= 2) {
					steps++;
				}
				out[i] = steps;
			});
			return new Numbers(0, out);
		}

	}

	static final class Conditional implements RingKernelHandler<Numbers, Numbers> {

		@Override
		public Numbers handle(Numbers request) {
			int[] out = new int[request.values().length];
			if (request.number() > 0) {
				Parallel.range(out.length, (i) -> out[i] = request.values()[i] + 1);
			}
			return new Numbers(0, out);
		}

	}

	static final class Shorter implements RingKernelHandler<Numbers, Numbers> {

		@Override
		public Numbers handle(Numbers request) {
			int[] out = new int[request.values().length];
			Parallel.range(out.length - 1, (i) -> out[i] = request.values()[i] + 1);
			return new Numbers(0, out);
		}

	}

	static final class Sparse implements RingKernelHandler<Numbers, Numbers> {

		@Override
		public Numbers handle(Numbers request) {
			int[] out = new int[request.values().length];
			Parallel.range(out.length, (i) -> {
				if (request.values()[i] > 0) {
					out[i] = request.values()[i];
				}
			});
			return new Numbers(0, out);
		}

	}

	static final class Elsewhere implements RingKernelHandler<Numbers, Numbers> {

		@Override
		public Numbers handle(Numbers request) {
			int[] out = new int[request.values().length];
			Parallel.range(out.length, (i) -> out[request.values()[i]] = i);
			return new Numbers(0, out);
		}

	}

	static final class ReadBefore implements RingKernelHandler<Numbers, Numbers> {

		@Override
		public Numbers handle(Numbers request) {
			int[] out = new int[request.values().length];
			int before = out[request.number()];
			Parallel.range(out.length, (i) -> out[i] = request.values()[i]);
			return new Numbers(before, out);
		}

	}

	static final class ReadInBody implements RingKernelHandler<Numbers, Numbers> {

		@Override
		public Numbers handle(Numbers request) {
			int[] out = new int[request.values().length];
			Parallel.range(out.length, (i) -> out[i] += request.values()[i]);
			return new Numbers(0, out);
		}

	}

	static final class ReadInFinally implements RingKernelHandler<Numbers, Numbers> {

		private int last;

		@Override
		public Numbers handle(Numbers request) {
			int[] out = new int[request.values().length];
			try {
				Parallel.range(out.length, (i) -> out[i] = 60 / request.values()[i]);
			}
			finally {
				this.last = out[out.length - 1];
			}
			return new Numbers(this.last, out);
		}

	}

	static final class ReadInFinallyOfCaller implements RingKernelHandler<Numbers, Numbers> {

		private int last;

		@Override
		public Numbers handle(Numbers request) {
			int[] out = new int[request.values().length];
			try {
				divide(request.values(), out);
			}
			finally {
				this.last = out[out.length - 1];
			}
			return new Numbers(this.last, out);
		}

		private static void divide(int[] divisors, int[] out) {
			Parallel.range(out.length, (i) -> out[i] = 60 / divisors[i]);
		}

	}

}
