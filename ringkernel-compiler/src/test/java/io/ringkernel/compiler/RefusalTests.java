package io.ringkernel.compiler;

import java.util.OptionalInt;

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
 * What a device cannot do as Java does it is refused with its place and a remedy.
 */
class RefusalTests {

	@Test
	void aRefusalNamesClassMethodAndLine() {
		assertThatExceptionOfType(HandlerRefusedException.class).isThrownBy(() -> compile(new Printing()))
			.satisfies((ex) -> {
				assertThat(ex.className()).isEqualTo(Printing.class.getName());
				assertThat(ex.methodName()).isEqualTo("print");
				assertThat(ex.line()).isPositive();
			});
	}

	@Test
	void randomNumbers() {
		refused(new Dice()).withMessageContaining("Math.random is called. Let the request bring the numbers.");
	}

	@Test
	void theSignOfWhatIsNoNumber() {
		refused(new Signs()).withMessageContaining(
				"Math.copySign shows the sign of a NaN, which differs from machine to machine. Call StrictMath.copySign.");
		refused(new Bits()).withMessageContaining("Call Double.doubleToLongBits.");
	}

	@Test
	void recursion() {
		refused(new Recursive()).withMessageContaining("factorial calls itself. Write a loop.");
	}

	@Test
	void tryBlocks() {
		refused(new Trying()).withMessageContaining("handle has a catch or synchronized block")
			.satisfies((ex) -> assertThat(ex.line()).isPositive());
	}

	@Test
	void synchronizedMethods() {
		refused(new Synchronized()).withMessageContaining("handle is synchronized. Use the atomic operations")
			.satisfies((ex) -> assertThat(ex.line()).isPositive());
	}

	@Test
	void aClassThatTellsNoLines() {
		refused(new FunctionCaller().handler("java/lang/Float", "floatToFloat16", "(F)S"))
			.withMessageContaining(".handle: Float.floatToFloat16 shows the sign of a NaN")
			.satisfies((ex) -> assertThat(ex.line()).isZero());
	}

	@Test
	void arraysThatMayBeTooLong() {
		refused(new Unbounded()).withMessageContaining("whose length may be so great")
			.withMessageContaining("Give it a constant length");
	}

	@Test
	void arraysThatALoopMakes() {
		refused(new Remaking()).withMessageContaining("an array is made in a loop. Make it in front of the loop");
	}

	@Test
	void arraysThatALoopInAParallelLoopMakes() {
		refused(new Private()).withMessageContaining("an array is made in a loop. Make it in front of the loop");
	}

	@Test
	void staticFieldsThatMayChange() {
		refused(new Counting()).withMessageContaining("the static field count is not final");
	}

	@Test
	void fieldsThatGetAnotherArray() {
		refused(new Replacing()).withMessageContaining("the field values is given another object");
	}

	@Test
	void fieldsThatAParallelLoopWrites() {
		refused(new Racing()).withMessageContaining("the field last is written by a parallel loop");
	}

	@Test
	void reductionsThatThrowInAnyCase() {
		refused(new Hopeless()).withMessageContaining("a function of a reduction throws in any case");
	}

	@Test
	void arraysThatMayBeNull() {
		assertThatExceptionOfType(HandlerRefusedException.class)
			.isThrownBy(() -> HandlerCompiler.compile(new Summing(), MessageLayout.of(MaybeNull.class),
					MessageLayout.of(Numbers.class)))
			.withMessageContaining("an array of objects is used");
	}

	@Test
	void methodsOfAnOptionalThatTakeFunctions() {
		refused(new Mapping()).withMessageContaining("java.util.OptionalInt.ifPresent is called. Use isPresent");
	}

	@Test
	void methodsOfABoxedNumber() {
		refused(new Comparing()).withMessageContaining("objects of java.lang.Integer are used");
	}

	@Test
	void locksThatAreNoField() {
		refused(new LockingItself()).withMessageContaining("the lock is no array that is a field of the handler");
	}

	@Test
	void locksInABodyWithALock() {
		refused(new LockingTwice()).withMessageContaining("Parallel.shared is called in a body that has a lock");
	}

	@Test
	void locksInAParallelLoop() {
		refused(new LockingInALoop())
			.withMessageContaining("Parallel.exclusive is called in the body of a parallel loop");
	}

	private static ThrowableAssertAlternative<HandlerRefusedException> refused(
			RingKernelHandler<Numbers, Numbers> handler) {
		return assertThatExceptionOfType(HandlerRefusedException.class).isThrownBy(() -> compile(handler));
	}

	private static void compile(RingKernelHandler<Numbers, Numbers> handler) {
		HandlerCompiler.compile(handler, MessageLayout.of(Numbers.class), MessageLayout.of(Numbers.class));
	}

	record Numbers(double number, @Capacity(16) int[] values) {
	}

	record MaybeNull(@Capacity(4) int @Nullable [] values) {
	}

	static final class Summing implements RingKernelHandler<MaybeNull, Numbers> {

		@Override
		public Numbers handle(MaybeNull request) {
			return new Numbers(request.values()[0], new int[0]);
		}

	}

	static final class Mapping implements RingKernelHandler<Numbers, Numbers> {

		@Override
		public Numbers handle(Numbers request) {
			OptionalInt.of(request.values().length).ifPresent((length) -> request.values()[0] = length);
			return request;
		}

	}

	static final class Comparing implements RingKernelHandler<Numbers, Numbers> {

		@Override
		public Numbers handle(Numbers request) {
			Integer length = request.values().length;
			return new Numbers(length.equals(3) ? 1 : 0, request.values());
		}

	}

	static final class LockingItself implements RingKernelHandler<Numbers, Numbers> {

		@Override
		public Numbers handle(Numbers request) {
			int[] lock = new int[1];
			return Parallel.exclusive(lock, () -> request);
		}

	}

	static final class LockingTwice implements RingKernelHandler<Numbers, Numbers> {

		private final int[] lock = new int[1];

		@Override
		public Numbers handle(Numbers request) {
			return Parallel.exclusive(this.lock, () -> Parallel.shared(this.lock, () -> request));
		}

	}

	static final class LockingInALoop implements RingKernelHandler<Numbers, Numbers> {

		private final int[] lock = new int[1];

		@Override
		public Numbers handle(Numbers request) {
			Parallel.range(4, (i) -> Parallel.exclusive(this.lock, () -> request.values()[0] = i));
			return request;
		}

	}

	static final class Printing implements RingKernelHandler<Numbers, Numbers> {

		@Override
		public Numbers handle(Numbers request) {
			print();
			return request;
		}

		private static void print() {
			Thread.yield();
		}

	}

	static final class Dice implements RingKernelHandler<Numbers, Numbers> {

		@Override
		public Numbers handle(Numbers request) {
			return new Numbers(Math.random(), request.values());
		}

	}

	static final class Signs implements RingKernelHandler<Numbers, Numbers> {

		@Override
		public Numbers handle(Numbers request) {
			return new Numbers(Math.copySign(1, request.number() * 0), request.values());
		}

	}

	static final class Bits implements RingKernelHandler<Numbers, Numbers> {

		@Override
		public Numbers handle(Numbers request) {
			return new Numbers(Double.doubleToRawLongBits(request.number()) >> 63, request.values());
		}

	}

	static final class Recursive implements RingKernelHandler<Numbers, Numbers> {

		@Override
		public Numbers handle(Numbers request) {
			return new Numbers(factorial(request.values().length), request.values());
		}

		private static int factorial(int n) {
			return (n < 2) ? 1 : n * factorial(n - 1);
		}

	}

	static final class Synchronized implements RingKernelHandler<Numbers, Numbers> {

		@Override
		public synchronized Numbers handle(Numbers request) {
			return request;
		}

	}

	static final class Trying implements RingKernelHandler<Numbers, Numbers> {

		@Override
		public Numbers handle(Numbers request) {
			try {
				return new Numbers(1 / request.values()[0], request.values());
			}
			catch (ArithmeticException ex) {
				return request;
			}
		}

	}

	static final class Unbounded implements RingKernelHandler<Numbers, Numbers> {

		@Override
		public Numbers handle(Numbers request) {
			int[] scratch = new int[request.values()[0]];
			return new Numbers(scratch.length, request.values());
		}

	}

	static final class Remaking implements RingKernelHandler<Numbers, Numbers> {

		@Override
		public Numbers handle(Numbers request) {
			int[] last = request.values();
			for (int i = 0; i < 3; i++) {
				int[] next = made(last);
				next[0] = last[0] + 1;
				last = next;
			}
			return new Numbers(last[0], request.values());
		}

		private static int[] made(int[] like) {
			return new int[Math.min(like.length, 16)];
		}

	}

	static final class Private implements RingKernelHandler<Numbers, Numbers> {

		@Override
		public Numbers handle(Numbers request) {
			Parallel.range(request.values().length, (i) -> {
				for (int j = 0; j < 3; j++) {
					int[] pair = { i, request.values()[i] };
					request.values()[i] = pair[j & 1];
				}
			});
			return request;
		}

	}

	static final class Counting implements RingKernelHandler<Numbers, Numbers> {

		private static int count;

		@Override
		public Numbers handle(Numbers request) {
			return new Numbers(count++, request.values());
		}

	}

	static final class Replacing implements RingKernelHandler<Numbers, Numbers> {

		private int[] values = {};

		@Override
		public Numbers handle(Numbers request) {
			this.values = request.values();
			return new Numbers(this.values.length, request.values());
		}

	}

	static final class Racing implements RingKernelHandler<Numbers, Numbers> {

		private int last;

		@Override
		public Numbers handle(Numbers request) {
			Parallel.range(request.values().length, (i) -> this.last = i);
			return new Numbers(this.last, request.values());
		}

	}

	static final class Hopeless implements RingKernelHandler<Numbers, Numbers> {

		@Override
		public Numbers handle(Numbers request) {
			return new Numbers(Parallel.sumInt(request.values().length, (i) -> {
				throw new IllegalStateException("no sum");
			}), request.values());
		}

	}

}
