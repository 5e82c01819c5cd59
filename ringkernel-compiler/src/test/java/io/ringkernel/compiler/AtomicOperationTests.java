package io.ringkernel.compiler;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.DoubleAdder;

import io.ringkernel.Capacity;
import io.ringkernel.Parallel;
import io.ringkernel.RingKernelHandler;
import io.ringkernel.exception.HandlerRefusedException;
import io.ringkernel.message.MessageLayout;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * An atomic operation says which memory it changes, if that is known, and asks for no
 * result that nothing reads.
 */
class AtomicOperationTests {

	@Test
	void anArrayOfTheStateLiesInDeviceMemory() {
		assertThat(atomics(new Total())).isNotEmpty().allMatch((it) -> it.startsWith("red.global.add.u64 ["));
	}

	@Test
	void anArrayOfTheResponseMayLieInSharedMemory() {
		assertThat(atomics(new Count())).isNotEmpty().allMatch((it) -> it.startsWith("atom.add.u64 %"));
	}

	/** A handler takes a lock by the first of them, and releases it by the last. */
	@Test
	void aStepOfTheStateThatOneThreadMakesOrdersWhatIsAroundIt() {
		assertThat(atomics(new Locking())).extracting((it) -> it.substring(0, it.indexOf(' ')))
			.containsExactly("atom.acq_rel.gpu.global.add.u64", "atom.acq_rel.gpu.global.cas.b64",
					"atom.acq_rel.gpu.global.add.u64");
	}

	@Test
	void sumsOfFloatingPointNumbersDependOnTheirOrder() {
		for (RingKernelHandler<Amounts, Amounts> handler : List.of(new AddingDoubles(), new AddingFloats())) {
			refused(handler).withMessageContaining(
					"The sum of floating-point numbers depends on their order, which no device keeps in atomic steps. Use Parallel.sumDouble, or add multiples of a small number by Parallel.atomicAdd on a long[].");
		}
	}

	@Test
	void atomicOperationsOfTheJdk() {
		refused(new Counting()).withMessageContaining(
				"java.util.concurrent.atomic.AtomicInteger.incrementAndGet is called. Use Parallel.atomicAdd, atomicMax or atomicCompareAndSet on an int[] or a long[].");
	}

	private static ThrowableAssertAlternative<HandlerRefusedException> refused(
			RingKernelHandler<Amounts, Amounts> handler) {
		return assertThatExceptionOfType(HandlerRefusedException.class).isThrownBy(() -> atomics(handler));
	}

	private static List<String> atomics(RingKernelHandler<Amounts, Amounts> handler) {
		MessageLayout<Amounts> layout = MessageLayout.of(Amounts.class);
		return HandlerCompiler.compile(handler, layout, layout)
			.ptx()
			.lines()
			.map(String::strip)
			.map((line) -> line.replaceFirst("^@\\S+ ", ""))
			.filter((line) -> line.startsWith("atom") || line.startsWith("red"))
			.toList();
	}

	record Amounts(@Capacity(64) long[] amounts) {
	}

	static final class Total implements RingKernelHandler<Amounts, Amounts> {

		private final long[] total = new long[1];

		@Override
		public Amounts handle(Amounts request) {
			Parallel.range(request.amounts().length, (i) -> Parallel.atomicAdd(this.total, 0, request.amounts()[i]));
			return new Amounts(new long[1]);
		}

	}

	static final class Count implements RingKernelHandler<Amounts, Amounts> {

		@Override
		public Amounts handle(Amounts request) {
			long[] count = new long[1];
			count[0] = Parallel.atomicAdd(count, 0, 3) + 5;
			return new Amounts(count);
		}

	}

	static final class Locking implements RingKernelHandler<Amounts, Amounts> {

		private final long[] lock = new long[1];

		@Override
		public Amounts handle(Amounts request) {
			long before = Parallel.atomicAdd(this.lock, 0, 1);
			if (!Parallel.atomicCompareAndSet(this.lock, 0, before, 7)) {
				throw new IllegalStateException("Another worker has it");
			}
			Parallel.atomicAdd(this.lock, 0, -7);
			return new Amounts(new long[1]);
		}

	}

	static final class AddingDoubles implements RingKernelHandler<Amounts, Amounts> {

		private final DoubleAdder sum = new DoubleAdder();

		@Override
		public Amounts handle(Amounts request) {
			this.sum.add(request.amounts()[0] / 3.0);
			return request;
		}

	}

	static final class AddingFloats implements RingKernelHandler<Amounts, Amounts> {

		private static final VarHandle FLOATS = MethodHandles.arrayElementVarHandle(float[].class);

		private final float[] sum = new float[1];

		@Override
		public Amounts handle(Amounts request) {
			float before = (float) FLOATS.getAndAdd(this.sum, 0, request.amounts()[0] / 3f);
			return new Amounts(new long[] { (long) before });
		}

	}

	static final class Counting implements RingKernelHandler<Amounts, Amounts> {

		private final AtomicInteger count = new AtomicInteger();

		@Override
		public Amounts handle(Amounts request) {
			return new Amounts(new long[] { this.count.incrementAndGet() });
		}

	}

}
