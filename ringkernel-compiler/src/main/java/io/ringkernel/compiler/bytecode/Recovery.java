package io.ringkernel.compiler.bytecode;

import java.util.ArrayList;
import java.util.List;

import io.ringkernel.compiler.classfile.Classes;
import io.ringkernel.compiler.classfile.Method;
import io.ringkernel.compiler.ir.Register;
import io.ringkernel.compiler.ir.RegisterType;
import io.ringkernel.compiler.translation.Compilation;
import io.ringkernel.compiler.translation.Refusals;
import io.ringkernel.compiler.translation.Translation;
import io.ringkernel.compiler.value.Shape;
import io.ringkernel.compiler.value.Value;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.LocalVariableNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.BasicInterpreter;
import org.objectweb.asm.tree.analysis.BasicValue;
import org.objectweb.asm.tree.analysis.Frame;
import org.objectweb.asm.tree.analysis.Interpreter;

/**
 * How the translation goes on behind an instruction that is refused: with an unknown
 * value of the declared type in place of what the instruction gives. Of a type that no
 * code can be made of, the value is refused itself, and so is what depends on it, without
 * another report.
 */
record Recovery(Compilation compilation, Method method) {

	/** Whether an instruction needs no refusal, as one before tells what is wrong. */
	boolean isRefused(AbstractInsnNode instruction, List<Value> stack) {
		Refusals refusals = this.compilation.translation().refusals();
		if (refusals.isEmpty()) {
			return false;
		}
		if (instruction.getOpcode() == Opcodes.MONITOREXIT) {
			return true;
		}
		if (instruction.getOpcode() == Opcodes.MONITORENTER) {
			Translation.Site site = this.compilation.translation().site();
			return refusals.isRefused(site.method().className(), site.line());
		}
		return stack.stream().anyMatch(Recovery::isRefused) && computes(instruction, stack)
				&& run(instruction, stack).isTaken;
	}

	private static boolean isRefused(Value value) {
		return value.shape() instanceof Shape.Refused;
	}

	/** Whether an instruction does more with a value than to hand it on. */
	private static boolean computes(AbstractInsnNode instruction, List<Value> stack) {
		int opcode = instruction.getOpcode();
		if (instruction instanceof MethodInsnNode call && !call.owner.startsWith("java/")
				&& !call.owner.equals(Classes.PARALLEL)) {
			int arguments = Type.getArgumentTypes(call.desc).length;
			return opcode != Opcodes.INVOKESTATIC && isRefused(stack.get(stack.size() - 1 - arguments));
		}
		return opcode >= Opcodes.IALOAD && opcode != Opcodes.IINC
				&& !(opcode >= Opcodes.ISTORE && opcode <= Opcodes.ASTORE)
				&& !(opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN) && opcode != Opcodes.INVOKEDYNAMIC;
	}

	List<Value> behind(AbstractInsnNode instruction, List<Value> stack) {
		return run(instruction, stack).stack;
	}

	private Run run(AbstractInsnNode instruction, List<Value> stack) {
		Run run = new Run();
		Frame<Place> frame = new Frame<>(0, this.method.node().maxStack);
		stack.forEach((value) -> frame.push(new Place(value)));
		try {
			frame.execute(instruction, run);
		}
		catch (AnalyzerException ex) {
			throw new IllegalStateException(
					"The code of %s.%s is invalid".formatted(this.method.className(), this.method.name()), ex);
		}
		for (int i = 0; i < frame.getStackSize(); i++) {
			run.stack.add(frame.getStack(i).value());
		}
		return run;
	}

	/** What a local variable is where it is read. */
	Value local(AbstractInsnNode read, @Nullable LocalVariableNode variable) {
		return switch (read.getOpcode()) {
			case Opcodes.ILOAD, Opcodes.IINC -> unknown(Shape.Scalar.INT);
			case Opcodes.LLOAD -> unknown(new Shape.Scalar(RegisterType.LONG));
			case Opcodes.FLOAD -> unknown(new Shape.Scalar(RegisterType.FLOAT));
			case Opcodes.DLOAD -> unknown(new Shape.Scalar(RegisterType.DOUBLE));
			default -> (variable != null)
					? unknown(this.compilation.shapes().of(Type.getType(variable.desc), variable.signature))
					: Value.of(new Shape.Refused());
		};
	}

	private Value unknown(Shape shape) {
		if (shape instanceof Shape.RecordOf record) {
			List<Value> components = record.components()
				.stream()
				.map((component) -> unknown(component.shape()))
				.toList();
			return Value.of(record.with(components), components);
		}
		if (shape instanceof Shape.Opaque || (shape instanceof Shape.OptionalOf empty && empty.value() == null)) {
			return Value.of(new Shape.Refused());
		}
		Value value = Value.fresh(shape, this.compilation.translation().code());
		value.scalars()
			.stream()
			.filter((scalar) -> scalar.type() == RegisterType.INT)
			.forEach((scalar) -> this.compilation.translation().scratch().hasAtMost((Register) scalar, 0));
		return value;
	}

	/** A value as ASM takes it. */
	private record Place(Value value) implements org.objectweb.asm.tree.analysis.Value {

		@Override
		public int getSize() {
			return this.value.isWide() ? 2 : 1;
		}

	}

	/** The types of what instructions give, as they declare them. */
	private static final class Declared extends BasicInterpreter {

		Declared() {
			super(Opcodes.ASM9);
		}

		@Override
		public BasicValue newValue(@Nullable Type type) {
			return (type == null) ? BasicValue.UNINITIALIZED_VALUE : new BasicValue(type);
		}

	}

	/** An instruction that is not translated. */
	private final class Run extends Interpreter<Place> {

		private final Declared declared = new Declared();

		private final List<Value> stack = new ArrayList<>();

		/** Whether it takes a value that is refused. */
		private boolean isTaken;

		Run() {
			super(Opcodes.ASM9);
		}

		private Place taking(List<Place> taken, @Nullable BasicValue given) {
			this.isTaken |= taken.stream().anyMatch((place) -> isRefused(place.value()));
			return new Place((given == null) ? Value.of(new Shape.Refused())
					: unknown(Recovery.this.compilation.shapes().of(given.getType())));
		}

		@Override
		public Place newValue(@Nullable Type type) {
			return new Place(Value.of(new Shape.Refused()));
		}

		@Override
		public Place newOperation(AbstractInsnNode instruction) throws AnalyzerException {
			return taking(List.of(), this.declared.newOperation(instruction));
		}

		@Override
		public Place copyOperation(AbstractInsnNode instruction, Place value) {
			return value;
		}

		@Override
		public Place unaryOperation(AbstractInsnNode instruction, Place value) throws AnalyzerException {
			return taking(List.of(value), this.declared.unaryOperation(instruction, BasicValue.UNINITIALIZED_VALUE));
		}

		@Override
		public Place binaryOperation(AbstractInsnNode instruction, Place one, Place other) throws AnalyzerException {
			return taking(List.of(one, other), this.declared.binaryOperation(instruction,
					BasicValue.UNINITIALIZED_VALUE, BasicValue.UNINITIALIZED_VALUE));
		}

		@Override
		public Place ternaryOperation(AbstractInsnNode instruction, Place one, Place other, Place third) {
			return taking(List.of(one, other, third), null);
		}

		@Override
		public Place naryOperation(AbstractInsnNode instruction, List<? extends Place> values)
				throws AnalyzerException {
			return taking(List.copyOf(values), this.declared.naryOperation(instruction, List.of()));
		}

		@Override
		public void returnOperation(AbstractInsnNode instruction, Place value, Place expected) {
			// The value is gone.
		}

		@Override
		public Place merge(Place one, Place other) {
			return one;
		}

	}

}
