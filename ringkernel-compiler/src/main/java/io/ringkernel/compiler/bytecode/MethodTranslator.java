package io.ringkernel.compiler.bytecode;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

import io.ringkernel.compiler.call.Invocations;
import io.ringkernel.compiler.classfile.Called;
import io.ringkernel.compiler.classfile.ControlFlow;
import io.ringkernel.compiler.classfile.Jumps;
import io.ringkernel.compiler.classfile.Method;
import io.ringkernel.compiler.ir.Code;
import io.ringkernel.compiler.ir.Comparison;
import io.ringkernel.compiler.ir.Constant;
import io.ringkernel.compiler.ir.Instruction;
import io.ringkernel.compiler.ir.Label;
import io.ringkernel.compiler.ir.Operand;
import io.ringkernel.compiler.ir.Register;
import io.ringkernel.compiler.pass.ConstantLoop;
import io.ringkernel.compiler.pass.Selections;
import io.ringkernel.compiler.pass.UnrolledLoop;
import io.ringkernel.compiler.translation.Compilation;
import io.ringkernel.compiler.translation.Translation;
import io.ringkernel.compiler.value.Shape;
import io.ringkernel.compiler.value.Value;
import io.ringkernel.exception.HandlerRefusedException;
import io.ringkernel.message.Field;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.IincInsnNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.LookupSwitchInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MultiANewArrayInsnNode;
import org.objectweb.asm.tree.TableSwitchInsnNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Translates a method where it is called: its instructions in order, each by its opcode.
 */
final class MethodTranslator {

	private final Translation translation;

	private final Code code;

	private final Method method;

	private final StackFrame frame;

	private final Arithmetic arithmetic;

	private final Conditions conditions;

	private final ArrayAccess arrays;

	private final ObjectAccess objects;

	private final Invocations invocations;

	private final FinallyBlocks finallyBlocks;

	private final Recovery recovery;

	private final Locals locals;

	private final Meetings meetings;

	/** Which arrays that the method makes are those of the response. */
	private final Map<AbstractInsnNode, Field> inResponse;

	private final Map<LabelNode, Label> labels = new HashMap<>();

	private final Jumps jumps;

	/** Where a single branch leads. */
	private final Set<Label> alternatives = new HashSet<>();

	private final Label end = new Label();

	private @Nullable Value result;

	/** Whether the instruction before goes on to the next one. */
	private boolean isReached = true;

	private MethodTranslator(Compilation compilation, Method method, Map<AbstractInsnNode, Field> inResponse) {
		this.translation = compilation.translation();
		this.code = this.translation.code();
		this.method = method;
		this.jumps = new Jumps(method.node().instructions);
		this.frame = new StackFrame(this.code);
		this.arithmetic = new Arithmetic(this.translation, this.frame);
		this.conditions = new Conditions(this.translation, this.frame);
		this.arrays = new ArrayAccess(compilation, this.frame);
		this.objects = new ObjectAccess(compilation, this.frame);
		this.invocations = new Invocations(compilation);
		this.finallyBlocks = new FinallyBlocks(this.translation, method, this.frame);
		this.recovery = new Recovery(compilation, method);
		this.locals = new Locals(this.translation, method, this.frame, this.objects, this.recovery);
		this.meetings = new Meetings(this.translation, method, this.frame, this.locals);
		this.inResponse = inResponse;
	}

	/**
	 * Translates a method.
	 * @see Compilation#inline
	 */
	static @Nullable Value translate(Compilation compilation, Method method, List<Value> arguments,
			Map<AbstractInsnNode, Field> inResponse) {
		compilation.translation().enter(method, arguments);
		try {
			return new MethodTranslator(compilation, method, inResponse).translate(arguments);
		}
		finally {
			compilation.translation().leave();
		}
	}

	private @Nullable Value translate(List<Value> arguments) {
		this.finallyBlocks.require();
		int local = 0;
		for (Value argument : arguments) {
			if (this.method.assignments(local) > 0) {
				this.frame.store(local, argument);
			}
			else {
				this.frame.bind(local, argument);
			}
			local += argument.isWide() ? 2 : 1;
		}
		for (AbstractInsnNode instruction : this.method.node().instructions) {
			if (instruction instanceof LabelNode label) {
				arrive(label);
			}
			else if (instruction instanceof LineNumberNode line) {
				this.translation.line(line.line);
			}
			else if (this.isReached && instruction.getOpcode() >= 0) {
				attempt(instruction);
			}
		}
		meet(this.end);
		return this.result;
	}

	/** Translates an instruction. If it is refused, the code goes on behind it. */
	private void attempt(AbstractInsnNode instruction) {
		List<Value> stack = this.frame.stack();
		if (this.recovery.isRefused(instruction, stack)) {
			recover(instruction, stack);
			return;
		}
		try {
			translate(instruction);
		}
		catch (HandlerRefusedException ex) {
			this.translation.refusals().goOn(ex);
			recover(instruction, stack);
		}
	}

	private void recover(AbstractInsnNode instruction, List<Value> stack) {
		this.frame.restore(this.recovery.behind(instruction, stack));
		Jumps.targets(instruction).forEach(this::isLeftTo);
		this.isReached = ControlFlow.goesOn(instruction);
	}

	/** Whether the way goes on at a label: not if that is refused. */
	private boolean isLeftTo(LabelNode label) {
		try {
			this.meetings.leaveTo(label);
			return true;
		}
		catch (HandlerRefusedException ex) {
			this.translation.refusals().goOn(ex);
			return false;
		}
	}

	private void arrive(LabelNode label) {
		if (this.isReached && (this.jumps.isLoop(label) || this.frame.isReached(label.getLabel()))) {
			this.isReached = isLeftTo(label);
		}
		boolean isMet = this.frame.isReached(label.getLabel());
		this.frame.arrive(label.getLabel());
		this.isReached |= isMet;
		if (!this.isReached) {
			this.meetings.skip(label);
		}
		this.finallyBlocks.arrive(label);
		if (this.jumps.isLoop(label)) {
			this.code.mark(label(label));
		}
		else if (this.jumps.count(label) > 0) {
			if (this.jumps.count(label) == 1) {
				this.alternatives.add(label(label));
			}
			meet(label(label));
		}
	}

	/** Ways meet that have branched; nothing behind leads here. */
	private void meet(Label label) {
		int last = this.code.instructions().size() - 1;
		if (this.code.instructions().get(last).equals(new Instruction.Jump(label))) {
			this.code.cut(last);
		}
		this.code.mark(label);
		Selections.replace(this.code, this.alternatives);
		if (!this.code.leadsTo(label)) {
			this.code.cut(this.code.instructions().size() - 1);
		}
	}

	private Label label(LabelNode label) {
		return this.labels.computeIfAbsent(label, (any) -> new Label());
	}

	private void translate(AbstractInsnNode instruction) {
		int opcode = instruction.getOpcode();
		switch (instruction.getType()) {
			case AbstractInsnNode.VAR_INSN -> this.locals.access((VarInsnNode) instruction);
			case AbstractInsnNode.IINC_INSN -> this.locals.increment((IincInsnNode) instruction);
			case AbstractInsnNode.JUMP_INSN -> jump(opcode, ((JumpInsnNode) instruction).label);
			case AbstractInsnNode.INT_INSN -> operand((IntInsnNode) instruction);
			case AbstractInsnNode.LDC_INSN -> this.frame.push(this.objects.constant(((LdcInsnNode) instruction).cst));
			case AbstractInsnNode.FIELD_INSN -> this.objects.field(opcode, (FieldInsnNode) instruction);
			case AbstractInsnNode.TYPE_INSN ->
				this.isReached = this.objects.type(opcode, ((TypeInsnNode) instruction).desc);
			case AbstractInsnNode.METHOD_INSN -> call((MethodInsnNode) instruction);
			case AbstractInsnNode.INVOKE_DYNAMIC_INSN -> this.objects.dynamic((InvokeDynamicInsnNode) instruction);
			case AbstractInsnNode.MULTIANEWARRAY_INSN -> this.arrays.createRows((MultiANewArrayInsnNode) instruction);
			case AbstractInsnNode.TABLESWITCH_INSN -> {
				TableSwitchInsnNode table = (TableSwitchInsnNode) instruction;
				choose(IntStream.rangeClosed(table.min, table.max).boxed().toList(), table.labels, table.dflt);
			}
			case AbstractInsnNode.LOOKUPSWITCH_INSN -> {
				LookupSwitchInsnNode lookup = (LookupSwitchInsnNode) instruction;
				choose(lookup.keys, lookup.labels, lookup.dflt);
			}
			default -> {
				if (!this.conditions.leaves(instruction)) {
					plain(opcode);
				}
			}
		}
	}

	/** An opcode without operands. */
	private void plain(int opcode) {
		if (opcode == Opcodes.ACONST_NULL) {
			// javac hands it to the exception of a switch that no constant matches.
			this.frame.push(Value.of(new Shape.Opaque("null")));
		}
		else if (opcode >= Opcodes.ICONST_M1 && opcode <= Opcodes.DCONST_1) {
			this.frame.push(Arithmetic.constant(opcode));
		}
		else if (opcode >= Opcodes.IALOAD && opcode <= Opcodes.SALOAD) {
			this.arrays.load();
		}
		else if (opcode >= Opcodes.IASTORE && opcode <= Opcodes.SASTORE) {
			this.arrays.store();
		}
		else if (opcode >= Opcodes.POP && opcode <= Opcodes.SWAP) {
			this.frame.shuffle(opcode);
		}
		else if (opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN) {
			leave(opcode);
		}
		else if (opcode == Opcodes.ARRAYLENGTH) {
			this.arrays.length();
		}
		else if (opcode == Opcodes.ATHROW) {
			this.objects.raise();
			this.isReached = false;
		}
		else if (opcode == Opcodes.FREM || opcode == Opcodes.DREM) {
			Operand divisor = this.frame.popScalar();
			this.frame.push(this.invocations.remainder(this.frame.popScalar(), divisor));
		}
		else if (opcode >= Opcodes.IADD && opcode <= Opcodes.DCMPG) {
			this.arithmetic.translate(opcode);
		}
		else if (opcode != Opcodes.NOP) {
			throw this.translation.refuse("the code has the JVM's instruction " + opcode + ", which no device has",
					"Synchronize by Parallel alone, and compare with no null.");
		}
	}

	private void operand(IntInsnNode instruction) {
		if (instruction.getOpcode() == Opcodes.NEWARRAY) {
			this.arrays.create(instruction.operand, this.inResponse.get(instruction));
		}
		else {
			this.frame.push(Value.of(instruction.operand));
		}
	}

	private void call(MethodInsnNode called) {
		if (called.name.equals("<init>")) {
			this.objects.construct(called);
			return;
		}
		int count = Type.getArgumentTypes(called.desc).length + ((called.getOpcode() == Opcodes.INVOKESTATIC) ? 0 : 1);
		Value returned = this.invocations.call(Called.of(called), this.frame.pop(count), this.inResponse.get(called));
		if (returned != null) {
			this.frame.push(returned);
		}
		else if (!Type.getReturnType(called.desc).equals(Type.VOID_TYPE)) {
			// It throws in any case.
			this.isReached = false;
		}
	}

	private void jump(int opcode, LabelNode to) {
		if (opcode == Opcodes.GOTO) {
			go(to);
		}
		else {
			branch(this.conditions.of(opcode), to);
		}
	}

	private void branch(Register predicate, LabelNode to) {
		this.meetings.leaveTo(to);
		this.code.branch(predicate, true, label(to));
	}

	/** A switch. */
	private void choose(List<Integer> keys, List<LabelNode> to, LabelNode otherwise) {
		Operand key = this.frame.popScalar();
		for (int i = 0; i < keys.size(); i++) {
			branch(this.code.compare(Comparison.EQ, key, Constant.of(keys.get(i))), to.get(i));
		}
		go(otherwise);
	}

	private void go(LabelNode to) {
		this.meetings.leaveTo(to);
		// Another jump back needs the label.
		if (this.jumps.count(to) > 1 || !ConstantLoop.replace(this.code, label(to))) {
			UnrolledLoop.addBefore(this.code, label(to));
			this.code.jump(label(to));
		}
		this.isReached = false;
	}

	private void leave(int opcode) {
		if (opcode != Opcodes.RETURN) {
			Value returned = this.frame.pop();
			Value value = (this.method.returns() > 1) ? this.translation.constants().placed(returned) : returned;
			if (this.result == null) {
				this.result = Value.fresh(value.shape(), this.code);
			}
			this.result = this.result.widened(value.shape(), this.code);
			if (!this.result.shape().accepts(value.shape())) {
				throw this.translation.refuse("%s returns values of different kinds".formatted(this.method.name()),
						"Return the same kind everywhere.");
			}
			value.moveTo(this.result, this.code);
		}
		this.code.jump(this.end);
		this.isReached = false;
	}

}
