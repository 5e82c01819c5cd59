package io.ringkernel.compiler.pass;

import java.util.List;
import java.util.stream.IntStream;

import io.ringkernel.compiler.ir.Code;
import io.ringkernel.compiler.ir.Comparison;
import io.ringkernel.compiler.ir.Constant;
import io.ringkernel.compiler.ir.Conversion;
import io.ringkernel.compiler.ir.Instruction;
import io.ringkernel.compiler.ir.Label;
import io.ringkernel.compiler.ir.MemoryType;
import io.ringkernel.compiler.ir.Operator;
import io.ringkernel.compiler.ir.Register;
import io.ringkernel.compiler.ir.RegisterType;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which loops take several indices at a time, and what is made for them.
 */
class UnrolledLoopTests {

	private final Code code = new Code();

	private final Register index = this.code.register(RegisterType.INT);

	private final Register length = this.code.register(RegisterType.INT);

	private final Register array = this.code.register(RegisterType.ADDRESS);

	private final Register sum = this.code.register(RegisterType.INT);

	private final Label head = new Label();

	private final Label exit = new Label();

	@Test
	void thirtyTwoElementsAreLoadedTogetherAndThenFour() {
		begin();
		add(load(this.index));
		end();
		assertThat(offsets(unrolled())).containsExactly(together(32, 4));
	}

	@Test
	void sixteenElementsAreLoadedTogetherIfThereIsSomethingToDoWithEach() {
		begin();
		Register value = load(this.index);
		for (int i = 0; i < 4; i++) {
			add(value);
		}
		end();
		assertThat(offsets(unrolled())).containsExactly(together(16, 4));
	}

	private static Integer[] together(int... widths) {
		return IntStream.of(widths)
			.flatMap((width) -> IntStream.range(0, width).map((i) -> 4 * i))
			.boxed()
			.toArray(Integer[]::new);
	}

	@Test
	void fourElementsAreLoadedTogetherIfThereIsMuchToDoWithEach() {
		begin();
		Register value = load(this.index);
		for (int i = 0; i < 20; i++) {
			add(value);
		}
		end();
		assertThat(offsets(unrolled())).containsExactly(0, 4, 8, 12);
	}

	private static List<Integer> offsets(List<Instruction> code) {
		return code.stream()
			.filter(Instruction.Load.class::isInstance)
			.map((load) -> ((Instruction.Load) load).offset())
			.toList();
	}

	@Test
	void theSumIsMadeInOrder() {
		begin();
		add(load(this.index));
		end();
		assertThat(unrolled()).filteredOn(Instruction.Move.class::isInstance)
			.extracting((move) -> ((Instruction.Move) move).to())
			.hasSize(36)
			.containsOnly(this.sum);
	}

	@Test
	void aVariableThatAConditionSelectsHasTheValueOfTheLastIndex() {
		Register chosen = this.code.copy(Constant.ZERO);
		begin();
		Register isZero = this.code.compare(Comparison.EQ, load(this.index), Constant.ZERO);
		this.code.add(new Instruction.Select(chosen, isZero, Constant.of(3), Constant.of(4)));
		end();
		assertThat(unrolled()).filteredOn(Instruction.Move.class::isInstance)
			.extracting((move) -> ((Instruction.Move) move).to())
			.containsExactly(chosen, chosen, chosen);
	}

	@Test
	void nothingIsCheckedInTheLoopButItsEnd() {
		Register base = this.code.register(RegisterType.INT);
		begin();
		add(load(this.code.binary(Operator.ADD, base, this.index)));
		end();
		assertThat(checksInTheLoop(unrolled())).isOne();
	}

	/** Of the narrower one of the two. */
	private static long checksInTheLoop(List<Instruction> unrolled) {
		List<Instruction> marks = unrolled.stream().filter(Instruction.Mark.class::isInstance).toList();
		int loop = unrolled.indexOf(marks.get(marks.size() - 2));
		return unrolled.subList(loop, unrolled.size()).stream().filter(Instruction.Branch.class::isInstance).count();
	}

	@Test
	void elementsAtEvenDistancesAreLoadedTogetherWithoutAnAddressEach() {
		begin();
		add(load(this.code.binary(Operator.ADD, this.code.register(RegisterType.INT),
				this.code.binary(Operator.MUL, this.index, Constant.of(32)))));
		end();
		List<Instruction> unrolled = unrolled();
		assertThat(offsets(unrolled)).startsWith(0, 128, 256, 384).endsWith(0, 128, 256, 384);
		assertThat(checksInTheLoop(unrolled)).isOne();
	}

	@Test
	void elementsAtADistanceThatIsKnownBeforeTheLoopAreNotCheckedInIt() {
		begin();
		add(load(this.code.binary(Operator.MUL, this.code.register(RegisterType.INT), this.index)));
		end();
		List<Instruction> unrolled = unrolled();
		assertThat(unrolled).filteredOn(Instruction.Load.class::isInstance).hasSize(36);
		assertThat(checksInTheLoop(unrolled)).isOne();
	}

	@Test
	void anIndexThatDependsOnTheOneBeforeIsLoadedByTheLoop() {
		begin();
		add(load(this.sum));
		end();
		assertThat(unrolled()).isEmpty();
	}

	@Test
	void aLoopThatStoresIsLeftAsItIs() {
		begin();
		Register value = load(this.index);
		this.code.add(new Instruction.Store(MemoryType.INT, this.array, 0, value, true, null));
		end();
		assertThat(unrolled()).isEmpty();
	}

	@Test
	void aLoopThatIsLeftByItsSumIsLeftAsItIs() {
		begin();
		add(load(this.index));
		this.code
			.add(new Instruction.Branch(this.code.compare(Comparison.GT, this.sum, Constant.ZERO), true, this.exit));
		end();
		assertThat(unrolled()).isEmpty();
	}

	@Test
	void aLoopWithoutALimitIsLeftAsItIs() {
		this.code.add(new Instruction.Mark(this.head));
		Register value = this.code.register(RegisterType.INT);
		this.code.add(new Instruction.Load(MemoryType.INT, value, this.array, 0, true));
		add(value);
		end();
		assertThat(unrolled()).isEmpty();
	}

	private void begin() {
		this.code.add(new Instruction.Mark(this.head));
		leaveIf(Comparison.GE, this.index);
	}

	private void leaveIf(Comparison comparison, Register index) {
		Register isBehind = this.code.compare(comparison, index, this.length);
		this.code.add(new Instruction.Branch(isBehind, true, this.exit));
	}

	private Register load(Register at) {
		leaveIf(Comparison.NOT_BELOW, at);
		Register offset = this.code.convert(Conversion.OFFSET, RegisterType.ADDRESS, at);
		Register scaled = this.code.binary(Operator.SHL, offset, Constant.of(2));
		Register value = this.code.register(RegisterType.INT);
		this.code.add(new Instruction.Load(MemoryType.INT, value, this.code.binary(Operator.ADD, this.array, scaled), 0,
				true));
		return value;
	}

	private void add(Register value) {
		this.code.move(this.sum, this.code.binary(Operator.ADD, this.sum, value));
	}

	private void end() {
		this.code.add(new Instruction.Binary(Operator.ADD, this.index, this.index, Constant.of(1)));
	}

	/** What is put in front of the loop. */
	private List<Instruction> unrolled() {
		UnrolledLoop.addBefore(this.code, this.head);
		List<Instruction> instructions = this.code.instructions();
		return instructions.subList(0, instructions.indexOf(new Instruction.Mark(this.head)));
	}

}
