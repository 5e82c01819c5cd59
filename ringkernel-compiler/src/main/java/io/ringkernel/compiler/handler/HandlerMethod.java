package io.ringkernel.compiler.handler;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

import io.ringkernel.RingKernelHandler;
import io.ringkernel.compiler.classfile.Classes;
import io.ringkernel.compiler.classfile.Method;
import io.ringkernel.compiler.translation.Compilation;
import io.ringkernel.compiler.value.Shape;
import io.ringkernel.compiler.value.Value;
import io.ringkernel.exception.HandlerRefusedException;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * The method that a handler runs: that of its class, or that of a lambda. The class of a
 * lambda has no class file, but the class has whose code makes it: the lambda is the only
 * one there that handles these records and captures values of these types.
 *
 * @param captured the fields of the lambda, in the order of what the method takes in
 * front of the request; {@code null} if it is no lambda
 * @since 0.2.0
 */
public record HandlerMethod(Object handler, Method method, @Nullable List<Field> captured) {

	public static final String HANDLE = "handle";

	/** What it is called by of a handler whose records are not known. */
	private static final String ERASED = "(Ljava/lang/Record;)Ljava/lang/Record;";

	/** What the name of a lambda's class has behind that of the class around it. */
	private static final String LAMBDA = "$$Lambda";

	/** What the names of a lambda's fields begin with; a number follows. */
	private static final String FIELD = "arg$";

	public static HandlerMethod of(Classes classes, Object handler, Class<?> request, Class<?> response) {
		Class<?> type = handler.getClass();
		String descriptor = Type.getMethodDescriptor(Type.getType(response), Type.getType(request));
		Method handle = classes.method(Type.getInternalName(type), HANDLE, descriptor);
		// A pipeline takes records of any types.
		Method erased = (handle != null) ? handle : classes.method(Type.getInternalName(type), HANDLE, ERASED);
		return (erased != null) ? new HandlerMethod(handler, erased, null)
				: ofLambda(classes, handler, Type.getType(request), Type.getType(response));
	}

	/** Whether it has no class file. */
	public static boolean isLambda(Object handler) {
		return handler.getClass().isHidden() && handler.getClass().getName().contains(LAMBDA);
	}

	/**
	 * The body of a lambda.
	 * @param response {@code null} if it is not known
	 */
	public static HandlerMethod ofLambda(Classes classes, Object handler, Type request, @Nullable Type response) {
		String type = handler.getClass().getName();
		ClassNode around = isLambda(handler) ? classes.find(type.substring(0, type.indexOf(LAMBDA)).replace('.', '/'))
				: null;
		if (around == null) {
			throw refused(type, "there is no class file with this method, as of a proxy");
		}
		List<Field> captured = Arrays.stream(handler.getClass().getDeclaredFields())
			.filter((field) -> field.getName().startsWith(FIELD))
			.sorted(Comparator.comparingInt((field) -> Integer.parseInt(field.getName().substring(FIELD.length()))))
			.toList();
		Type[] types = captured.stream().map((field) -> Type.getType(field.getType())).toArray(Type[]::new);
		String made = Type.getMethodDescriptor(Type.getType(RingKernelHandler.class), types);
		List<Handle> bodies = new ArrayList<>();
		for (MethodNode method : around.methods) {
			method.instructions.forEach((instruction) -> {
				if (instruction instanceof InvokeDynamicInsnNode lambda && lambda.bsm.getOwner().equals(Classes.LAMBDAS)
						&& lambda.name.equals(HANDLE) && lambda.desc.equals(made)
						&& handles((Type) lambda.bsmArgs[2], request, response)
						&& !bodies.contains((Handle) lambda.bsmArgs[1])) {
					bodies.add((Handle) lambda.bsmArgs[1]);
				}
			});
		}
		String name = Type.getObjectType(around.name).getClassName();
		if (bodies.size() != 1) {
			throw refused(name, bodies.isEmpty() ? "no lambda of this class is found to be the handler"
					: "%d lambdas of this class handle the same records".formatted(bodies.size()));
		}
		return new HandlerMethod(handler, body(classes, name, bodies.get(0)), captured);
	}

	private static boolean handles(Type method, Type request, @Nullable Type response) {
		return method.getArgumentTypes()[0].equals(request)
				&& (response == null || method.getReturnType().equals(response));
	}

	/** The object must not decide which method runs. */
	private static Method body(Classes classes, String around, Handle body) {
		Method method = classes.method(body.getOwner(), body.getName(), body.getDesc());
		if (method == null || !method.isFinal() || body.getTag() == Opcodes.H_NEWINVOKESPECIAL) {
			throw refused(around, "the handler is a reference to %s.%s, which is a constructor or can be overridden"
				.formatted(Type.getObjectType(body.getOwner()).getClassName(), body.getName()));
		}
		return method;
	}

	private static HandlerRefusedException refused(String className, String reason) {
		return new HandlerRefusedException(className, HANDLE, 0, reason, "Write the handler as a class.");
	}

	public List<Value> arguments(Compilation compilation, Value request) {
		List<Value> arguments = new ArrayList<>();
		List<Field> fieldsOfLambda = this.captured;
		if (fieldsOfLambda == null) {
			arguments.add(Value.of(new Shape.Part(this.handler)));
		}
		else {
			HandlerFields fields = new HandlerFields(compilation);
			fieldsOfLambda.forEach((field) -> arguments.add(fields.captured(this.handler, field)));
		}
		arguments.add(request);
		return arguments;
	}

}
