package io.ringkernel.compiler.bytecode;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.ringkernel.compiler.classfile.ControlFlow;
import io.ringkernel.compiler.classfile.Merges;
import io.ringkernel.compiler.classfile.Method;
import io.ringkernel.compiler.translation.Constants;
import io.ringkernel.compiler.translation.Translation;
import io.ringkernel.compiler.value.Value;
import org.objectweb.asm.tree.LabelNode;

/**
 * The ways of a method to its labels. Where ways meet, what is known of a value is what
 * is known on all of them. Of a text, it need not be known which one it is.
 */
final class Meetings {

	private final Translation translation;

	private final Method method;

	private final StackFrame frame;

	private final Locals locals;

	private final ControlFlow ways;

	/** Where nothing led when they were passed. */
	private final Set<LabelNode> skipped = new HashSet<>();

	Meetings(Translation translation, Method method, StackFrame frame, Locals locals) {
		this.translation = translation;
		this.method = method;
		this.frame = frame;
		this.locals = locals;
		this.ways = new ControlFlow(method.node());
	}

	/** Nothing leads to a label that is passed. */
	void skip(LabelNode label) {
		this.skipped.add(label);
	}

	/** The way goes on at a label. */
	void leaveTo(LabelNode label) {
		if (this.skipped.contains(label)) {
			throw this.translation.refuse("%s begins a loop in its middle".formatted(this.method.name()),
					"Compile it with javac.");
		}
		placeTexts(label);
		for (int local : this.frame.changedSince(label.getLabel())) {
			if (this.ways.reads(label, local)) {
				throw this.translation.refuse("%s is given another text, function, exception or object in a loop"
					.formatted(this.locals.named(local, label)), "Let a number change in the loop, and branch on it.");
			}
		}
		if (!this.frame.leaveTo(label.getLabel())) {
			throw this.translation.refuse("two ways lead to values of different kinds", "Use the same kind in both.");
		}
	}

	/** A text that is another one on another way lies in memory. */
	private void placeTexts(LabelNode label) {
		List<Value> stack = this.frame.stack();
		for (int i = 0; i < stack.size(); i++) {
			if (Constants.hasText(stack.get(i)) && merges().ofStack(label, i)) {
				this.frame.replace(i, this.translation.constants().placed(stack.get(i)));
			}
		}
		this.frame.locals().forEach((local, value) -> {
			if (Constants.hasText(value) && merges().ofLocal(label, local) && this.ways.reads(label, local)) {
				this.frame.store(local, this.translation.constants().placed(value));
			}
		});
	}

	private Merges merges() {
		return this.translation.merges(this.method);
	}

}
