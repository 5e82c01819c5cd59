package io.ringkernel.compiler.pass;

import java.util.List;
import java.util.stream.IntStream;

import io.ringkernel.compiler.ir.Code;
import io.ringkernel.compiler.ir.Constant;
import io.ringkernel.compiler.ir.Instruction;
import io.ringkernel.compiler.ir.Label;
import io.ringkernel.compiler.ir.MemoryType;
import io.ringkernel.compiler.ir.Register;
import io.ringkernel.compiler.ir.RegisterType;
import io.ringkernel.compiler.ir.WorkerCall;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * There is a barrier where a thread may read what another one writes, and nowhere else.
 */
class BarriersTests {

	private final Code code = new Code();

	private final WorkerCall worker = WorkerCall.of(this.code);

	private final Register array = this.code.register(RegisterType.ADDRESS);

	private final Register first = this.code.register(RegisterType.PREDICATE);

	@Test
	void whatNobodyWritesIsReadWithoutABarrier() {
		load();
		range(this::load);
		load();
		assertThat(barriers()).isEmpty();
	}

	@Test
	void theFirstThreadStoresAgainWithoutABarrier() {
		store();
		store();
		assertThat(barriers()).isEmpty();
	}

	@Test
	void whatTheFirstThreadHasStoredIsReadBehindABarrier() {
		store();
		load();
		assertThat(barriers()).containsExactly(1);
	}

	@Test
	void whatAllHaveReadIsStoredBehindABarrier() {
		load();
		store();
		assertThat(barriers()).containsExactly(1);
	}

	@Test
	void aRangeReadsWhatAnotherHasWrittenBehindABarrier() {
		range(this::storeOfEach);
		range(this::load);
		assertThat(barriers()).containsExactly(3);
	}

	@Test
	void aBarrierThatIsThereIsEnough() {
		range(this::storeOfEach);
		this.code.add(new Instruction.Sync(this.worker));
		load();
		assertThat(barriers()).containsExactly(3);
	}

	@Test
	void aLoopReadsWhatItsLastRoundHasStored() {
		Label head = new Label();
		this.code.add(new Instruction.Mark(head));
		load();
		this.code.add(new Instruction.Branch(this.first, true, head));
		store();
		this.code.add(new Instruction.Jump(head));
		assertThat(barriers()).containsExactly(1, 4);
	}

	private void load() {
		this.code.add(new Instruction.Load(MemoryType.INT, this.code.register(RegisterType.INT), this.array, 0, true));
	}

	private void store() {
		this.code.add(new Instruction.Store(MemoryType.INT, this.array, 0, Constant.ZERO, true, this.first));
	}

	private void storeOfEach() {
		this.code.add(new Instruction.Store(MemoryType.INT, this.array, 0, Constant.ZERO, true, null));
	}

	private void range(Runnable body) {
		this.code.add(new Instruction.Parallel(true));
		body.run();
		this.code.add(new Instruction.Parallel(false));
	}

	/** Where the code has barriers in the end. */
	private List<Integer> barriers() {
		List<Instruction> instructions = Barriers.added(this.code, this.worker).instructions();
		return IntStream.range(0, instructions.size())
			.filter((i) -> instructions.get(i) instanceof Instruction.Sync)
			.boxed()
			.toList();
	}

}
