package io.ringkernel.compiler.classfile;

import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.analysis.Analyzer;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.Frame;
import org.objectweb.asm.tree.analysis.SourceInterpreter;
import org.objectweb.asm.tree.analysis.SourceValue;

/**
 * Where ways of a method meet, also those that lead back, and bring values of different
 * origins.
 *
 * @since 0.2.0
 */
public final class Merges {

	private final Method method;

	private final Frame<SourceValue>[] frames;

	public Merges(Method method) {
		this.method = method;
		try {
			this.frames = new Analyzer<>(new Origins()).analyze(method.owner().name, method.node());
		}
		catch (AnalyzerException ex) {
			throw new IllegalStateException("The code of %s.%s is invalid".formatted(method.className(), method.name()),
					ex);
		}
	}

	/** Whether a local has values of different origins. */
	public boolean ofLocal(LabelNode label, int local) {
		Frame<SourceValue> frame = frame(label);
		return frame != null && frame.getLocal(local).insns.size() > 1;
	}

	/** Whether a place of the stack has, which is counted from the deepest value. */
	public boolean ofStack(LabelNode label, int at) {
		Frame<SourceValue> frame = frame(label);
		return frame != null && at < frame.getStackSize() && frame.getStack(at).insns.size() > 1;
	}

	private @Nullable Frame<SourceValue> frame(LabelNode label) {
		return this.frames[this.method.node().instructions.indexOf(label)];
	}

	/** What the method is called with is an origin as well. */
	private static final class Origins extends SourceInterpreter {

		Origins() {
			super(Opcodes.ASM9);
		}

		@Override
		public SourceValue newParameterValue(boolean isInstance, int local, Type type) {
			AbstractInsnNode call = new LabelNode();
			return new SourceValue(type.getSize(), call);
		}

	}

}
