package io.ringkernel.compiler.call;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.ringkernel.compiler.classfile.Called;
import io.ringkernel.compiler.classfile.Classes;
import io.ringkernel.compiler.classfile.Method;
import io.ringkernel.compiler.ir.Code;
import io.ringkernel.compiler.ir.Comparison;
import io.ringkernel.compiler.ir.Constant;
import io.ringkernel.compiler.ir.Label;
import io.ringkernel.compiler.ir.Operator;
import io.ringkernel.compiler.ir.Register;
import io.ringkernel.compiler.translation.Translation;
import io.ringkernel.compiler.value.Shape;
import io.ringkernel.compiler.value.Value;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Which method runs when one is called: the one that the JVM selects by the class of the
 * object. That is known of all objects but constants of an enum, among whose methods the
 * device chooses.
 */
final class Dispatch {

	/** The classes of the JDK, and ours, whose methods compute with numbers alone. */
	private static final Set<String> PURE = Set.of(Classes.PARALLEL, "java/lang/Math", "java/lang/StrictMath",
			"java/lang/Integer", "java/lang/Long", "java/lang/Short", "java/lang/Byte", "java/lang/Character",
			"java/lang/Boolean", "java/lang/Float", "java/lang/Double");

	/** The interfaces of functions, whose methods combine functions. */
	private static final String FUNCTIONS = "java/util/function/";

	/** The classes of the JDK with operations that no device has in this way. */
	private static final Pattern ATOMIC = Pattern.compile("java/util/concurrent/atomic/.*|java/lang/invoke/VarHandle");

	private final Translation translation;

	private final Code code;

	private final Classes classes;

	Dispatch(Translation translation) {
		this.translation = translation;
		this.code = translation.code();
		this.classes = translation.classes();
	}

	/** Whether the call of a method of a lambda is one of its body. */
	boolean isBody(Called called, Shape.LambdaOf lambda) {
		Method resolved = this.classes.resolve(called.owner(), called.name(), called.descriptor());
		return resolved != null && called.name().equals(lambda.method())
				&& (resolved.node().access & Opcodes.ACC_ABSTRACT) != 0
				&& this.classes.select(lambda.of(), resolved) == null;
	}

	/** Calls a method: what it returns; {@code null} if nothing. */
	@Nullable Value call(Called called, List<Value> arguments, Function<Method, @Nullable Value> translated) {
		requireNotAtomic(called);
		Method resolved = this.classes.resolve(called.owner(), called.name(), called.descriptor());
		if (resolved == null || resolved.isStatic() != called.isStatic()) {
			throw refused(called);
		}
		if (!called.isVirtual() || resolved.isFinal()) {
			return translated.apply(allowed(called, resolved));
		}
		Value receiver = arguments.get(0);
		if (receiver.shape() instanceof Shape.EnumOf constant) {
			return chosen(called,
					receiver.scalar() instanceof Constant ordinal
							? Map.of(constants(called, resolved, constant).get((int) ordinal.bits()), List.of())
							: grouped(constants(called, resolved, constant)),
					receiver, translated);
		}
		String type = type(receiver.shape());
		if (type == null) {
			throw this.translation.refuse(
					"%s is called of an object whose class is not known".formatted(called.inWords()),
					"Make the method or its class final, or call it of a record, an enum or a lambda.");
		}
		return translated.apply(allowed(called, this.classes.select(type, resolved)));
	}

	private void requireNotAtomic(Called called) {
		if (!ATOMIC.matcher(called.owner()).matches()) {
			return;
		}
		boolean isFloating = called.owner().contains("/Double") || Stream.of(Type.getArgumentTypes(called.descriptor()))
			.anyMatch((type) -> type.equals(Type.FLOAT_TYPE) || type.equals(Type.DOUBLE_TYPE));
		throw this.translation.refuse("%s is called".formatted(called.inWords()), isFloating
				? "The sum of floating-point numbers depends on their order, which no device keeps in atomic steps. Use Parallel.sumDouble, or add multiples of a small number by Parallel.atomicAdd on a long[]."
				: "Use Parallel.atomicAdd, atomicMax or atomicCompareAndSet on an int[] or a long[].");
	}

	/** The class of an object; {@code null} if it is not known. */
	private static @Nullable String type(Shape shape) {
		if (shape instanceof Shape.ObjectOf known) {
			return known.type();
		}
		if (shape instanceof Shape.LambdaOf lambda) {
			return lambda.of();
		}
		if (shape instanceof Shape.Failing failing) {
			return failing.type().replace('.', '/');
		}
		return (shape instanceof Shape.Opaque opaque) ? opaque.type() : null;
	}

	private Method allowed(Called called, @Nullable Method method) {
		if (method == null || !method.hasCode() || (method.isPlatform() && !isPure(method.owner().name))) {
			throw refused(called);
		}
		return method;
	}

	private static boolean isPure(String owner) {
		return PURE.contains(owner) || owner.startsWith(Classes.STRICT) || owner.startsWith(FUNCTIONS);
	}

	private RuntimeException refused(Called called) {
		return this.translation.refuse("%s is called".formatted(called.inWords()),
				"Call methods of your own that compute with numbers, records and arrays.");
	}

	/** The method of each constant of an enum, in their order. */
	private List<Method> constants(Called called, Method resolved, Shape.EnumOf constant) {
		return this.classes.constants(constant.type())
			.stream()
			.map((each) -> allowed(called, this.classes.select(Type.getInternalName(each.getClass()), resolved)))
			.toList();
	}

	/** Each method with the ordinals of its constants. */
	private static Map<Method, List<Integer>> grouped(List<Method> methods) {
		Map<Method, List<Integer>> grouped = new LinkedHashMap<>();
		for (int i = 0; i < methods.size(); i++) {
			grouped.computeIfAbsent(methods.get(i), (any) -> new ArrayList<>()).add(i);
		}
		return grouped;
	}

	/** The device chooses: what no constant before has is what the last ones have. */
	private @Nullable Value chosen(Called called, Map<Method, List<Integer>> methods, Value receiver,
			Function<Method, @Nullable Value> translated) {
		Value result = null;
		Label end = new Label();
		int left = methods.size();
		for (Map.Entry<Method, List<Integer>> method : methods.entrySet()) {
			Label next = new Label();
			left--;
			if (left > 0) {
				this.code.branch(isOneOf(receiver, method.getValue()), false, next);
			}
			Value returned = translated.apply(method.getKey());
			if (methods.size() == 1) {
				return returned;
			}
			if (returned != null) {
				result = merged(called, result, this.translation.constants().placed(returned));
			}
			this.code.jump(end);
			this.code.mark(next);
		}
		this.code.mark(end);
		return result;
	}

	private Value merged(Called called, @Nullable Value before, Value returned) {
		Value result = (before != null) ? before.widened(returned.shape(), this.code)
				: Value.fresh(returned.shape(), this.code);
		if (!result.shape().accepts(returned.shape())) {
			throw this.translation.refuse(
					"%s returns another kind of value for each constant of the enum".formatted(called.inWords()),
					"Return the same kind for all of them.");
		}
		returned.moveTo(result, this.code);
		return result;
	}

	private Register isOneOf(Value constant, List<Integer> ordinals) {
		Register isOne = null;
		for (int ordinal : ordinals) {
			Register is = this.code.compare(Comparison.EQ, constant.scalar(), Constant.of(ordinal));
			isOne = (isOne != null) ? this.code.binary(Operator.OR, isOne, is) : is;
		}
		return Objects.requireNonNull(isOne);
	}

}
