package io.ringkernel.compiler.classfile;

import org.jspecify.annotations.Nullable;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.analysis.Frame;
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
		this.frames = method.frames(new Origins());
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

}
