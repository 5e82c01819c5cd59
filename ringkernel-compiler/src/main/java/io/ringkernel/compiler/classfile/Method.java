package io.ringkernel.compiler.classfile;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.IincInsnNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.LocalVariableNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;
import org.objectweb.asm.tree.analysis.Analyzer;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.Frame;
import org.objectweb.asm.tree.analysis.SourceInterpreter;
import org.objectweb.asm.tree.analysis.SourceValue;

/**
 * A method with its code.
 *
 * @since 0.2.0
 */
public record Method(ClassNode owner, MethodNode node) {

	/** As javac names the body of a lambda. */
	private static final Pattern LAMBDA = Pattern.compile("lambda\\$(?<around>.+)\\$\\d+");

	public boolean isStatic() {
		return (this.node.access & Opcodes.ACC_STATIC) != 0;
	}

	boolean isPrivate() {
		return (this.node.access & Opcodes.ACC_PRIVATE) != 0;
	}

	public boolean hasCode() {
		return this.node.instructions.size() > 0;
	}

	/** Whether no other method may run in its place. */
	public boolean isFinal() {
		return ((this.node.access | this.owner.access) & Opcodes.ACC_FINAL) != 0 || isPrivate() || isStatic();
	}

	/** Whether it replaces a method of a class that its class extends. */
	boolean overrides(Method other) {
		boolean isSeen = (other.node.access & (Opcodes.ACC_PUBLIC | Opcodes.ACC_PROTECTED)) != 0
				|| room(this.owner).equals(room(other.owner));
		return isSeen && !isPrivate() && !isStatic();
	}

	private static String room(ClassNode type) {
		return type.name.substring(0, type.name.lastIndexOf('/') + 1);
	}

	/** Of the JDK, or in place of it: whose lines nobody can change. */
	public boolean isPlatform() {
		return this.owner.name.startsWith("java/") || this.owner.name.startsWith("jdk/")
				|| this.owner.name.startsWith(Classes.STRICT) || this.owner.name.equals(Classes.PARALLEL);
	}

	public String className() {
		return Type.getObjectType(this.owner.name).getClassName();
	}

	/** Its name in the source; of the body of a lambda, that of the method around it. */
	public String name() {
		Matcher lambda = LAMBDA.matcher(this.node.name);
		return lambda.matches() ? lambda.group("around") : this.node.name;
	}

	/** The line of its first instruction; 0 if the class file does not tell. */
	public int firstLine() {
		return line(this.node.instructions.getFirst());
	}

	/** The line of the first instruction from a place on; 0 if that is not known. */
	public static int line(@Nullable AbstractInsnNode from) {
		for (AbstractInsnNode at = from; at != null; at = at.getNext()) {
			if (at instanceof LineNumberNode line) {
				return line.line;
			}
		}
		return 0;
	}

	/**
	 * The variable of the source that a local is at an instruction; {@code null} if the
	 * class file does not tell.
	 */
	public @Nullable LocalVariableNode variable(int local, AbstractInsnNode at) {
		int index = this.node.instructions.indexOf(at);
		return (this.node.localVariables == null) ? null : this.node.localVariables.stream()
			.filter((variable) -> variable.index == local && this.node.instructions.indexOf(variable.start) <= index
					&& this.node.instructions.indexOf(variable.end) > index)
			.findFirst()
			.orElse(null);
	}

	/** What is known in front of each instruction; {@code null} where nothing leads. */
	public Frame<SourceValue>[] frames(SourceInterpreter origins) {
		try {
			return new Analyzer<>(origins).analyze(this.owner.name, this.node);
		}
		catch (AnalyzerException ex) {
			throw new IllegalStateException("The code of %s.%s is invalid".formatted(className(), name()), ex);
		}
	}

	/** How many of its instructions return an object. */
	public long returns() {
		return Stream.of(this.node.instructions.toArray())
			.filter((instruction) -> instruction.getOpcode() == Opcodes.ARETURN)
			.count();
	}

	/** Whether a local variable has a value when the method begins. */
	public boolean isParameter(int local) {
		return local < (Type.getArgumentsAndReturnSizes(this.node.desc) >> 2) - (isStatic() ? 1 : 0);
	}

	/** How many of its instructions give a local variable another value. */
	public int assignments(int local) {
		int assignments = 0;
		for (var instruction : this.node.instructions) {
			if ((instruction instanceof IincInsnNode increment && increment.var == local)
					|| (instruction instanceof VarInsnNode access && access.var == local
							&& access.getOpcode() >= Opcodes.ISTORE)) {
				assignments++;
			}
		}
		return assignments;
	}

}
