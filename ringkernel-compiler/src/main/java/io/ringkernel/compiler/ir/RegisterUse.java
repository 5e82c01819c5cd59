package io.ringkernel.compiler.ir;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * The registers that instructions read and write.
 *
 * @since 0.2.0
 */
public final class RegisterUse {

	private RegisterUse() {
	}

	/** The registers that an instruction reads; one that is read twice is there twice. */
	public static List<Register> read(Instruction instruction) {
		return operands(instruction).filter(Register.class::isInstance).map(Register.class::cast).toList();
	}

	private static Stream<Operand> operands(Instruction instruction) {
		// @formatter:off
		if (instruction instanceof Instruction.Move move) {
			return Stream.of(move.from());
		}
		if (instruction instanceof Instruction.Binary binary) {
			return Stream.of(binary.left(), binary.right());
		}
		if (instruction instanceof Instruction.Unary unary) {
			return Stream.of(unary.from());
		}
		if (instruction instanceof Instruction.FusedMultiplyAdd fma) {
			return Stream.of(fma.left(), fma.right(), fma.addend());
		}
		if (instruction instanceof Instruction.Convert convert) {
			return Stream.of(convert.from());
		}
		if (instruction instanceof Instruction.Compare compare) {
			return Stream.of(compare.left(), compare.right());
		}
		if (instruction instanceof Instruction.Select select) {
			return Stream.of(select.predicate(), select.yes(), select.no());
		}
		if (instruction instanceof Instruction.Load load) {
			return Stream.of(load.base());
		}
		if (instruction instanceof Instruction.Branch branch) {
			return Stream.of(branch.predicate());
		}
		if (instruction instanceof Instruction.Store store) {
			return Stream.concat(Stream.of(store.base(), store.value()), Stream.ofNullable(store.guard()));
		}
		if (instruction instanceof Instruction.Atomic atomic) {
			return Stream.concat(Stream.of(atomic.base(), atomic.operand()), Stream.concat(Stream.ofNullable(atomic.replacement()), Stream.ofNullable(atomic.guard())));
		}
		if (instruction instanceof Instruction.Call call) {
			return call.arguments().stream();
		}
		if (instruction instanceof Instruction.Vote vote) {
			return Stream.of(vote.predicate());
		}
		if (instruction instanceof Instruction.Clear clear) {
			return Stream.of(clear.base(), clear.bytes());
		}
		if (instruction instanceof Instruction.Return end) {
			return end.values().stream();
		}
		// @formatter:on
		return (instruction instanceof Instruction.Shuffle shuffle) ? Stream.of(shuffle.from()) : Stream.empty();
	}

	/** The registers that straight code writes, in order. */
	public static Set<Register> written(List<Instruction> instructions) {
		return instructions.stream()
			.filter(Instruction.Writing.class::isInstance)
			.map((instruction) -> ((Instruction.Writing) instruction).to())
			.collect(Collectors.toCollection(LinkedHashSet::new));
	}

	/** The register that straight code writes; {@code null} if there is none. */
	public static @Nullable Register written(Instruction instruction) {
		return (instruction instanceof Instruction.Writing writing) ? writing.to() : null;
	}

}
