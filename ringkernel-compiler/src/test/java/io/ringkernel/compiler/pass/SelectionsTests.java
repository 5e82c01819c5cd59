package io.ringkernel.compiler.pass;

import java.util.Set;

import io.ringkernel.compiler.ir.Code;
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
 * Which branches become selections.
 */
class SelectionsTests {

	private final Code code = new Code();

	private final Register variable = this.code.register(RegisterType.INT);

	private final Register predicate = this.code.register(RegisterType.PREDICATE);

	private final Label other = new Label();

	private final Label end = new Label();

	@Test
	void bothWaysAreComputedAndOneIsSelected() {
		choose();
		meet();
		assertThat(this.code.leadsTo(this.end)).isFalse();
		Instruction.Select select = selection();
		assertThat(value(select.yes())).isEqualTo(Constant.of(2));
		assertThat(value(select.no())).isEqualTo(Constant.of(1));
	}

	@Test
	void aWayThatDoesNothingLeavesTheVariable() {
		this.code.add(new Instruction.Branch(this.predicate, true, this.end));
		this.code.add(new Instruction.Binary(Operator.ADD, this.variable, this.variable, Constant.of(1)));
		meet();
		Instruction.Select select = selection();
		assertThat(select.yes()).isEqualTo(this.variable);
		assertThat(select.no()).isNotEqualTo(this.variable);
	}

	@Test
	void whatMayTakeLongOrFailStaysBehindItsBranch() {
		this.code.add(new Instruction.Branch(this.predicate, true, this.end));
		this.code.add(new Instruction.Binary(Operator.DIV, this.variable, this.variable, Constant.of(3)));
		meet();
		assertThat(this.code.leadsTo(this.end)).isTrue();
	}

	@Test
	void aStoreStaysBehindItsBranch() {
		Register base = this.code.register(RegisterType.ADDRESS);
		this.code.add(new Instruction.Branch(this.predicate, true, this.end));
		this.code.add(new Instruction.Store(MemoryType.INT, base, 0, this.variable, true, null));
		meet();
		assertThat(this.code.leadsTo(this.end)).isTrue();
	}

	@Test
	void aWayThatOthersLeadToStays() {
		choose();
		this.code.add(new Instruction.Mark(this.end));
		Selections.replace(this.code, Set.of());
		assertThat(this.code.leadsTo(this.other)).isTrue();
	}

	@Test
	void aWayThatCopiesOfABranchLeadToStays() {
		this.code.add(new Instruction.Branch(this.code.register(RegisterType.PREDICATE), true, this.other));
		choose();
		meet();
		assertThat(this.code.instructions()).contains(new Instruction.Mark(this.other), new Instruction.Mark(this.end));
	}

	@Test
	void aVariableThatASelectionSetsOutlivesItsWay() {
		Label inner = new Label();
		Register nested = this.code.register(RegisterType.PREDICATE);
		Register late = this.code.register(RegisterType.INT);
		this.code.add(new Instruction.Branch(this.predicate, true, this.end));
		this.code.add(new Instruction.Branch(nested, true, inner));
		this.code.move(late, Constant.of(1));
		this.code.add(new Instruction.Mark(inner));
		Selections.replace(this.code, Set.of());
		this.code.cut(this.code.instructions().size() - 1);
		meet();
		assertThat(this.code.leadsTo(this.end)).isFalse();
		assertThat(this.code.instructions()).filteredOn(Instruction.Select.class::isInstance)
			.extracting((instruction) -> ((Instruction.Select) instruction).to())
			.hasSize(2)
			.endsWith(late);
	}

	private void choose() {
		this.code.add(new Instruction.Branch(this.predicate, true, this.other));
		move(Constant.of(1));
		this.code.add(new Instruction.Jump(this.end));
		this.code.add(new Instruction.Mark(this.other));
		move(Constant.of(2));
	}

	private void move(Constant value) {
		this.code.move(this.variable, value);
	}

	private void meet() {
		this.code.add(new Instruction.Mark(this.end));
		Selections.replace(this.code, Set.of(this.other));
	}

	private Instruction.Select selection() {
		return this.code.instructions()
			.stream()
			.filter(Instruction.Select.class::isInstance)
			.map(Instruction.Select.class::cast)
			.findFirst()
			.orElseThrow();
	}

	private Operand value(Operand register) {
		return this.code.instructions()
			.stream()
			.filter((instruction) -> instruction instanceof Instruction.Move move && move.to().equals(register))
			.map((move) -> ((Instruction.Move) move).from())
			.findFirst()
			.orElseThrow();
	}

}
