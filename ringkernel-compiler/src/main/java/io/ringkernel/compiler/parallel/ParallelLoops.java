package io.ringkernel.compiler.parallel;

import java.util.List;

import io.ringkernel.compiler.ir.AtomicOperation;
import io.ringkernel.compiler.ir.Code;
import io.ringkernel.compiler.ir.Comparison;
import io.ringkernel.compiler.ir.Constant;
import io.ringkernel.compiler.ir.Instruction;
import io.ringkernel.compiler.ir.MemoryType;
import io.ringkernel.compiler.ir.Operand;
import io.ringkernel.compiler.ir.Operator;
import io.ringkernel.compiler.ir.Register;
import io.ringkernel.compiler.translation.ArrayElements;
import io.ringkernel.compiler.translation.Compilation;
import io.ringkernel.compiler.translation.Lane;
import io.ringkernel.compiler.translation.LaneLoop;
import io.ringkernel.compiler.translation.Translation;
import io.ringkernel.compiler.value.Value;
import org.jspecify.annotations.Nullable;

/**
 * The calls of {@code Parallel}. The threads of the worker share the indices; in the body
 * of such a loop, a range and a reduction are loops of the thread.
 *
 * @since 0.2.0
 */
public final class ParallelLoops {

	private static final String ATOMIC = "atomic";

	private final Compilation compilation;

	private final Translation translation;

	private final Code code;

	private final Lambdas lambdas;

	public ParallelLoops(Compilation compilation, Lambdas lambdas) {
		this.compilation = compilation;
		this.translation = compilation.translation();
		this.code = this.translation.code();
		this.lambdas = lambdas;
	}

	/** Whether a method of {@code Parallel} is none that is translated as it is. */
	public static boolean isOne(String name) {
		return name.startsWith(ATOMIC) || LockedPart.isOne(name)
				|| name.matches("range|gridRange|(sum|min|max|reduce)(Int|Long|Float|Double)");
	}

	public @Nullable Value call(String name, List<Value> arguments) {
		if (name.startsWith(ATOMIC)) {
			return Value.of(atomic(name, arguments));
		}
		if (LockedPart.isOne(name)) {
			return new LockedPart(this.compilation, this.lambdas).call(name, arguments);
		}
		// A negative count is none.
		Operand count = this.code.binary(Operator.MAX, arguments.get(0).scalar(), Constant.ZERO);
		boolean isShared = name.equals("gridRange");
		if (isShared && !this.translation.isParallel() && this.translation.assistance().want()) {
			new GridLoop(this.translation).add(count,
					(index) -> this.lambdas.run(arguments.get(1), List.of(Value.of(index))));
			return null;
		}
		if (isShared || name.equals("range")) {
			range(count, arguments.get(1));
			return null;
		}
		return new Reductions(this.translation, this.lambdas).call(name, count, arguments);
	}

	private Register atomic(String name, List<Value> arguments) {
		return switch (name) {
			case "atomicAdd" -> step(AtomicOperation.ADD, arguments, null);
			case "atomicMax" -> step(AtomicOperation.MAX, arguments, null);
			default -> {
				Register before = step(AtomicOperation.COMPARE_AND_SET, arguments, arguments.get(3).scalar());
				Register wasExpected = this.code.compare(Comparison.EQ, before, arguments.get(2).scalar());
				yield this.code.select(wasExpected, Constant.of(1), Constant.ZERO);
			}
		};
	}

	/**
	 * What the element was before. Outside parallel parts, one thread makes the step for
	 * all.
	 */
	private Register step(AtomicOperation operation, List<Value> arguments, @Nullable Operand replacement) {
		Value array = arguments.get(0);
		ArrayElements.requireChanging(this.translation, array);
		MemoryType element = ArrayElements.type(array);
		Register address = ArrayElements.address(this.translation, array, arguments.get(1).scalar());
		Register before = this.code.register(element.type());
		this.code.add(new Instruction.Atomic(operation, element, before, address, arguments.get(2).scalar(),
				replacement, this.translation.state().holds(array), this.translation.guard()));
		return this.translation.agreed(element, before);
	}

	private void range(Operand count, Value body) {
		if (this.translation.isParallel()) {
			LaneLoop loop = new LaneLoop(this.code, Constant.ZERO, count, Constant.of(1));
			loop.add(() -> this.lambdas.run(body, List.of(Value.of(loop.index()))));
			return;
		}
		this.code.add(new Instruction.Parallel(true));
		LaneLoop loop = LaneLoop.ofThreads(this.translation, count);
		Lane work = new Lane(loop.index(), loop.behind(), this.translation.failures().ofThread());
		Runnable each = () -> this.translation.inParallel(work,
				() -> this.lambdas.run(body, List.of(Value.of(loop.index()))));
		if (this.translation.block() != null) {
			// It may see what a thread that fails has not come to.
			loop.add(each);
		}
		else {
			loop.add(each, this.translation.failures()::isExit);
		}
		this.code.add(new Instruction.Parallel(false));
		if (work.fails()) {
			this.translation.failures().meet();
		}
	}

}
