package io.ringkernel.compiler.call;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.ringkernel.compiler.classfile.Classes;
import io.ringkernel.compiler.classfile.ControlFlow;
import io.ringkernel.compiler.classfile.Method;
import io.ringkernel.message.Field;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.analysis.Analyzer;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.Frame;
import org.objectweb.asm.tree.analysis.SourceInterpreter;
import org.objectweb.asm.tree.analysis.SourceValue;

/**
 * Which arrays that a method makes become arrays of the response: they are made where the
 * response is sent from. Such an array is made once, and goes to one component.
 *
 * @since 0.2.0
 */
public final class ResponseArrays {

	private final Classes classes;

	private final Method method;

	private final ControlFlow ways;

	private final Frame<SourceValue>[] frames;

	public ResponseArrays(Classes classes, Method method) {
		this.classes = classes;
		this.method = method;
		this.ways = new ControlFlow(method.node());
		try {
			this.frames = new Analyzer<>(new Origins()).analyze(method.owner().name, method.node());
		}
		catch (AnalyzerException ex) {
			throw new IllegalStateException(
					"The code of %s.%s is invalid".formatted(method.className(), method.node().name), ex);
		}
	}

	/**
	 * The instructions that make what the method returns, which is an array of the
	 * response.
	 */
	Map<AbstractInsnNode, Field> returned(Field member) {
		Map<AbstractInsnNode, Field> made = new HashMap<>();
		returned().forEach((origin) -> made.put(origin, member));
		return made;
	}

	/**
	 * The instructions that make arrays of the response, each with its component.
	 * @param response the class of the response
	 * @param fields its components
	 */
	public Map<AbstractInsnNode, Field> ofResponse(String response, List<Field> fields) {
		Map<AbstractInsnNode, Field> made = new HashMap<>();
		for (int i = 0; i < fields.size(); i++) {
			Set<AbstractInsnNode> origins = origins(response, i, fields.size());
			if (isArray(fields.get(i)) && isMadeOnce(origins) && origins.stream().noneMatch(made::containsKey)) {
				for (AbstractInsnNode origin : origins) {
					made.put(origin, fields.get(i));
				}
			}
		}
		return made;
	}

	private static boolean isArray(Field field) {
		return field.shape() != Field.Shape.SINGLE && field.kind() != Field.Kind.RECORD
				&& field.kind() != Field.Kind.STRING && !field.optional();
	}

	/** What a component is set to wherever a response is made. */
	private Set<AbstractInsnNode> origins(String response, int component, int components) {
		Set<AbstractInsnNode> origins = new HashSet<>();
		for (AbstractInsnNode instruction : this.method.node().instructions) {
			Frame<SourceValue> frame = frame(instruction);
			if (frame != null && instruction instanceof MethodInsnNode call && call.name.equals("<init>")
					&& call.owner.equals(response) && Type.getArgumentTypes(call.desc).length == components) {
				origins.addAll(frame.getStack(frame.getStackSize() - components + component).insns);
			}
		}
		return origins;
	}

	/** Whether what the method returns is one array that it makes. */
	boolean isReturnedOneMade() {
		return isMadeOnce(returned());
	}

	private Set<AbstractInsnNode> returned() {
		Set<AbstractInsnNode> origins = new HashSet<>();
		for (AbstractInsnNode instruction : this.method.node().instructions) {
			Frame<SourceValue> frame = frame(instruction);
			if (frame != null && instruction.getOpcode() == Opcodes.ARETURN) {
				origins.addAll(frame.getStack(frame.getStackSize() - 1).insns);
			}
		}
		return origins;
	}

	private @Nullable Frame<SourceValue> frame(AbstractInsnNode instruction) {
		return this.frames[this.method.node().instructions.indexOf(instruction)];
	}

	/** Whether a run of the method does one of these at most, and it makes an array. */
	private boolean isMadeOnce(Set<AbstractInsnNode> origins) {
		return !origins.isEmpty()
				&& origins.stream()
					.allMatch((origin) -> origin.getOpcode() == Opcodes.NEWARRAY || ArrayMethods.isMaking(origin)
							|| isMaking(origin))
				&& origins.stream()
					.noneMatch((origin) -> origins.stream().anyMatch((other) -> this.ways.leads(origin, other)));
	}

	/** Whether a call returns an array that it makes. */
	private boolean isMaking(AbstractInsnNode origin) {
		if (!(origin instanceof MethodInsnNode call)) {
			return false;
		}
		Method called = this.classes.method(call.owner, call.name, call.desc);
		if (called == null || called.node().equals(this.method.node()) || called.isPlatform()) {
			return false;
		}
		return new ResponseArrays(this.classes, called).isReturnedOneMade();
	}

	/** What makes a value, wherever it is moved. */
	private static final class Origins extends SourceInterpreter {

		Origins() {
			super(Opcodes.ASM9);
		}

		@Override
		public SourceValue copyOperation(AbstractInsnNode instruction, SourceValue value) {
			return value;
		}

		@Override
		public SourceValue unaryOperation(AbstractInsnNode instruction, SourceValue value) {
			return (instruction.getOpcode() == Opcodes.CHECKCAST) ? value : super.unaryOperation(instruction, value);
		}

	}

}
