package io.ringkernel.compiler.call;

import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import io.ringkernel.compiler.classfile.Called;
import io.ringkernel.compiler.classfile.Classes;
import io.ringkernel.compiler.classfile.Method;
import io.ringkernel.compiler.handler.EnumFields;
import io.ringkernel.compiler.handler.HandlerMethod;
import io.ringkernel.compiler.ir.Conversion;
import io.ringkernel.compiler.ir.Operand;
import io.ringkernel.compiler.ir.RegisterType;
import io.ringkernel.compiler.parallel.ParallelLoops;
import io.ringkernel.compiler.strict.StrictClamp;
import io.ringkernel.compiler.strict.StrictExponential;
import io.ringkernel.compiler.strict.StrictHalf;
import io.ringkernel.compiler.strict.StrictHyperbolic;
import io.ringkernel.compiler.strict.StrictInverse;
import io.ringkernel.compiler.strict.StrictLogarithm;
import io.ringkernel.compiler.strict.StrictPower;
import io.ringkernel.compiler.strict.StrictRemainder;
import io.ringkernel.compiler.strict.StrictRoots;
import io.ringkernel.compiler.strict.StrictScale;
import io.ringkernel.compiler.strict.StrictTrigonometry;
import io.ringkernel.compiler.translation.Compilation;
import io.ringkernel.compiler.translation.Translation;
import io.ringkernel.compiler.value.Boxes;
import io.ringkernel.compiler.value.Intrinsics;
import io.ringkernel.compiler.value.Shape;
import io.ringkernel.compiler.value.Shapes;
import io.ringkernel.compiler.value.Value;
import io.ringkernel.message.Field;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;

import static io.ringkernel.compiler.ir.RegisterType.DOUBLE;

/**
 * Calls: of {@code Parallel}, of what a device has an instruction for, and of other
 * methods, which are translated in place.
 *
 * @since 0.2.0
 */
public final class Invocations {

	/** The class file names the enum; what the handler may call is declared here. */
	private static final String ENUM = "java/lang/Enum";

	private static final String FLOAT = "java/lang/Float";

	private static final String MATH = "java/lang/Math";

	/** What is known of a value is known of no {@code null}. */
	private static final String OBJECTS = "java/util/Objects";

	private static final String STRICT_MATH = "java/lang/StrictMath";

	/** What is short enough to be translated in place. */
	private static final Set<String> SHORT = Set.of("scalb", "clamp", "float16ToFloat", "floatToFloat16");

	/** What shows the sign of a NaN, and what does the same without. */
	private static final Map<String, String> RAW = Map.of("java/lang/Math.copySign", "StrictMath.copySign",
			"java/lang/Float.floatToRawIntBits", "Float.floatToIntBits", "java/lang/Double.doubleToRawLongBits",
			"Double.doubleToLongBits", "java/lang/Float.floatToFloat16",
			"it of Float.intBitsToFloat(Float.floatToIntBits(x))");

	/**
	 * What stands in for functions of {@link StrictMath}, {@link Math} and {@link Float},
	 * under the same name. Java lets those of {@code Math} give what those of
	 * {@code StrictMath} do.
	 */
	private static final Map<String, String> STAND_INS = standIns();

	private static final String REMAINDER = Type.getInternalName(StrictRemainder.class);

	private static Map<String, String> standIns() {
		Map<String, String> standIns = new HashMap<>();
		for (Class<?> room : List.of(StrictExponential.class, StrictLogarithm.class, StrictTrigonometry.class,
				StrictInverse.class, StrictHyperbolic.class, StrictPower.class, StrictRoots.class,
				StrictRemainder.class, StrictScale.class, StrictClamp.class, StrictHalf.class)) {
			for (java.lang.reflect.Method method : room.getDeclaredMethods()) {
				if (Modifier.isPublic(method.getModifiers())) {
					standIns.put(method.getName(), Type.getInternalName(room));
				}
			}
		}
		return Map.copyOf(standIns);
	}

	private final Compilation compilation;

	private final Translation translation;

	private final Dispatch dispatch;

	public Invocations(Compilation compilation) {
		this.compilation = compilation;
		this.translation = compilation.translation();
		this.dispatch = new Dispatch(this.translation);
	}

	/** Calls a method: what it returns; {@code null} if nothing. */
	public @Nullable Value call(Called called, List<Value> arguments, @Nullable Field inResponse) {
		String owner = called.owner();
		String name = called.name();
		if (owner.equals(Classes.PARALLEL) && ParallelLoops.isOne(name)) {
			return new ParallelLoops(this.compilation, this::lambda).call(name, arguments);
		}
		if (Shapes.isOptional(owner)) {
			return new Optionals(this.compilation, this::lambda).call(owner, name, arguments);
		}
		if (Shapes.isText(owner) && !arguments.isEmpty() && Texts.isText(arguments.get(0))) {
			return new Texts(this.compilation).call(name, arguments);
		}
		if (owner.equals(OBJECTS) && name.equals("requireNonNull")
				&& !(arguments.get(0).shape() instanceof Shape.Opaque)) {
			return arguments.get(0);
		}
		if (ArrayMethods.isOne(owner, name)) {
			return new ArrayMethods(this.compilation).call(called, arguments, inResponse);
		}
		Value number = Boxes.call(owner, name, arguments);
		if (number != null) {
			return number;
		}
		if (called.isVirtual() && arguments.get(0).shape() instanceof Shape.LambdaOf lambda
				&& this.dispatch.isBody(called, lambda)) {
			return body(arguments.get(0), arguments.subList(1, arguments.size()));
		}
		if (called.isVirtual() && name.equals(HandlerMethod.HANDLE)
				&& arguments.get(0).shape() instanceof Shape.Part part && HandlerMethod.isLambda(part.handler())
				&& arguments.get(1).shape() instanceof Shape.RecordOf request) {
			HandlerMethod lambda = HandlerMethod.ofLambda(this.translation.classes(), part.handler(),
					Type.getObjectType(request.type()), null);
			return translate(lambda.method(), lambda.arguments(this.compilation, arguments.get(1)), null);
		}
		requireExact(called, arguments);
		boolean isOfEnum = called.isVirtual() && arguments.get(0).shape() instanceof Shape.EnumOf;
		if (isOfEnum && name.equals("name") && arguments.size() == 1) {
			return new EnumFields(this.translation).name(arguments.get(0));
		}
		Value instruction = Intrinsics.call(this.translation.code(), isOfEnum ? ENUM : owner,
				name + called.descriptor(), arguments);
		Value returned = (instruction != null) ? instruction : callMethod(called, arguments, inResponse);
		if (returned != null) {
			this.translation.canonicalFloats().returned(called, arguments, returned);
		}
		return returned;
	}

	private @Nullable Value callMethod(Called called, List<Value> arguments, @Nullable Field inResponse) {
		String standIn = List.of(MATH, STRICT_MATH, FLOAT).contains(called.owner()) ? STAND_INS.get(called.name())
				: null;
		Called exact = (standIn != null) ? Called.ofStatic(standIn, called.name(), called.descriptor()) : called;
		return this.dispatch.call(exact, arguments, (method) -> translate(method, arguments, inResponse));
	}

	private void requireExact(Called called, List<Value> arguments) {
		String owner = called.owner();
		String name = called.name();
		if (name.equals("random") && (owner.equals(MATH) || owner.equals(STRICT_MATH))) {
			throw this.translation.refuse("%s.random is called".formatted(owner.substring(owner.lastIndexOf('/') + 1)),
					"Let the request bring the numbers.");
		}
		String exact = RAW.get(owner + "." + name);
		boolean isExact = name.equals("floatToFloat16")
				&& this.translation.canonicalFloats().isOne(arguments.get(0).scalar());
		if (exact != null && !isExact && !this.translation.isInPlatform()) {
			throw this.translation.refuse("%s.%s shows the sign of a NaN, which differs from machine to machine"
				.formatted(owner.substring(owner.lastIndexOf('/') + 1), name), "Call %s.".formatted(exact));
		}
	}

	/** The remainder of two floating-point numbers. That of two floats is a float. */
	public Operand remainder(Operand dividend, Operand divisor) {
		boolean isDouble = dividend.type() == DOUBLE;
		List<Value> arguments = isDouble ? List.of(Value.of(dividend), Value.of(divisor))
				: List.of(numeric(DOUBLE, dividend), numeric(DOUBLE, divisor));
		Value remainder = Objects
			.requireNonNull(call(Called.ofStatic(REMAINDER, "remainder", "(DD)D"), arguments, null));
		return (isDouble ? remainder : numeric(dividend.type(), remainder.scalar())).scalar();
	}

	private Value numeric(RegisterType type, Operand number) {
		return Value.of(this.translation.code().convert(Conversion.NUMERIC, type, number));
	}

	private @Nullable Value translate(Method method, List<Value> arguments, @Nullable Field inResponse) {
		String name = method.node().name;
		if (method.owner().name.equals(STAND_INS.get(name)) && !SHORT.contains(name)) {
			return this.translation.functions()
				.call(name, arguments, (parameters) -> this.compilation.inline(method, parameters, Map.of()));
		}
		Map<AbstractInsnNode, Field> made = (inResponse != null) ? made(method, inResponse) : Map.of();
		return this.compilation.inline(method, arguments, made);
	}

	/** What the method makes of the response, as the one does that its call names. */
	private Map<AbstractInsnNode, Field> made(Method method, Field inResponse) {
		ResponseArrays arrays = new ResponseArrays(this.translation.classes(), method);
		if (!arrays.isReturnedOneMade()) {
			throw this.translation.refuse("%s.%s returns an array of the response that another method of the name makes"
				.formatted(method.className(), method.node().name), "Make the array in both of them, or in none.");
		}
		return arrays.returned(inResponse);
	}

	/**
	 * Runs a function that a method of the JDK, or of {@code Parallel}, is called with.
	 */
	private @Nullable Value lambda(Value function, List<Value> arguments) {
		if (!(function.shape() instanceof Shape.LambdaOf lambda) || !isOfPlatform(lambda.of())) {
			throw this.translation.refuse("a function is used that is no lambda of an interface of java.util.function",
					"Write a lambda or a reference to a method where it is used.");
		}
		return body(function, arguments);
	}

	private static boolean isOfPlatform(String type) {
		return type.startsWith("java/") || type.startsWith(Classes.PARALLEL + "$");
	}

	/** Runs the body of a lambda, or the method that a reference names. */
	private @Nullable Value body(Value lambda, List<Value> arguments) {
		Shape.LambdaOf shape = (Shape.LambdaOf) lambda.shape();
		Handle body = shape.body();
		if (body.getTag() == Opcodes.H_NEWINVOKESPECIAL) {
			throw this.translation.refuse("a constructor is used as a function", "Write a lambda.");
		}
		List<Value> all = new ArrayList<>(lambda.parts(shape.captured()));
		List<Type> taken = parameters(body);
		for (int i = 0; i < arguments.size(); i++) {
			all.add(Boxes.converted(arguments.get(i), shape.type().getArgumentTypes()[i], taken.get(all.size()),
					this.translation.code()));
		}
		int begin = this.translation.code().instructions().size();
		Value result = call(Called.of(body), all, null);
		if (this.translation.isParallel()) {
			this.translation.scratch().requireNoLoops(begin);
		}
		Type returned = shape.type().getReturnType();
		return (result == null || returned.equals(Type.VOID_TYPE)) ? null
				: Boxes.converted(result, Type.getReturnType(body.getDesc()), returned, this.translation.code());
	}

	/** What a method takes, beginning with its receiver if it has one. */
	private static List<Type> parameters(Handle method) {
		List<Type> parameters = new ArrayList<>(List.of(Type.getArgumentTypes(method.getDesc())));
		if (method.getTag() != Opcodes.H_INVOKESTATIC) {
			parameters.add(0, Type.getObjectType(method.getOwner()));
		}
		return parameters;
	}

}
