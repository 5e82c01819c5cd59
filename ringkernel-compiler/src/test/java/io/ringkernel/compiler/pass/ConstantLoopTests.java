package io.ringkernel.compiler.pass;

import java.util.List;

import io.ringkernel.compiler.ir.Code;
import io.ringkernel.compiler.ir.Comparison;
import io.ringkernel.compiler.ir.Constant;
import io.ringkernel.compiler.ir.Instruction;
import io.ringkernel.compiler.ir.Label;
import io.ringkernel.compiler.ir.Operand;
import io.ringkernel.compiler.ir.Operator;
import io.ringkernel.compiler.ir.Register;
import io.ringkernel.compiler.ir.RegisterType;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which loops are replaced by their body.
 */
class ConstantLoopTests {

	private final Code code = new Code();

	private final Register index = this.code.register(RegisterType.INT);

	private final Register sum = this.code.register(RegisterType.INT);

	private final Label head = new Label();

	private final Label exit = new Label();

	@Test
	void theBodyIsThereOnceForEachIndex() {
		begin(Constant.of(-1), Constant.of(1));
		add(this.index);
		end();
		assertThat(replaced()).isTrue();
		assertThat(this.code.instructions()).filteredOn(Instruction.Move.class::isInstance)
			.filteredOn((move) -> ((Instruction.Move) move).to().equals(this.index))
			.extracting((move) -> ((Instruction.Move) move).from())
			.containsExactly(Constant.of(-1), Constant.of(-1), Constant.of(0), Constant.of(1));
		assertThat(this.code.instructions()).noneMatch(Instruction.Branch.class::isInstance)
			.endsWith(count(), new Instruction.Jump(this.exit));
	}

	@Test
	void variablesKeepTheirRegistersAndIntermediateResultsGetTheirOwn() {
		begin(Constant.ZERO, Constant.of(1));
		add(this.index);
		end();
		replaced();
		List<Instruction.Binary> added = this.code.instructions()
			.stream()
			.filter(Instruction.Binary.class::isInstance)
			.map(Instruction.Binary.class::cast)
			.filter((binary) -> binary.left().equals(this.sum))
			.toList();
		assertThat(added).hasSize(2).extracting(Instruction.Binary::to).doesNotHaveDuplicates();
		assertThat(this.code.instructions()).contains(new Instruction.Move(this.sum, added.get(0).to()),
				new Instruction.Move(this.sum, added.get(1).to()));
	}

	@Test
	void aVariableThatIsChangedInItsPlaceKeepsItsRegister() {
		this.code.move(this.sum, Constant.ZERO);
		begin(Constant.ZERO, Constant.of(1));
		Instruction increment = new Instruction.Binary(Operator.ADD, this.sum, this.sum, Constant.of(7));
		this.code.add(increment);
		end();
		replaced();
		assertThat(this.code.instructions()).filteredOn(increment::equals).hasSize(2);
	}

	@Test
	void aVariableThatAConditionSelectsKeepsItsRegister() {
		this.code.move(this.sum, Constant.ZERO);
		begin(Constant.ZERO, Constant.of(1));
		Register isZero = this.code.compare(Comparison.EQ, this.index, Constant.ZERO);
		this.code.add(new Instruction.Select(this.sum, isZero, Constant.of(3), Constant.of(4)));
		end();
		replaced();
		assertThat(this.code.instructions()).filteredOn(Instruction.Select.class::isInstance)
			.extracting((select) -> ((Instruction.Select) select).to())
			.containsExactly(this.sum, this.sum);
	}

	@Test
	void aLoopOfManyIterationsIsLeftAsItIs() {
		begin(Constant.ZERO, Constant.of(16));
		add(this.index);
		end();
		assertIsLeft();
	}

	@Test
	void aLoopWithoutALimitThatIsKnownIsLeftAsItIs() {
		begin(Constant.ZERO, this.sum);
		add(this.index);
		end();
		assertIsLeft();
	}

	@Test
	void aLoopThatIsBegunInTwoWaysIsLeftAsItIs() {
		begin(Constant.ZERO, Constant.of(1));
		add(this.index);
		this.code
			.add(new Instruction.Branch(this.code.compare(Comparison.EQ, this.sum, Constant.ZERO), true, this.head));
		add(this.index);
		end();
		assertIsLeft();
	}

	@Test
	void aLoopThatMovesItsIndexIsLeftAsItIs() {
		begin(Constant.ZERO, Constant.of(1));
		this.code.move(this.index, this.sum);
		end();
		assertIsLeft();
	}

	@Test
	void anIndexThatIsSetOnOneWayOnlyIsNotKnown() {
		this.code.move(this.index, Constant.ZERO);
		this.code.add(new Instruction.Mark(new Label()));
		mark(Constant.of(1));
		add(this.index);
		end();
		assertIsLeft();
	}

	private void assertIsLeft() {
		List<Instruction> before = List.copyOf(this.code.instructions());
		assertThat(replaced()).isFalse();
		assertThat(this.code.instructions()).isEqualTo(before);
	}

	private boolean replaced() {
		return ConstantLoop.replace(this.code, this.head);
	}

	private void begin(Constant first, Operand last) {
		this.code.move(this.index, first);
		mark(last);
	}

	private void mark(Operand last) {
		this.code.add(new Instruction.Mark(this.head));
		this.code.add(new Instruction.Branch(this.code.compare(Comparison.GT, this.index, last), true, this.exit));
	}

	private void add(Operand value) {
		this.code.move(this.sum, this.code.binary(Operator.ADD, this.sum, value));
	}

	private Instruction count() {
		return new Instruction.Binary(Operator.ADD, this.index, this.index, Constant.of(1));
	}

	private void end() {
		this.code.add(count());
	}

}
