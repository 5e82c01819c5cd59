package io.ringkernel.compiler.parallel;

import java.util.List;

import io.ringkernel.compiler.ir.AtomicOperation;
import io.ringkernel.compiler.ir.Comparison;
import io.ringkernel.compiler.ir.Constant;
import io.ringkernel.compiler.ir.Instruction;
import io.ringkernel.compiler.ir.MemoryType;
import io.ringkernel.compiler.ir.Operand;
import io.ringkernel.compiler.ir.Register;
import io.ringkernel.compiler.translation.ArrayElements;
import io.ringkernel.compiler.translation.Translation;
import io.ringkernel.compiler.value.Value;
import org.jspecify.annotations.Nullable;

/**
 * The atomic operations of {@code Parallel}. Outside parallel parts, one thread makes the
 * step for all.
 */
record AtomicAccess(Translation translation) {

	static boolean isOne(String name) {
		return name.startsWith("atomic");
	}

	/** Translates an operation: its arguments are array, index and operands. */
	Value call(String name, List<Value> arguments) {
		return switch (name) {
			case "atomicAdd" -> Value.of(step(AtomicOperation.ADD, arguments, null));
			case "atomicMax" -> Value.of(step(AtomicOperation.MAX, arguments, null));
			default -> {
				Register before = step(AtomicOperation.COMPARE_AND_SET, arguments, arguments.get(3).scalar());
				Register wasExpected = this.translation.code()
					.compare(Comparison.EQ, before, arguments.get(2).scalar());
				yield Value.of(this.translation.code().select(wasExpected, Constant.of(1), Constant.ZERO));
			}
		};
	}

	/** What the element was before. */
	private Register step(AtomicOperation operation, List<Value> arguments, @Nullable Operand replacement) {
		Value array = arguments.get(0);
		ArrayElements.requireChanging(this.translation, array);
		MemoryType element = ArrayElements.type(array);
		Register address = ArrayElements.address(this.translation, array, arguments.get(1).scalar());
		Register before = this.translation.code().register(element.type());
		this.translation.code()
			.add(new Instruction.Atomic(operation, element, before, address, arguments.get(2).scalar(), replacement,
					this.translation.state().holds(array), this.translation.guard()));
		return this.translation.agreed(element, before);
	}

}
