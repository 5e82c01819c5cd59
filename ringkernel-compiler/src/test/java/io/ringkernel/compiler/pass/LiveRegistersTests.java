package io.ringkernel.compiler.pass;

import java.util.List;

import io.ringkernel.compiler.ir.AtomicOperation;
import io.ringkernel.compiler.ir.Code;
import io.ringkernel.compiler.ir.Comparison;
import io.ringkernel.compiler.ir.Constant;
import io.ringkernel.compiler.ir.Instruction;
import io.ringkernel.compiler.ir.Label;
import io.ringkernel.compiler.ir.MemoryType;
import io.ringkernel.compiler.ir.Operator;
import io.ringkernel.compiler.ir.Register;
import io.ringkernel.compiler.ir.RegisterType;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LiveRegistersTests {

	private static final Instruction END = new Instruction.Return(List.of());

	private final Code code = new Code();

	private final Label entry = new Label();

	private final Label end = new Label();

	private final Register one = this.code.register(RegisterType.INT);

	private final Register two = this.code.register(RegisterType.INT);

	private List<Register> atEntry() {
		return LiveRegisters.of(this.code, this.end).at(this.entry);
	}

	@Test
	void whatIsReadBeforeItIsWrittenIsLive() {
		this.code.add(new Instruction.Mark(this.entry));
		this.code.move(this.two, this.one);
		this.code.binary(Operator.ADD, this.two, this.one);
		this.code.add(END);
		assertThat(atEntry()).containsExactly(this.one);
	}

	@Test
	void whatIsReadInTheNextIterationIsLive() {
		Register sum = this.code.register(RegisterType.INT);
		this.code.add(new Instruction.Mark(this.entry));
		this.code.add(new Instruction.Binary(Operator.ADD, sum, this.one, Constant.of(1)));
		this.code.move(this.one, this.two);
		this.code.add(new Instruction.Branch(this.code.compare(Comparison.LT, sum, Constant.of(8)), true, this.entry));
		this.code.add(END);
		assertThat(atEntry()).containsExactly(this.one, this.two);
	}

	@Test
	void whatIsReadWhereABranchLeadsIsLive() {
		Label behind = new Label();
		this.code.add(new Instruction.Mark(this.entry));
		this.code.add(new Instruction.Branch(this.code.compare(Comparison.LT, this.one, Constant.ZERO), true, behind));
		this.code.add(END);
		this.code.add(new Instruction.Mark(behind));
		this.code.binary(Operator.ADD, this.two, Constant.of(1));
		this.code.add(END);
		assertThat(atEntry()).containsExactly(this.one, this.two);
	}

	@Test
	void behindTheEndNothingIsReadButByOthers() {
		Register isEnd = this.code.register(RegisterType.PREDICATE);
		this.code.add(new Instruction.Mark(this.entry));
		this.code.add(new Instruction.Branch(isEnd, true, this.end));
		this.code.binary(Operator.ADD, this.one, this.two);
		this.code.add(END);
		assertThat(atEntry()).containsExactly(isEnd);
	}

	@Test
	void aGuardedStepLeavesTheRegisterToOtherThreads() {
		Register address = this.code.register(RegisterType.ADDRESS);
		Register guard = this.code.register(RegisterType.PREDICATE);
		this.code.add(new Instruction.Mark(this.entry));
		this.code.add(new Instruction.Atomic(AtomicOperation.ADD, MemoryType.INT, this.one, address, Constant.of(1),
				null, true, guard));
		this.code.binary(Operator.ADD, this.one, Constant.of(1));
		this.code.add(END);
		assertThat(atEntry()).containsExactly(this.one, address, guard);
	}

}
