package io.ringkernel.compiler.pass;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.ringkernel.compiler.ir.Code;
import io.ringkernel.compiler.ir.Comparison;
import io.ringkernel.compiler.ir.Constant;
import io.ringkernel.compiler.ir.Instruction;
import io.ringkernel.compiler.ir.Label;
import io.ringkernel.compiler.ir.MemoryType;
import io.ringkernel.compiler.ir.Operand;
import io.ringkernel.compiler.ir.Operator;
import io.ringkernel.compiler.ir.Register;
import io.ringkernel.compiler.ir.RegisterType;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which bodies of loops are taken for several indices at once, and what is left of them
 * then.
 */
class StraightLineTests {

	private final Code code = new Code();

	private final Register index = this.code.register(RegisterType.INT);

	private final Register length = this.code.register(RegisterType.INT);

	private final Register array = this.code.register(RegisterType.ADDRESS);

	private final Label failure = new Label();

	@Test
	void aJumpToWhatFollowsIsLeftOut() {
		Label next = new Label();
		this.code.add(new Instruction.Jump(next));
		this.code.add(new Instruction.Mark(new Label()));
		this.code.add(new Instruction.Mark(next));
		load();
		assertThat(straight()).isNotNull();
		assertThat(straight().instructions()).hasSize(1).first().isInstanceOf(Instruction.Load.class);
	}

	@Test
	void aLoopIsNotStraight() {
		Label head = new Label();
		this.code.add(new Instruction.Mark(head));
		load();
		this.code.add(new Instruction.Branch(this.code.register(RegisterType.PREDICATE), true, head));
		assertThat(straight()).isNull();
	}

	@Test
	void aBranchWithinIsNotStraight() {
		Label behind = new Label();
		this.code.add(new Instruction.Branch(this.code.register(RegisterType.PREDICATE), true, behind));
		load();
		this.code.add(new Instruction.Mark(behind));
		assertThat(straight()).isNull();
	}

	@Test
	void nothingMayFailBehindAStore() {
		check(this.length);
		store();
		assertThat(straight()).isNotNull();
		check(this.length);
		assertThat(straight()).isNull();
	}

	@Test
	void checksOfTheIndexBecomeLimits() {
		Register copy = this.code.copy(this.length);
		check(copy);
		check(Constant.of(9));
		load();
		Set<Operand> limits = new HashSet<>();
		StraightLine rest = straight().withoutChecks(this.index, limits);
		assertThat(limits).containsExactlyInAnyOrder(this.length, Constant.of(9));
		assertThat(rest.leaves()).isFalse();
	}

	@Test
	void aLimitThatChangesIsChecked() {
		Register limit = this.code.binary(Operator.ADD, this.length, this.index);
		check(limit);
		Set<Operand> limits = new HashSet<>();
		assertThat(straight().withoutChecks(this.index, limits).leaves()).isTrue();
		assertThat(limits).isEmpty();
	}

	@Test
	void aCopyOfWhatChangesIsReadItself() {
		Register sum = this.code.copy(this.length);
		Register before = this.code.copy(sum);
		this.code.add(new Instruction.Binary(Operator.ADD, sum, sum, this.index));
		Register product = this.code.binary(Operator.MUL, before, sum);
		assertThat(straight().instructions()).endsWith(new Instruction.Binary(Operator.MUL, product, before, sum));
	}

	@Test
	void aCopyOfWhatChangesBehindItIsReadItself() {
		Register sum = this.code.register(RegisterType.INT);
		Register copy = this.code.copy(sum);
		this.code.add(new Instruction.Binary(Operator.ADD, sum, sum, this.index));
		Register product = this.code.binary(Operator.MUL, copy, sum);
		assertThat(straight().instructions()).endsWith(new Instruction.Binary(Operator.MUL, product, copy, sum));
	}

	@Test
	void loadsComeBehindChecksThatDoNotNeedThem() {
		load();
		check(this.length);
		load();
		store();
		List<Instruction> together = straight().withLoadsTogether().instructions();
		assertThat(together).hasSameElementsAs(straight().instructions());
		assertThat(together).extracting(Object::getClass)
			.containsExactly(Instruction.Compare.class, Instruction.Branch.class, Instruction.Load.class,
					Instruction.Load.class, Instruction.Store.class);
	}

	@Test
	void whatReadsOrReplacesWhatWasLoadedStaysBehindTheLoad() {
		Register loaded = load();
		check(loaded);
		check(this.length);
		this.code.move(loaded, this.index);
		assertThat(straight().withLoadsTogether().instructions()).filteredOn((each) -> !isCompare(each, this.length))
			.isEqualTo(straight().instructions().stream().filter((each) -> !isCompare(each, this.length)).toList());
	}

	@Test
	void aRegisterIsNotWrittenBeforeALoadHasReadIt() {
		load();
		this.code.add(new Instruction.Binary(Operator.ADD, this.array, this.array, this.array));
		assertThat(straight().withLoadsTogether().instructions()).isEqualTo(straight().instructions());
	}

	private static boolean isCompare(Instruction instruction, Operand limit) {
		return instruction instanceof Instruction.Compare compare && compare.right().equals(limit);
	}

	private StraightLine straight() {
		return StraightLine.of(List.copyOf(this.code.instructions()));
	}

	private void check(Operand limit) {
		Register isBehind = this.code.compare(Comparison.NOT_BELOW, this.index, limit);
		this.code.add(new Instruction.Branch(isBehind, true, this.failure));
	}

	private Register load() {
		Register to = this.code.register(RegisterType.INT);
		this.code.add(new Instruction.Load(MemoryType.INT, to, this.array, 0, true));
		return to;
	}

	private void store() {
		this.code.add(new Instruction.Store(MemoryType.INT, this.array, 0, this.index, true, null));
	}

}
