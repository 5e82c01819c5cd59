package io.ringkernel.compiler.bytecode;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.ringkernel.compiler.classfile.Method;
import io.ringkernel.compiler.ir.Label;
import io.ringkernel.compiler.ir.Register;
import io.ringkernel.compiler.translation.FinallyBlock;
import io.ringkernel.compiler.translation.Translation;
import io.ringkernel.compiler.value.Shape;
import io.ringkernel.compiler.value.Value;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.TryCatchBlockNode;

/**
 * The {@code finally} blocks of a method: which of them is done with what is thrown
 * depends on the instruction that throws it.
 */
final class FinallyBlocks {

	private final Translation translation;

	private final Method method;

	private final StackFrame frame;

	/** What is done with what the method throws itself. */
	private final @Nullable FinallyBlock outer;

	private final Map<LabelNode, FinallyBlock> blocks = new HashMap<>();

	private boolean isRefused;

	FinallyBlocks(Translation translation, Method method, StackFrame frame) {
		this.translation = translation;
		this.method = method;
		this.frame = frame;
		this.outer = translation.block();
	}

	/**
	 * Refuses what is no {@code finally} block, and a method that is synchronized as a
	 * whole: the workers of a device have no monitors. Nothing leads to the blocks of a
	 * method then.
	 */
	void require() {
		if ((this.method.node().access & Opcodes.ACC_SYNCHRONIZED) != 0) {
			this.translation.line(Method.line(this.method.node().instructions.getFirst()));
			this.translation.refusals()
				.add(this.translation.refuse("%s is synchronized".formatted(this.method.name()),
						"Use the atomic operations of Parallel, or set compile to 'off'."));
		}
		boolean locks = Stream.of(this.method.node().instructions.toArray())
			.anyMatch((instruction) -> instruction.getOpcode() == Opcodes.MONITORENTER);
		for (TryCatchBlockNode block : this.method.node().tryCatchBlocks) {
			if (locks || block.type != null) {
				this.isRefused = true;
				this.translation.line(Method.line(block.start));
				this.translation.refusals()
					.add(this.translation.refuse("%s has a catch or synchronized block".formatted(this.method.name()),
							"Let the exception fail the request; a finally block is possible."));
			}
		}
	}

	private List<TryCatchBlockNode> tries() {
		return this.isRefused ? List.of() : this.method.node().tryCatchBlocks;
	}

	/** The code that follows is behind a label, where a block may begin. */
	void arrive(LabelNode label) {
		this.translation.guard(guarding(label));
		FinallyBlock begun = this.blocks.get(label);
		if (begun != null) {
			this.translation.code().mark(begun.label());
		}
	}

	/** The first of those that guard what is behind a label is the innermost. */
	private @Nullable FinallyBlock guarding(LabelNode label) {
		InsnList instructions = this.method.node().instructions;
		int at = instructions.indexOf(label);
		for (TryCatchBlockNode guarded : tries()) {
			if (instructions.indexOf(guarded.start) <= at && at < instructions.indexOf(guarded.end)) {
				return this.blocks.computeIfAbsent(guarded.handler, this::block);
			}
		}
		return this.outer;
	}

	private FinallyBlock block(LabelNode handler) {
		Value thrown = Value.fresh(new Shape.Thrown(), this.translation.code());
		return new FinallyBlock(new Label(), (Register) thrown.scalar(), this.translation.work(),
				this.translation.failures().held(), () -> reach(handler, thrown));
	}

	private void reach(LabelNode handler, Value thrown) {
		if (!this.frame.reach(handler.getLabel(), thrown)) {
			throw this.translation.refuse(
					"%s has a finally block in front of what it guards".formatted(this.method.name()),
					"Compile it with javac.");
		}
	}

}
