package io.ringkernel.compiler;

import java.util.List;

import io.ringkernel.Capacity;
import io.ringkernel.Parallel;
import io.ringkernel.RingKernelHandler;
import io.ringkernel.message.MessageLayout;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

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

}
