package io.ringkernel.compiler.call;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.ringkernel.compiler.classfile.Classes;
import io.ringkernel.compiler.classfile.ControlFlow;
import io.ringkernel.compiler.classfile.Method;
import io.ringkernel.compiler.classfile.Origins;
import io.ringkernel.message.Field;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.VarInsnNode;
import org.objectweb.asm.tree.analysis.Frame;
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
		this.frames = method.frames(new Moved());
	}

	/** The instructions that make what the method returns, an array of the response. */
	Map<AbstractInsnNode, Field> returned(Field member) {
		return returned().stream().collect(Collectors.toMap(Function.identity(), (origin) -> member));
	}

	/**
	 * The instructions that make arrays of the response, each with its component: none
	 * unless the method makes each response that it returns, and by the constructor that
	 * takes the components.
	 */
	public Map<AbstractInsnNode, Field> ofResponse(String response, List<Field> fields) {
		Map<AbstractInsnNode, Field> made = new HashMap<>();
		Method constructor = constructor(response);
		if (constructor == null || !returned().stream().allMatch((origin) -> origin.getOpcode() == Opcodes.NEW)) {
			return made;
		}
		int local = 1;
		for (int i = 0; i < fields.size(); i++) {
			Field field = fields.get(i);
			Set<AbstractInsnNode> origins = origins(response, i, fields.size());
			if (isArray(field) && sets(constructor, field.name(), local) && isMadeOnce(origins)
					&& origins.stream().noneMatch(made::containsKey)) {
				origins.forEach((origin) -> made.put(origin, field));
			}
			local += Type.getArgumentTypes(constructor.node().desc)[i].getSize();
		}
		return made;
	}

	/**
	 * The constructor that takes the components; {@code null} if the method calls another
	 * one.
	 */
	private @Nullable Method constructor(String response) {
		ClassNode type = this.classes.find(response);
		if (type == null) {
			return null;
		}
		String descriptor = type.recordComponents.stream()
			.map((component) -> component.descriptor)
			.collect(Collectors.joining("", "(", ")V"));
		for (AbstractInsnNode instruction : this.method.node().instructions) {
			if (isConstructing(instruction, response) && !((MethodInsnNode) instruction).desc.equals(descriptor)) {
				return null;
			}
		}
		return this.classes.method(response, "<init>", descriptor);
	}

	private static boolean isConstructing(AbstractInsnNode instruction, String response) {
		return instruction instanceof MethodInsnNode call && call.name.equals("<init>") && call.owner.equals(response);
	}

	/** Whether a constructor sets a component to what it is called with. */
	private static boolean sets(Method constructor, String component, int local) {
		for (AbstractInsnNode instruction : constructor.node().instructions) {
			if (instruction.getOpcode() == Opcodes.PUTFIELD && ((FieldInsnNode) instruction).name.equals(component)
					&& !(instruction.getPrevious() instanceof VarInsnNode access && access.var == local)) {
				return false;
			}
		}
		return constructor.assignments(local) == 0;
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
			if (frame != null && isConstructing(instruction, response)) {
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
		Method called = (origin instanceof MethodInsnNode call) ? this.classes.method(call.owner, call.name, call.desc)
				: null;
		return called != null && !called.node().equals(this.method.node()) && !called.isPlatform()
				&& new ResponseArrays(this.classes, called).isReturnedOneMade();
	}

	/** What makes a value, wherever it is moved. */
	private static final class Moved extends Origins {

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
