package io.ringkernel.compiler.bytecode;

import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

import io.ringkernel.compiler.classfile.Classes;
import io.ringkernel.compiler.classfile.Method;
import io.ringkernel.compiler.value.Shape;
import io.ringkernel.compiler.value.Value;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.VarInsnNode;
import org.objectweb.asm.tree.analysis.Frame;
import org.objectweb.asm.tree.analysis.SourceInterpreter;
import org.objectweb.asm.tree.analysis.SourceValue;

/**
 * The messages of exceptions. An exception of the JDK takes its message first. Another
 * one hands a message on to the class that it extends; what it computes is left out.
 */
record ThrownMessages(Classes classes) {

	private static final Value LEFT_OUT = Value.of(new Shape.Opaque("a message"));

	/** What becomes the message of an exception: no text if it has none. */
	Value of(MethodInsnNode constructor, List<Value> arguments) {
		Method message = this.classes.resolve(constructor.owner, "getMessage", "()Ljava/lang/String;");
		boolean isOwn = message != null && !message.isPlatform();
		return isOwn ? LEFT_OUT : handedOn(constructor, arguments);
	}

	private Value handedOn(MethodInsnNode constructor, List<Value> arguments) {
		if (constructor.owner.startsWith("java/")) {
			return arguments.isEmpty() ? LEFT_OUT : arguments.get(0);
		}
		Method method = this.classes.method(constructor.owner, constructor.name, constructor.desc);
		if (method == null) {
			return LEFT_OUT;
		}
		Frame<SourceValue>[] frames = method.frames(new SourceInterpreter());
		for (int i = 0; i < frames.length; i++) {
			if (frames[i] != null && method.node().instructions.get(i) instanceof MethodInsnNode call
					&& call.name.equals("<init>")) {
				List<SourceValue> taken = taken(frames[i], Type.getArgumentTypes(call.desc).length + 1);
				if (origin(taken.get(0)) instanceof VarInsnNode access && access.var == 0) {
					return handedOn(call,
							taken.stream().skip(1).map((value) -> value(value, method, arguments)).toList());
				}
			}
		}
		return LEFT_OUT;
	}

	/** What a call takes from the stack, beginning with the object. */
	private static List<SourceValue> taken(Frame<SourceValue> frame, int count) {
		return IntStream.range(frame.getStackSize() - count, frame.getStackSize()).mapToObj(frame::getStack).toList();
	}

	private static @Nullable AbstractInsnNode origin(SourceValue value) {
		Set<AbstractInsnNode> origins = value.insns;
		return (origins.size() == 1) ? origins.iterator().next() : null;
	}

	/** A constant, or an argument of the constructor. */
	private static Value value(SourceValue handedOn, Method constructor, List<Value> arguments) {
		AbstractInsnNode origin = origin(handedOn);
		if (origin instanceof LdcInsnNode constant && constant.cst instanceof String text) {
			return Value.of(new Shape.Text(text, true));
		}
		if (origin instanceof VarInsnNode access && access.getOpcode() == Opcodes.ALOAD
				&& constructor.assignments(access.var) == 0) {
			int local = 1;
			for (int i = 0; i < arguments.size(); i++) {
				if (local == access.var) {
					return arguments.get(i);
				}
				local += Type.getArgumentTypes(constructor.node().desc)[i].getSize();
			}
		}
		return LEFT_OUT;
	}

}
